import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { ToolError } from '../kernel/errors.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';

const DEFAULT_FIRST = 25;
const MOST = 200;

/** The arguments of every list that grows. */
export interface PageArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
}

/** A page asked for: how many rows, behind which sort key. */
export interface Page {
  size: number;
  after: string | undefined;
}

interface Row {
  id: string;
}

/** The arguments `first` and `after` of a field. */
export const pageArgs = () =>
  builder.args((t) => ({
    first: t.int({ description: `How many: 1–${MOST}, ${DEFAULT_FIRST} when left out.` }),
    after: t.string({ description: 'Go on behind this cursor.' }),
  }));

const invalid = (path: string, message: string) =>
  new ToolError('invalid_arguments', `${path}: ${message}`, { issues: [{ path, message }] });

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a row can have this id. What cannot be is answered as what is not there. */
export const isId = (text: string) => UUID.test(text);

/** How many rows `first` asks for. @throws {ToolError} invalid_arguments */
export function sizeOf(first: number | null | undefined): number {
  const size = first ?? DEFAULT_FIRST;
  if (size >= 1 && size <= MOST) return size;
  throw invalid('first', `${size} is not within 1–${MOST}`);
}

/** Reads a page whose sort key is the id. @throws {ToolError} invalid_arguments */
export function pageOf({ first, after }: PageArgs): Page {
  const size = sizeOf(first);
  if (after === null || after === undefined) return { size, after: undefined };
  const key = decodeCursor(after);
  if (isId(key)) return { size, after: key };
  throw badCursor(after);
}

export const badCursor = (after: string) => invalid('after', `${JSON.stringify(after.slice(0, 100))} is no cursor of this list`);

/** Cursors are opaque: base64url of the sort key. */
export const encodeCursor = (key: string) => Buffer.from(key).toString('base64url');
export const decodeCursor = (cursor: string) => Buffer.from(cursor.slice(0, 200), 'base64url').toString();

/** The page as the connection types show it, of up to one row more than was asked for. */
export function connectionOf<T extends Row>(rows: T[], page: Page, keyOf: (row: T) => string = ({ id }) => id) {
  const shown = rows.slice(0, page.size);
  const edges = shown.map((node) => ({ node, cursor: encodeCursor(keyOf(node)) }));
  return {
    edges,
    pageInfo: {
      hasNextPage: rows.length > page.size,
      hasPreviousPage: page.after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** Prisma's terms for one page of rows by id: `asc` oldest first, `desc` newest first. One row more tells whether more follows. */
export const pageQuery = ({ size, after }: Page, order: 'asc' | 'desc') => ({
  orderBy: { id: order },
  take: size + 1,
  ...(after && { where: { id: order === 'asc' ? { gt: after } : { lt: after } } }),
});

/** The columns and relations that an operation selects of a connection's nodes. */
export const selectionOf = (typeName: string, context: Context, info: GraphQLResolveInfo): { select: { id: true } } =>
  queryFromInfo({ context, info, typeName, select: { id: true } as never, paths: [['nodes'], ['edges', 'node']] }) as never;

/** What a page is read with: its columns, order and length, and which rows it is of. */
interface Reading {
  prisma: Context['prisma'];
  context: Context;
  query: { select: { id: true }; orderBy: { id: 'asc' | 'desc' }; take: number };
  where: { enterpriseId: string; id?: { gt?: string; lt?: string } };
}

/** The resolver of a list that grows: one statement a page, whatever has left the list meanwhile. */
export const paged =
  <Args extends PageArgs, T extends Row>(typeName: string, order: 'asc' | 'desc', find: (reading: Reading, args: Args) => Promise<T[]>) =>
  async (_parent: unknown, args: Args, context: Context, info: GraphQLResolveInfo) => {
    const page = pageOf(args);
    const { where, ...terms } = pageQuery(page, order);
    const query = { ...terms, ...selectionOf(typeName, context, info) };
    const reading = { prisma: context.prisma, context, query, where: { ...where, enterpriseId: context.caller.enterpriseId } };
    return connectionOf(await find(reading, args), page) as never;
  };

type NestedSelection = (query: object, path: object) => object;

/**
 * The selection of a connection that hangs on a row: the page of each row comes with the rows, in their statement.
 * `pothosPrismaLoaded` makes Pothos load it when the row came without.
 */
export const nestedPage = (relation: string, typeName: string, order: 'asc' | 'desc') => ({
  select: (args: PageArgs, _context: Context, nested: unknown) => {
    const page = (nested as NestedSelection)(pageQuery(pageOf(args), order), {
      getType: () => typeName,
      paths: [[{ name: 'nodes' }], [{ name: 'edges' }, { name: 'node' }]],
    });
    return { [relation]: page } as never;
  },
  extensions: { pothosPrismaLoaded: (row: Record<string, unknown>) => row[relation] !== undefined },
  resolve: (row: unknown, args: PageArgs) => connectionOf((row as Record<string, Row[]>)[relation]!, pageOf(args)) as never,
});
