import {
  defaultFieldResolver,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import type { Issue } from '../kernel/json-guard.ts';
import { invalidArguments } from '../kernel/parse-input.ts';

/** How many values a list in the arguments may hold, unless its field says another number as `extensions.most`. */
const MOST_VALUES = 200;

type Place = GraphQLArgument | GraphQLInputField;

const mostOf = ({ extensions }: Place) => (extensions.most as number | undefined) ?? MOST_VALUES;

/** Tells in the schema how many values each list argument takes, and refuses more before any resolver sees them. */
export function limitLists(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) tellLimit(field);
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      for (const argument of field.args) tellLimit(argument);
      if (!field.args.some(({ type }) => holdsList(type))) continue;
      if (field.subscribe) field.subscribe = limited(field.args, field.subscribe);
      else field.resolve = limited(field.args, field.resolve ?? defaultFieldResolver);
    }
  }
  return schema;
}

function tellLimit(place: Place) {
  if (isListType(getNullableType(place.type))) place.description = `${place.description} At most ${mostOf(place)} values.`;
}

function holdsList(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  if (isListType(getNullableType(type))) return true;
  return isInputObjectType(named) && Object.values(named.getFields()).some((field) => holdsList(field.type));
}

type Sent = Record<string, unknown>;

const limited =
  <Rest extends unknown[], Answer>(places: readonly Place[], resolve: (parent: any, args: any, ...rest: Rest) => Answer) =>
  (parent: unknown, args: Sent, ...rest: Rest): Answer => {
    const issues = places.flatMap((place) => tooMany(place, args[place.name], place.name));
    // An input object is what its mutation takes: paths begin in it.
    if (issues.length > 0) throw invalidArguments(issues.map(({ path, message }) => ({ path: path.replace(/^input\./, ''), message })));
    return resolve(parent, args, ...rest);
  };

/** The lists at and within a place that hold too many values. */
function tooMany(place: Place, value: unknown, path: string): Issue[] {
  if (!holdsList(place.type)) return [];
  if (!Array.isArray(value)) return within(place.type, value, path);
  const most = mostOf(place);
  if (value.length > most) return [{ path, message: `holds ${value.length} values; at most ${most} are allowed` }];
  return value.flatMap((item, index) => within(place.type, item, `${path}[${index}]`));
}

function within(type: GraphQLInputType, value: unknown, path: string): Issue[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named) || typeof value !== 'object' || value === null) return [];
  return Object.values(named.getFields()).flatMap((field) => tooMany(field, (value as Sent)[field.name], `${path}.${field.name}`));
}
