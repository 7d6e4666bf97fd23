// How an agent harness works with Gatehouse: it claims a run, offers the run's tools to its model, sends the model's calls,
// waits for decisions, and ends the run. The model is whatever the caller of these functions is.
import { randomUUID } from 'node:crypto';
import { GatehouseClient, isFinal } from './gatehouse-client.ts';

/** A tool as models take it. */
export interface ModelTool {
  name: string;
  description: string;
  inputSchema: unknown;
}

export interface ToolCall {
  toolCallId: string;
  status: 'EXECUTING' | 'WAITING' | 'SUCCEEDED' | 'HANDED_BACK' | 'TOOL_ERROR' | 'RUN_FAILED' | 'OUTCOME_UNKNOWN';
  result: unknown;
  error: { code: string; message: string; handling: 'HAND_BACK' | 'TOOL_ERROR' | 'FAIL'; details: Record<string, unknown> | null } | null;
  gate: { id: string } | null;
  /** What a person changed before approving, as an RFC 6902 patch. */
  editedByHuman: unknown;
}

export interface RunState {
  id: string;
  attempt: number;
  status: string;
  outcome: string | null;
  output: unknown;
  input: Record<string, unknown>;
  task: { slug: string };
  execution: { id: string; name: string };
}

const CALL = 'toolCallId status result error { code message handling details } gate { id } editedByHuman';
const RUN = 'id attempt status outcome output input task { slug } execution { id name }';

/** A claimed run: the lease is kept while it is open. */
export class ClaimedRun {
  #calls = 0;
  readonly #heartbeat: NodeJS.Timeout;

  private constructor(
    readonly client: GatehouseClient,
    readonly run: RunState,
    readonly tools: ModelTool[],
    heartbeatSeconds: number,
  ) {
    const every = heartbeatSeconds * 1000;
    const beat = () =>
      client.send('mutation ($run: ID!) { heartbeatRun(input: { runId: $run }) { id } }', { run: run.id }, every / 2).catch((error) => {
        if (isFinal(error)) clearInterval(this.#heartbeat); // the run has ended, or another worker has it
      });
    this.#heartbeat = setInterval(beat, every).unref();
  }

  /** Claims the next run of these tasks, or answers null when none waits for a worker. */
  static async claim(worker: GatehouseClient, name: string, tasks: string[]): Promise<ClaimedRun | null> {
    const { claimRun: claimed } = await worker.send<{
      claimRun: { run: RunState; token: string; tools: ModelTool[]; heartbeatSeconds: number } | null;
    }>(
      `mutation ($worker: String!, $tasks: [String!], $claimId: String!) { claimRun(input: { worker: $worker, tasks: $tasks, claimId: $claimId }) {
        run { ${RUN} } token heartbeatSeconds tools { name description inputSchema } } }`,
      { worker: name, tasks, claimId: randomUUID() },
    );
    if (!claimed) return null;
    return new ClaimedRun(new GatehouseClient(worker.url, claimed.token), claimed.run, claimed.tools, claimed.heartbeatSeconds);
  }

  /**
   * Sends one call of the model. The same id again is the same call: that is how a lost answer is asked for. Ids are the
   * run's over all its attempts, so they begin with this one's number.
   */
  async call(tool: string, args: Record<string, unknown>, toolCallId = `${this.run.attempt}-${++this.#calls}`): Promise<ToolCall> {
    const { invokeTool } = await this.client.send<{ invokeTool: ToolCall }>(
      `mutation ($input: InvokeToolInput!) { invokeTool(input: $input) { ${CALL} } }`,
      { input: { toolCallId, tool, arguments: args } },
    );
    return invokeTool;
  }

  /** Waits until the gate of a waiting call has ended and its result is recorded, and answers both as they are then. */
  async decided(toolCallId: string, after: string): Promise<{ call: ToolCall; run: RunState }> {
    const selection = `kind run { ${RUN} } toolCall { ${CALL} }`;
    type Event = { cursor: string; kind: string; run: RunState; toolCall: ToolCall | null };
    for await (const { kind, run, toolCall } of this.client.events<Event>('runEvents', selection, this.run.id, after)) {
      if (kind === 'DECIDED' && toolCall?.toolCallId === toolCallId && toolCall.status !== 'EXECUTING') return { call: toolCall, run };
    }
    throw new Error('Events never end by themselves');
  }

  async finish(outcome: string, output: Record<string, unknown> = {}): Promise<RunState> {
    const { finishRun } = await this.client.send<{ finishRun: RunState }>(
      `mutation ($input: FinishRunInput!) { finishRun(input: $input) { ${RUN} } }`,
      { input: { runId: this.run.id, outcome, output } },
    );
    return finishRun;
  }

  /** Stops the heartbeat. A run that is not finished is handed to another worker when its lease has run out. */
  close(): void {
    clearInterval(this.#heartbeat);
  }
}
