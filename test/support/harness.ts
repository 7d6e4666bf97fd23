import type { SaveTaskInput } from '../../src/domain/task/save-task.ts';
import type { Company } from './company.ts';
import { graphql, graphqlData } from './graphql-client.ts';
import { subscribe } from './subscriber.ts';

/** A tool call as `invokeTool` answers it. */
export interface Call {
  id: string;
  toolCallId: string;
  tool: string;
  arguments: any;
  status: string;
  result: any;
  error: { code: string; message: string; handling: string; details: any } | null;
  gate: { id: string; status: string; payloadHash: string } | null;
  editedByHuman: any;
}

/** An error as GraphQL answers it. */
export interface Refusal {
  code: string;
  message: string;
  handling?: string;
  details?: any;
}

/** A run that was claimed. */
export interface Claimed {
  runId: string;
  token: string;
  attempt: number;
  input: any;
  tools: { name: string; description: string; inputSchema: any }[];
  leaseExpiresAt: string;
  heartbeatSeconds: number;
}

const CALL =
  'id toolCallId tool arguments status result error { code message handling details } gate { id status payloadHash } editedByHuman';
export const RUN = 'id status stalled attempt input output outcome failureCode reason blockClass gateSummary worker leaseExpiresAt';

let made = 0;

/** What a harness and a portal do with a service, for one company. Names and shapes are those of the GraphQL API. */
export class Harness {
  constructor(
    readonly url: string,
    readonly company: Company,
  ) {}

  /** Saves a task under a slug of its own unless told otherwise, and answers the slug. */
  async task(told: Partial<SaveTaskInput> = {}): Promise<string> {
    const input = { slug: `task-${++made}`, name: 'Make kites', goal: 'Kites.', tools: [], ...told };
    const { saveTask } = await this.data(
      this.company.ceoSession,
      'mutation ($input: SaveTaskInput!) { saveTask(input: $input) { errors { code field message } } }',
      { input },
    );
    if (saveTask.errors.length > 0) throw new Error(JSON.stringify(saveTask.errors));
    return input.slug;
  }

  async start(task: string, input: unknown = {}): Promise<any> {
    const query = `mutation ($input: StartRunInput!) { startRun(input: $input) { ${RUN} member { id } execution { id name } } }`;
    return (await this.data(this.company.apiToken, query, { input: { task, input } })).startRun;
  }

  /** Claims a run of this task, or of any; null when there is none. */
  async claim(task?: string): Promise<Claimed | null> {
    const query = `mutation ($input: ClaimRunInput!) { claimRun(input: $input) {
      run { id attempt input } token tools { name description inputSchema } leaseExpiresAt heartbeatSeconds } }`;
    const { claimRun } = await this.data(this.company.workerToken, query, { input: { worker: 'w-1', tasks: task ? [task] : null } });
    if (!claimRun) return null;
    const { run, ...rest } = claimRun;
    return { runId: run.id, attempt: run.attempt, input: run.input, ...rest };
  }

  /** A running run of a task of its own. */
  async run(told: Partial<SaveTaskInput> = {}, input: unknown = {}): Promise<Claimed> {
    const task = await this.task(told);
    await this.start(task, input);
    return (await this.claim(task))!;
  }

  async call(token: string, toolCallId: string, tool: string, args?: unknown): Promise<Call> {
    const query = `mutation ($input: InvokeToolInput!) { invokeTool(input: $input) { ${CALL} } }`;
    const input = { toolCallId, tool, ...(args !== undefined && { arguments: args }) };
    return (await this.data(token, query, { input })).invokeTool;
  }

  /** Decides the gate of a call, as the CEO unless told otherwise; answers the gate, or the refusal. */
  async decide(gate: { id: string; payloadHash: string }, told: Record<string, unknown>, token = this.company.ceoSession): Promise<any> {
    const query = `mutation ($input: DecideGateInput!) { decideGate(input: $input) { ${GATE} } }`;
    const { data, errors } = await graphql(this.url, token, query, { input: { gateId: gate.id, payloadHash: gate.payloadHash, ...told } });
    return errors ? refusal(errors) : data.decideGate;
  }

  async gate(id: string): Promise<any> {
    return (await this.data(this.company.ceoSession, `query ($id: ID!) { gate(id: $id) { ${GATE} } }`, { id })).gate;
  }

  async runOf(id: string, token = this.company.ceoSession): Promise<any> {
    return (await this.data(token, `query ($id: ID!) { run(id: $id) { ${RUN} } }`, { id })).run;
  }

  /** Every call of a run, oldest first. */
  async calls(runId: string): Promise<Call[]> {
    const query = `query ($id: ID!) { run(id: $id) { toolCalls(first: 200) { nodes { ${CALL} } } } }`;
    return (await this.data(this.company.ceoSession, query, { id: runId })).run.toolCalls.nodes;
  }

  /** A mutation on a run by its name and input: answers the run, or the refusal. */
  async drive(name: string, token: string, input: Record<string, unknown>): Promise<any> {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
    const { data, errors } = await graphql(this.url, token, `mutation ($input: ${type}!) { ${name}(input: $input) { ${RUN} } }`, { input });
    return errors ? refusal(errors) : data[name];
  }

  /** Every event of `runEvents` or `gateEvents` from now on, however soon it comes. */
  async listen(token: string, field: 'runEvents' | 'gateEvents', selection: string) {
    const { eventCursor } = await this.data(token, '{ eventCursor }');
    const query = `subscription ($after: String) { ${field}(after: $after) { ${selection} } }`;
    const stream = await subscribe(this.url, token, query, { after: eventCursor });
    return { next: async (): Promise<any> => (await stream.next()).data[field], close: () => stream.close() };
  }

  data(token: string, query: string, variables: Record<string, unknown> = {}): Promise<any> {
    return graphqlData(this.url, token, query, variables);
  }

  /** The error of an operation that must be refused. */
  async refused(token: string, query: string, variables: Record<string, unknown> = {}): Promise<Refusal> {
    const { data, errors } = await graphql(this.url, token, query, variables);
    if (!errors) throw new Error(`It was not refused: ${JSON.stringify(data)}`);
    return refusal(errors);
  }
}

const GATE = `id kind status tool payload payloadHash summary owner { name } choices { value label note } canRequestChanges mayDecide
  run { id status } toolCall { id status } createdAt timesOutAt decision choice decidedBy { name } decidedVia decidedAt note
  answers { number kind text } versions { number payload payloadHash editedBy { name } }`;

function refusal(errors: { message: string; extensions?: Record<string, any> }[]): Refusal {
  const { message, extensions } = errors[0]!;
  const { code, handling, details } = extensions ?? {};
  return { code: code ?? 'none', message, ...(handling && { handling }), ...(details && { details }) };
}
