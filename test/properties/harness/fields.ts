import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** A place in the arguments of a root field that takes one value. */
export interface Place {
  field: RootField;
  /** Names, and 0 for the first item of a list. */
  path: (string | 0)[];
  /** The name of its type. */
  type: string;
}

/** A place that takes a text, an id or any JSON. */
export interface Leaf extends Place {
  type: 'String' | 'ID' | 'JSON';
}

/** A field at the root of the printed schema. */
export interface RootField {
  operation: 'query' | 'mutation' | 'subscription';
  name: string;
  /** Whether it is a built-in tool's own field, which every kind of caller may reach. */
  tool: boolean;
  args: { name: string; type: GraphQLInputType }[];
  /** The operation with every argument as a variable of its name, asking for what its answer holds. */
  document: string;
}

const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));

const ROOTS = [
  ['query', schema.getQueryType()!],
  ['mutation', schema.getMutationType()!],
  ['subscription', schema.getSubscriptionType()!],
] as const;

/** Every root field that takes an argument. */
export const ROOT_FIELDS: RootField[] = ROOTS.flatMap(([operation, type]) =>
  Object.values(type.getFields())
    .filter(({ args }) => args.length > 0)
    .map(({ name, args, type: answer }) => {
      const declared = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
      const given = args.map(({ name }) => `${name}: $${name}`).join(', ');
      const tool = args.some(({ name }) => name === 'toolCallId');
      const document = `${operation} (${declared}) { ${name}(${given})${selectionOf(answer, 4)} }`;
      return { operation, name, tool, args: [...args], document };
    }),
);

/** What an answer holds, lists behind arguments left out, so many objects deep. */
function selectionOf(type: GraphQLOutputType, levels: number): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (!isObjectType(named)) return ' { __typename }';
  const inner = Object.values(named.getFields()).flatMap((field) => {
    if (field.args.length > 0) return [];
    if (isLeafType(getNamedType(field.type))) return [field.name];
    const isPage = ['nodes', 'pageInfo'].includes(field.name);
    return levels > 1 && field.name !== 'edges' && (isPage || !isListType(bare(field.type)))
      ? [field.name + selectionOf(field.type, isPage ? 2 : 1)]
      : [];
  });
  return ` { __typename ${inner.join(' ')} }`;
}

function bare<T extends GraphQLInputType | GraphQLOutputType>(type: T) {
  return isNonNullType(type) ? type.ofType : type;
}

/** Every place of every root field. */
export const PLACES: Place[] = ROOT_FIELDS.flatMap((field) =>
  field.args.flatMap(({ name, type }) => leavesOf(type).map(([kind, path]) => ({ field, type: kind, path: [name, ...path] }))),
);

/** Every leaf of every root field. */
export const LEAVES = PLACES.filter((place): place is Leaf => ['String', 'ID', 'JSON'].includes(place.type));

/** Every list in the arguments of a root field, with a place in its first item. */
export const LISTS: Place[] = PLACES.filter(({ path }) => path.includes(0));

function leavesOf(sent: GraphQLInputType): [Place['type'], Place['path']][] {
  const type = bare(sent);
  if (isListType(type)) return leavesOf(type.ofType as GraphQLInputType).map(([kind, path]) => [kind, [0, ...path]]);
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).flatMap(({ name, type }) =>
      leavesOf(type).map(([kind, path]): [Place['type'], Place['path']] => [kind, [name, ...path]]),
    );
  }
  return [[getNamedType(type).name, []]];
}

/** What a required place holds that a trial says nothing about. */
const REST: Record<string, unknown> = {
  String: 'x',
  ID: '01890000-0000-7000-8000-000000000000',
  Int: 1,
  Boolean: true,
  JSON: {},
  DateTime: '2030-01-01T00:00:00Z',
};

function filled(sent: GraphQLInputType, path: Place['path'] | undefined, value: unknown): unknown {
  if (path?.length === 0) return value;
  const type = bare(sent);
  if (isListType(type)) return [filled(type.ofType as GraphQLInputType, path?.slice(1), value)];
  if (isInputObjectType(type)) {
    const wanted = Object.values(type.getFields()).filter(({ name, type }) => name === path?.[0] || isNonNullType(type));
    return Object.fromEntries(wanted.map(({ name, type }) => [name, filled(type, name === path?.[0] ? path.slice(1) : undefined, value)]));
  }
  return isEnumType(type) ? type.getValues()[0]!.name : REST[getNamedType(type).name];
}

/** The variables of an operation with a value at one place, and no more than what is required beside it. */
export function variablesWith({ field, path }: Place, value: unknown): Record<string, unknown> {
  const wanted = field.args.filter(({ name, type }) => name === path[0] || isNonNullType(type));
  return Object.fromEntries(wanted.map(({ name, type }) => [name, filled(type, name === path[0] ? path.slice(1) : undefined, value)]));
}

/** How a leaf is named in a finding. */
export const leafName = ({ field, path }: Place) => `${field.name}.${path.join('.')}`;
