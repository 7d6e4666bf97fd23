import { type GraphQLAnswer, graphql, graphqlData } from '../../support/graphql-client.ts';
import { eventually } from './wait.ts';

/** A call as invokeTool answers it. */
export interface Call {
  id: string;
  toolCallId: string;
  tool: string;
  status: 'EXECUTING' | 'WAITING' | 'SUCCEEDED' | 'HANDED_BACK' | 'TOOL_ERROR' | 'RUN_FAILED' | 'OUTCOME_UNKNOWN';
  result: any;
  error: { code: string; message: string; handling: string; details: any } | null;
  gate: Card | null;
  createdAt: string;
  finishedAt: string | null;
}

/** A gate as a person is shown it. */
export interface Card {
  id: string;
  status: 'WAITING' | 'APPROVED' | 'REJECTED' | 'CHANGES_REQUESTED' | 'EXPIRED' | 'CANCELLED';
  tool: string;
  payload: any;
  payloadHash: string;
  summary: string | null;
  timesOutAt: string | null;
}

export const CARD = 'id status tool payload payloadHash summary timesOutAt';

const INVOKE = `mutation ($input: InvokeToolInput!) { invokeTool(input: $input) {
  id toolCallId tool arguments status result error { code message handling details } gate { ${CARD} } createdAt finishedAt } }`;

/** What a run asks for. */
export interface Asking {
  toolCallId: string;
  tool: string;
  arguments: unknown;
}

/** Sends a call and answers it as it stands then. */
export const invoke = async (url: string, token: string, input: Asking): Promise<Call> =>
  (await graphqlData(url, token, INVOKE, { input })).invokeTool;

/** The same with the whole answer, errors included. */
export const tryInvoke = (url: string, token: string, input: Asking): Promise<GraphQLAnswer<{ invokeTool: Call }>> =>
  graphql(url, token, INVOKE, { input });

/** The bytes of the answer. */
export async function invokeText(url: string, token: string, input: Asking): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: INVOKE, variables: { input } }),
  });
  return response.text();
}

/** Sends the call as a harness does: again under the same id when the process died, and until it is no longer executing. */
export function insist(urls: () => string[], token: string, input: Asking): Promise<Call> {
  let turn = 0;
  return eventually(`answer to ${input.tool} ${input.toolCallId}`, async () => {
    const list = urls();
    const call = await invoke(list[turn++ % list.length]!, token, input).catch((error) => {
      if (isNetwork(error)) return undefined;
      throw error;
    });
    return call && call.status !== 'EXECUTING' ? call : undefined;
  });
}

/** Whether a process went away under the request, so that its outcome is not known. */
export const isNetwork = (error: unknown) => error instanceof TypeError || error instanceof SyntaxError;

/** A decision as it is sent. */
export interface Decision {
  gateId: string;
  decision: 'APPROVE' | 'REJECT' | 'REQUEST_CHANGES' | 'CHOICE';
  payloadHash: string;
  editedPayload?: unknown;
  answers?: { number: number; kind: 'ACCEPT' | 'ANSWER' | 'EXPLAIN'; text?: string }[];
  note?: string;
}

const DECIDE = `mutation ($input: DecideGateInput!) { decideGate(input: $input) { ${CARD} } }`;

export const decide = (url: string, token: string, input: Decision): Promise<GraphQLAnswer<{ decideGate: Card }>> =>
  graphql(url, token, DECIDE, { input });

/** A decision that must succeed. */
export const decided = async (url: string, token: string, input: Decision): Promise<Card> =>
  (await graphqlData(url, token, DECIDE, { input })).decideGate;

/** The code of the first error of an answer, if it has one. */
export const codeOf = (answer: GraphQLAnswer): string | undefined => answer.errors?.[0]?.extensions?.code;

/** Questions for os.ask_ceo, and the answers that an approval needs. */
export const QUESTIONS = { questions: [{ number: 1, question: 'Red or blue?', context: 'Two designs.', ctoRecommendation: 'Red.' }] };
export const ANSWERS = [{ number: 1, kind: 'ACCEPT' as const }];
