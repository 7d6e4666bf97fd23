import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { meaningOf, ToolError } from '../kernel/errors.ts';

const UNAUTHENTICATED = { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } };

/** Where in the operation an error is; undefined parts are left out. */
type Place = Pick<Partial<GraphQLError>, 'nodes' | 'source' | 'positions' | 'path'>;

/** An error of ours as GraphQL tells it: code, handling where the code has one, details where it has some. */
export function told({ code, message, details }: ToolError, place: Place = {}): GraphQLError {
  const { handling } = meaningOf(code);
  const http = code === 'unauthenticated' && UNAUTHENTICATED;
  return new GraphQLError(message, { ...place, extensions: { code, ...(handling && { handling }), ...(details && { details }), ...(http && { http }) } });
}

/** What cannot be read at all, before GraphQL sees it. */
export const unreadable = (message: string, status = 400) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status } } });

/** An error that nobody foresaw: its cause goes to the log under an id, and the id to the caller. */
export function internal(error: unknown, log: Logger): ToolError {
  const id = v7();
  log.error({ id, error }, 'An unexpected error');
  return new ToolError('INTERNAL', `The service failed. Its log tells why under ${id}.`, { id });
}

function rootOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? rootOf(error.originalError) : error;
}

// An output that a type cannot show is our fault; the same words about a variable, which has no path, are the caller's.
const ofOutput = (error: GraphQLError) => error.path !== undefined && / cannot represent /.test(error.message);

/** The one mapping from whatever was thrown to what a client is told. Answers its own answers unchanged. */
export function asGraphQLError(error: unknown, log: Logger): GraphQLError {
  const root = rootOf(error);
  const place: Place = error instanceof GraphQLError ? error : {};
  if (root instanceof ToolError) return told(root, placeOf(place));
  if (!(root instanceof GraphQLError) || !(error instanceof GraphQLError)) return told(internal(root, log), placeOf(place));
  if (error.extensions.code) return error;
  if (ofOutput(error)) return told(internal(error, log), placeOf(place));
  const code = error.message.startsWith('Syntax Error') ? 'GRAPHQL_PARSE_FAILED' : 'BAD_USER_INPUT';
  const http = error.path ? {} : { http: { spec: true, status: 400 } };
  return new GraphQLError(error.message, { ...placeOf(place), extensions: { ...error.extensions, code, ...http } });
}

const placeOf = ({ nodes, source, positions, path }: Place): Place => ({ ...(nodes && { nodes }), ...(path && { path }), ...(!nodes && source && positions && { source, positions }) });
