import { type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import type { ServerOptions, Context as SocketContext, SubscribePayload } from 'graphql-ws';
import type { Arrival, Context, GraphqlDeps } from '../graphql/context.ts';
import { asGraphQLError } from '../graphql/errors.ts';
import { LIMITS, tooComplex } from '../graphql/limits.ts';
import type { Graphql } from '../graphql/yoga.ts';
import { ToolError } from '../kernel/errors.ts';
import type { Connection } from './connection.ts';
import { arrive, checkVariables } from './http-operations.ts';

type Options = ServerOptions<Record<string, unknown>, Connection>;
type Socket = SocketContext<Record<string, unknown>, Connection>;

interface Executed extends ExecutionArgs {
  rootValue: { execute: (args: unknown) => never; subscribe: (args: unknown) => never };
}

/** What the protocol asks of us: whose a connection is, and how its operations are read and executed: as Yoga does over HTTP. */
export function protocolOf(deps: GraphqlDeps, graphql: Graphql): Options {
  const { log } = deps.kernel;
  const refusal = (error: unknown) => [asGraphQLError(error, log)] as const;
  return {
    onConnect: (socket) => connect(deps, socket),
    onSubscribe: async (socket, id, payload) => {
      try {
        return await operation(deps, graphql, socket, id, payload);
      } catch (error) {
        socket.extra.end(id);
        const errors = refusal(error);
        if (errors[0].extensions.code === 'unauthenticated') socket.extra.die();
        return errors;
      }
    },
    execute: (args) => (args as unknown as Executed).rootValue.execute(args),
    subscribe: (args) => (args as unknown as Executed).rootValue.subscribe(args),
    onNext: (_socket, _id, _payload, { contextValue }, result) => {
      const { progress } = contextValue as Context;
      if (progress) progress.sent = progress.pulled;
      return withoutHttp(result as ExecutionResult) as never;
    },
    onError: ({ extra }, id, _payload, errors) => {
      extra.end(id);
      return (errors as GraphQLError[]).map((error) => plain(error)) as never;
    },
    onComplete: ({ extra }, id) => extra.end(id),
  };
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
  deps: GraphqlDeps,
  graphql: Graphql,
  { extra: connection }: Socket,
  id: string,
  { query, variables, operationName }: SubscribePayload,
): Promise<ExecutionArgs | readonly GraphQLError[]> {
  const onSlow = ({ progress }: Context) => connection.tooSlow(() => progress?.sent ?? '');
  const arrived = await arrive(deps, connection.authorization);
  checkVariables(variables);
  const arrival: Arrival = { ...arrived, transport: 'SOCKET', streams: true, gone: [connection.gone], onSlow };
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
