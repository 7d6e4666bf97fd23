import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { DatabaseTrouble } from '../db/trouble.ts';
import { isFailure, isFailureCode } from '../events/patience.ts';
import { meaningOf, ToolError, unserved } from '../kernel/errors.ts';

/** Requests that are refused as a whole; everything else is an answer. */
const STATUS: Record<string, object> = {
  unauthenticated: { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } },
  csrf_refused: { status: 403 },
};

/** Where in the operation an error is; undefined parts are left out. */
type Place = Pick<Partial<GraphQLError>, 'nodes' | 'source' | 'positions' | 'path'>;

/** An error of ours as GraphQL tells it: code, handling where the code has one, details where it has some. */
export function told({ code, message, details }: ToolError, place: Place = {}): GraphQLError {
  const { handling } = meaningOf(code);
  const http = Object.hasOwn(STATUS, code) && STATUS[code];
  return new GraphQLError(message, {
    ...place,
    extensions: { code, ...(handling && { handling }), ...(details && { details }), ...(http && { http }) },
  });
}

/** What cannot be read at all, before GraphQL sees it. */
export const unreadable = (message: string, status = 400, headers: Record<string, string> = {}) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status, headers } } });

/** Yoga's own refusals of a request: told with their status to every client, and without the parser's error object. */
function asUnreadable({ message, extensions }: GraphQLError) {
  const { status, headers } = (extensions.http ?? {}) as { status?: number; headers?: Record<string, string> };
  return unreadable(message, status, headers);
}

/** The database's trouble, or an error that nobody foresaw: its cause goes to the log under an id, and the id to the caller. */
export function internal(error: unknown, log: Logger): ToolError {
  if (error instanceof DatabaseTrouble) {
    log.warn({ err: error }, 'A request was not served');
    return unserved(error);
  }
  const id = v7();
  log.error({ err: error, id }, 'An unexpected error');
  return new ToolError('INTERNAL', `The service failed. Its log tells why under ${id}.`, { id });
}

function rootOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? rootOf(error.originalError) : error;
}

// An output that a type cannot show is our fault; the same words about a variable, which has no path, are the caller's.
const ofOutput = (error: GraphQLError) => error.path !== undefined && / cannot represent /.test(error.message);

/** Whether an error, masked or not, is a failure of the service and not an answer to the caller. */
export function isServiceFailure(error: GraphQLError): boolean {
  const root = rootOf(error);
  if (!(root instanceof GraphQLError)) return isFailure(root);
  return root.extensions.code ? isFailureCode(root.extensions.code) : ofOutput(error);
}

/** The one mapping from whatever was thrown to what a client is told. Answers its own answers unchanged. */
export function asGraphQLError(error: unknown, log: Logger): GraphQLError {
  const root = rootOf(error);
  const place: Place = error instanceof GraphQLError ? error : {};
  if (root instanceof ToolError) return told(root, placeOf(place));
  if (!(root instanceof GraphQLError) || !(error instanceof GraphQLError)) return told(internal(root, log), placeOf(place));
  if (error.extensions.code === 'BAD_REQUEST') return asUnreadable(error);
  if (error.extensions.code) return error;
  if (ofOutput(error)) return told(internal(error, log), placeOf(place));
  const code = error.message.startsWith('Syntax Error') ? 'GRAPHQL_PARSE_FAILED' : 'BAD_USER_INPUT';
  const http = error.path ? {} : { http: { spec: true, status: 400 } };
  return new GraphQLError(error.message, { ...placeOf(place), extensions: { ...error.extensions, code, ...http } });
}

const placeOf = ({ nodes, source, positions, path }: Place): Place => ({
  ...(nodes && { nodes }),
  ...(path && { path }),
  ...(!nodes && source && positions && { source, positions }),
});
