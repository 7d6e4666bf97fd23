import { type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST, OperationTypeNode, parse } from 'graphql';
import type { ServerOptions, Context as SocketContext, SubscribePayload } from 'graphql-ws';
import type { Arrival, Context, GraphqlDeps } from '../graphql/context.ts';
import { asGraphQLError, isServiceFailure } from '../graphql/errors.ts';
import { LIMITS, tooComplex } from '../graphql/limits.ts';
import { isSubscription } from '../graphql/rate-limit.ts';
import type { Graphql } from '../graphql/yoga.ts';
import { ToolError } from '../kernel/errors.ts';
import type { Connection } from './connection.ts';
import { checkVariables } from './http-operations.ts';

type Options = ServerOptions<Record<string, unknown>, Connection>;
type Socket = SocketContext<Record<string, unknown>, Connection>;

interface Executed extends ExecutionArgs {
  rootValue: { execute: (args: unknown) => never; subscribe: (args: unknown) => never };
}

/** What the protocol asks of us: whose a connection is, and how its operations are read and executed: as Yoga does over HTTP. */
export function protocolOf(deps: GraphqlDeps, graphql: Graphql): Options {
  const { log } = deps.kernel;
  return {
    onConnect: (socket) => connect(deps, socket),
    onSubscribe: async ({ extra: connection }, id, payload) => {
      try {
        return await operation(deps, graphql, connection, id, payload);
      } catch (error) {
        connection.end(id);
        const refusal = asGraphQLError(error, log);
        if (refusal.extensions.code === 'unauthenticated') connection.die();
        if (asksForStream(payload)) closeOnFailure(connection, [refusal]);
        return [refusal];
      }
    },
    execute: (args) => (args as unknown as Executed).rootValue.execute(args),
    subscribe: (args) => (args as unknown as Executed).rootValue.subscribe(args),
    onOperation: ({ extra: connection }, _id, _payload, { document, operationName }, result) => {
      const { errors } = result as ExecutionResult;
      if (!errors || !isSubscription(document, operationName ?? undefined)) return undefined;
      closeOnFailure(connection, errors);
      return refused(errors) as never;
    },
    onNext: (_socket, _id, _payload, _args, result) => withoutHttp(result as ExecutionResult) as never,
    onError: ({ extra }, id, _payload, errors) => {
      extra.end(id);
      return toldOf(errors as GraphQLError[]).map(plain) as never;
    },
    onComplete: ({ extra }, id) => extra.end(id),
  };
}

/** The refusal of a subscription: what the protocol sends as `error`, not as a `next` that looks like an event. */
class Refused extends Error {
  constructor(readonly errors: readonly GraphQLError[]) {
    super('A subscription was refused');
  }
}

// biome-ignore lint/correctness/useYield: a stream that fails at once
async function* refused(errors: readonly GraphQLError[]): AsyncGenerator<ExecutionResult> {
  throw new Refused(errors);
}

const toldOf = (errors: readonly GraphQLError[]) =>
  errors.flatMap((error) => (error.originalError instanceof Refused ? error.originalError.errors : error));

function asksForStream({ query, operationName }: SubscribePayload): boolean {
  try {
    return isSubscription(parse(query), operationName || undefined);
  } catch {
    return false;
  }
}

/** A stream that the service cannot begin: clients take an `error` for the end of it, but try again when the socket closes. */
function closeOnFailure(connection: Connection, errors: readonly GraphQLError[]) {
  if (errors.some(isServiceFailure)) connection.unavailable();
}

/** False, without or with a bad credential: the socket closes with 4403 before anything was told. */
async function connect({ authenticate, live }: GraphqlDeps, { extra: connection, connectionParams }: Socket): Promise<boolean> {
  const { authorization } = connectionParams ?? {};
  try {
    const sent = authorization ?? connection.session;
    connection.authorization = typeof sent === 'string' ? sent : undefined;
    connection.caller = await authenticate(connection.authorization);
  } catch (error) {
    if (error instanceof ToolError && error.code === 'unauthenticated') return false;
    throw error;
  }
  if (!connection.gone.aborted) connection.unwatch = live.watch(connection.caller.tokenId, () => connection.die());
  return true;
}

async function operation(
  { authenticate }: GraphqlDeps,
  graphql: Graphql,
  connection: Connection,
  id: string,
  payload: SubscribePayload,
): Promise<ExecutionArgs | readonly GraphQLError[]> {
  const { query, variables } = payload;
  const operationName = payload.operationName || undefined;
  const caller = await authenticate(connection.authorization);
  checkVariables(variables);
  const arrival: Arrival = {
    ...{ caller, transport: 'SOCKET', streams: true, gone: [connection.gone], operationName },
    ...{ buffered: () => connection.buffered, onCut: (context, error) => cut(connection, context, error), closesOnCut: true },
  };
  const { parse, validate, contextFactory, execute, subscribe, schema } = graphql.getEnveloped(arrival as never);
  const document = parse(query);
  const errors = validate(schema, document) as readonly GraphQLError[];
  if (errors.length > 0) return errors;
  const selected = getOperationAST(document, operationName);
  if (!selected) throw new GraphQLError('The document names no such operation.', { extensions: { code: 'BAD_USER_INPUT' } });
  const isStream = selected.operation === OperationTypeNode.SUBSCRIPTION;
  if (isStream && connection.subscriptions >= LIMITS.subscriptions) throw tooComplex('subscriptions', connection.subscriptions + 1);
  connection.begin(id, isStream);
  const contextValue = await contextFactory();
  const rootValue = { execute, subscribe };
  return { schema, document, contextValue, rootValue, operationName: operationName ?? null, variableValues: variables ?? null };
}

function cut(connection: Connection, { telling }: Context, { code }: ToolError) {
  const cursor = () => telling?.cursor ?? '';
  if (code === 'slow_consumer') connection.tooSlow(cursor);
  else connection.unavailable(cursor());
}

/** An error as it goes out: what it says to HTTP stays here. */
function plain(error: GraphQLError) {
  const { http: _http, unexpected: _unexpected, ...extensions } = error.extensions;
  const { message, locations, path } = error.toJSON();
  return { message, ...(locations && { locations }), ...(path && { path }), extensions };
}

function withoutHttp(result: ExecutionResult) {
  if (!result.errors) return undefined;
  return { ...result, errors: result.errors.map(plain) };
}
