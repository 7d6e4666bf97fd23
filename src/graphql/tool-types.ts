import {
  GraphQLEnumType as EnumType,
  GraphQLBoolean,
  type GraphQLEnumType,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  type GraphQLSchema,
  GraphQLString,
} from 'graphql';
import type { JsonSchema } from '../kernel/json-schema.ts';
import { enumName, nullable, type Shape, shapeOf } from './tool-shape.ts';

/** `os.set_context` is OsSetContext. */
export const pascal = (name: string) =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

type Direction = 'input' | 'output';

/**
 * Makes GraphQL types of the tools' JSON Schemas. Each type is named for its place: the field `payload` of
 * `OsListOpenGatesResult` is of `OsListOpenGatesResultPayload`. What a schema cannot promise GraphQL is JSON.
 */
export class TypeBridge {
  readonly #json: GraphQLScalarType;
  readonly #safeInt: GraphQLScalarType;
  readonly #names: Set<string>;

  constructor(schema: GraphQLSchema) {
    this.#json = schema.getType('JSON') as GraphQLScalarType;
    this.#safeInt = schema.getType('SafeInt') as GraphQLScalarType;
    this.#names = new Set(Object.keys(schema.getTypeMap()));
  }

  /** The type of what a tool answers. */
  output(schema: JsonSchema, name: string, description: string): GraphQLOutputType {
    return this.#type(schema, name, description, 'output') as GraphQLOutputType;
  }

  /** The input object of an object schema. */
  inputObject(schema: JsonSchema, name: string, description: string): GraphQLInputObjectType {
    return new GraphQLInputObjectType({ name: this.#claim(name), description, fields: this.inputFields(schema, name, description) });
  }

  /** The properties of an object schema as input fields or arguments. What is optional is nullable. */
  inputFields(schema: JsonSchema, name: string, about: string): GraphQLInputFieldConfigMap {
    const required = schema.required ?? [];
    const field = ([key, property]: [string, JsonSchema]) => {
      const type = this.#type(property, `${name}${pascal(key)}`, describe(property, key, about), 'input') as GraphQLInputType;
      const said = { description: describe(property, key, about), extensions: { most: nullable(property).schema.maxItems } };
      return [key, { type: required.includes(key) ? type : withoutNonNull(type), ...said }];
    };
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(field));
  }

  #type(given: JsonSchema, name: string, description: string, direction: Direction): GraphQLInputType | GraphQLOutputType {
    const { schema, nullable: mayBeNull } = nullable(given);
    const shape = shapeOf(schema);
    const type = this.#named(shape, schema, name, description, direction);
    // A JSON value may be null whatever the schema says of it.
    return mayBeNull || shape.kind === 'json' ? type : new GraphQLNonNull(type as never);
  }

  #named(shape: Shape, schema: JsonSchema, name: string, description: string, direction: Direction) {
    switch (shape.kind) {
      case 'string':
        return GraphQLString;
      case 'integer':
        return GraphQLInt;
      case 'safeInt':
        return this.#safeInt;
      case 'number':
        return GraphQLFloat;
      case 'boolean':
        return GraphQLBoolean;
      case 'json':
        return this.#json;
      case 'enum':
        return this.#enum(shape.values, name, description);
      case 'list':
        return new GraphQLList(this.#type(shape.of, name, description, direction) as GraphQLOutputType);
      case 'object':
        return direction === 'input' ? this.inputObject(schema, name, description) : this.#outputObject(shape, name, description);
    }
  }

  #outputObject({ properties, required }: Extract<Shape, { kind: 'object' }>, name: string, description: string) {
    const claimed = this.#claim(name);
    const field = ([key, property]: [string, JsonSchema]) => {
      const said = describe(property, key, name);
      const type = this.output(property, `${name}${pascal(key)}`, said);
      return [key, { type: required.includes(key) ? type : withoutNonNull(type), description: said }];
    };
    const fields: GraphQLFieldConfigMap<unknown, unknown> = Object.fromEntries(Object.entries(properties).map(field));
    return new GraphQLObjectType({ name: claimed, description, fields });
  }

  /** The tool's own values stand behind the names in CAPS. */
  #enum(values: string[], name: string, description: string): GraphQLEnumType {
    const named = values.map((value) => [enumName(value), { value, description: `\`${value}\`` }]);
    return new EnumType({ name: this.#claim(name), description, values: Object.fromEntries(named) });
  }

  #claim(name: string) {
    if (this.#names.has(name)) throw new Error(`Two types would be named ${name}: rename a field of a tool`);
    this.#names.add(name);
    return name;
  }
}

const describe = ({ description }: JsonSchema, key: string, about: string) =>
  typeof description === 'string' ? description : `The \`${key}\` of ${about.replace(/^What (.*)\.$/, 'what $1')}.`;

const withoutNonNull = <T extends GraphQLInputType | GraphQLOutputType>(type: T): T =>
  (type instanceof GraphQLNonNull ? type.ofType : type) as T;
