import {
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { createSchema } from '../../src/graphql/schema.ts';
import { fieldName } from '../../src/graphql/tool-fields.ts';
import { withoutNulls } from '../../src/graphql/tool-values.ts';
import type { Registry } from '../../src/kernel/registry.ts';

type Fields = Record<string, unknown>;

/** What a tool's own field is asked with, and how its answer reads in the tool's own words. */
export function typedFields(registry: Registry) {
  const schema = createSchema(registry);
  return (name: string) => {
    const tool = registry.find(name)!;
    const operation = tool.effect === 'read' ? 'query' : 'mutation';
    const root = operation === 'query' ? schema.getQueryType()! : schema.getMutationType()!;
    const field = root.getFields()[fieldName(name)]!;
    const declared = field.args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
    const passed = field.args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
    return {
      query: `${operation} (${declared}) { ${field.name}(${passed}) ${selection(field.type)} }`,
      variables(args: Fields, toolCallId: string): Fields {
        const inner = field.args.find((arg) => arg.name === 'input');
        const given = inner
          ? { input: asInput(inner.type, args) }
          : Object.fromEntries(field.args.map((arg) => [arg.name, asInput(arg.type, args[arg.name])]));
        return { ...given, toolCallId };
      },
      read: (data: Fields) => withoutNulls(tool.outputSchema, asOutput(field.type, data[field.name])),
    };
  };
}

function selection(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).map((field) => `${field.name} ${selection(field.type)}`);
  return `{ ${fields.join(' ')} }`;
}

/** The tool's own values under their names in CAPS. */
function asInput(type: GraphQLInputType, value: unknown): unknown {
  if (isNonNullType(type)) return asInput(type.ofType, value);
  if (value === null || value === undefined) return value;
  if (isListType(type) && Array.isArray(value)) return value.map((item) => asInput(type.ofType, item));
  if (isEnumType(type)) return type.getValues().find((candidate) => candidate.value === value)?.name ?? value;
  if (!isInputObjectType(type)) return value;
  const fields = type.getFields();
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fields[key] ? asInput(fields[key].type, inner) : inner]));
}

/** The names in CAPS as the tool's own values. */
function asOutput(type: GraphQLOutputType, value: unknown): unknown {
  if (isNonNullType(type)) return asOutput(type.ofType, value);
  if (value === null || value === undefined) return value;
  if (isListType(type)) return (value as unknown[]).map((item) => asOutput(type.ofType, item));
  if (isEnumType(type)) return type.getValue(value as string)?.value;
  if (!isObjectType(type)) return value;
  const fields = type.getFields();
  return Object.fromEntries(Object.entries(value as Fields).map(([key, inner]) => [key, asOutput(fields[key]!.type, inner)]));
}
