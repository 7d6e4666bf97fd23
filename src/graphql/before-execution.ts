import type { ExecutionArgs, OperationDefinitionNode } from 'graphql';
import { GraphQLError, getOperationAST, getVariableValues, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { currentCursor } from '../events/cursor.ts';
import { LONG_FIELDS } from './answer-bytes.ts';
import type { Context } from './context.ts';
import { costOf } from './cost.ts';
import { told, unreadable } from './errors.ts';
import { LIMITS, tooComplex } from './limits.ts';
import { copiesIn, rootFieldsOf } from './measure.ts';

const overGet = () => unreadable('Tools are called by POST.', 405, { Allow: 'POST' });

const notStreamed = () => unreadable('A subscription over HTTP is answered as text/event-stream: accept that, or use a WebSocket.', 406);

/** Why a valid operation is refused before any resolver runs, or undefined. */
function refusal(
  { schema, document, operationName, variableValues, contextValue }: ExecutionArgs,
  names: string[],
): GraphQLError | undefined {
  const { limited, transport, streams } = contextValue as Context;
  const operation = getOperationAST(document, operationName)!;
  // A call of a tool is answered as data even then.
  if (limited && !names.every((name) => name === 'invokeTool')) return told(limited);
  if (operation.operation === OperationTypeNode.SUBSCRIPTION && !streams) return notStreamed();
  const fields = schema.getRootType(operation.operation)!.getFields();
  if (transport === 'GET' && names.some((name) => fields[name]?.extensions.tool)) return overGet();
  const cost = costOf(schema, document, operation, variableValues ?? {});
  return cost > LIMITS.cost ? tooComplex('cost', cost) : undefined;
}

/** As much as is told of what is wrong with a variable: it may repeat the variable. */
const LONGEST = 1_000;

/** The first thing wrong with the variables: graphql-js would tell fifty, each with the whole variable in it. */
function unfitVariables({ schema, variableValues }: ExecutionArgs, { variableDefinitions = [] }: OperationDefinitionNode) {
  const { errors } = getVariableValues(schema, variableDefinitions, variableValues ?? {}, { maxErrors: 1 });
  if (!errors) return undefined;
  const { message, nodes, extensions } = errors[0]!;
  const said = message.length > LONGEST ? `${[...message.slice(0, LONGEST)].slice(0, -1).join('')}…` : message;
  const code = extensions.code ?? 'BAD_USER_INPUT';
  return new GraphQLError(said, { ...(nodes && { nodes }), extensions: { code, http: { spec: true, status: 400 } } });
}

type Hook = (payload: {
  args: ExecutionArgs;
  setResultAndStopExecution: (result: { errors: GraphQLError[] }) => void;
}) => void | Promise<void>;

const before: Hook = ({ args, setResultAndStopExecution }) => {
  const operation = getOperationAST(args.document, args.operationName);
  if (!operation) return; // the executor says so
  const names = rootFieldsOf(args.document, operation).map(({ name }) => name.value);
  const error = refusal(args, names) ?? unfitVariables(args, operation);
  if (error) return setResultAndStopExecution({ errors: [error] });
  (args.contextValue as Context).bytes.copies = copiesIn(args.document, operation, LONG_FIELDS);
  if (operation.operation === OperationTypeNode.QUERY && names.includes('eventCursor')) return readCursor(args.contextValue as Context);
};

/** Before every other read of the response: what they read is then never older than the cursor. */
async function readCursor(context: Context) {
  context.eventCursor = await currentCursor(context.kernel.db, context.caller.enterpriseId);
}

/** What is looked at with the variables at hand, just before an operation runs. */
export const useBeforeExecution = (): Plugin => ({ onExecute: before as never, onSubscribe: before as never });
