import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import type PrismaTypes from '../db/pothos-types.ts';
import { getDatamodel } from '../db/pothos-types.ts';
import type { Context } from './context.ts';
import { jsonOfLiteral, parseDateTime, parseSafeInt } from './scalars.ts';

interface Types {
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    SafeInt: { Input: number; Output: number };
    JSON: { Input: unknown; Output: unknown };
  };
}

/** All types hang on this builder; the tool fields are added to the schema that it makes. */
export const builder = new SchemaBuilder<Types>({
  plugins: [RelayPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    cursorType: 'String',
    nodesOnConnection: { description: 'The objects themselves, in order.' },
    edgesFieldOptions: { description: 'The objects with their cursors, in order.', nullable: false },
    nodeFieldOptions: { description: 'The object.', nullable: false },
    cursorFieldOptions: { description: 'Where the object stands: give it as `after` to go on behind it.' },
    pageInfoFieldOptions: { description: 'Whether there is more.' },
    pageInfoTypeOptions: { description: 'Where a page stands in its list.' },
    hasNextPageFieldOptions: { description: 'Whether more follows.' },
    hasPreviousPageFieldOptions: { description: 'Whether the page began behind a cursor.' },
    startCursorFieldOptions: { description: 'The cursor of the first object.' },
    endCursorFieldOptions: { description: 'The cursor of the last object: give it as `after` for the next page.' },
  },
  prisma: {
    client: ({ prisma }) => prisma,
    dmmf: getDatamodel(),
    filterConnectionTotalCount: true,
  },
});

builder.scalarType('DateTime', {
  description: 'A time: ISO 8601, UTC, with milliseconds. As an input any zone will do, but one must be there; 1970–9998 in UTC.',
  serialize: (value) => (value as Date).toISOString(),
  parseValue: parseDateTime,
});

builder.scalarType('SafeInt', {
  description: 'An integer within ±(2^53−1).',
  serialize: parseSafeInt,
  parseValue: parseSafeInt,
  parseLiteral: (node) => parseSafeInt(node.kind === 'IntValue' ? Number(node.value) : null),
});

builder.scalarType('JSON', {
  description: 'Any JSON value. An absent value and null differ here, and only here.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: jsonOfLiteral,
});

builder.queryType({ description: 'What can be read.' });
builder.mutationType({ description: 'What can be done.' });
builder.subscriptionType({ description: 'What can be watched, live.' });
