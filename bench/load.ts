// The load generator: a process that makes calls in a closed loop, as its parent orders, and reports how many were answered.
import { randomUUID } from 'node:crypto';
import { Poster } from './post.ts';

/** What to send where. */
export interface Order {
  url: string;
  /** `graphql`: invokeTool of the service; `bare`: the handler by hand. */
  protocol: 'graphql' | 'bare';
  /** One run each. */
  tokens: string[];
  inFlight: number;
  /** How long calls are begun … */
  milliseconds: number;
  /** … but at least so many, however long that takes. */
  atLeast: number;
}

export interface Outcome {
  answered: number;
  milliseconds: number;
}

/** What a harness asks of a call. */
export const INVOKE = `mutation Invoke($input: InvokeToolInput!) {
  invokeTool(input: $input) { id toolCallId status result error { code message handling details } }
}`;

const bodyOf = (protocol: Order['protocol'], run: number) => {
  const value = { run, days: 5, note: 'What was agreed, where it is, and who knows more about it.', links: ['https://bench.example/plan'] };
  const call = { toolCallId: randomUUID(), tool: 'os.set_context', arguments: { key: `bench/${run}`, value } };
  return JSON.stringify(protocol === 'graphql' ? { query: INVOKE, variables: { input: call } } : call);
};

async function run({ url, protocol, tokens, inFlight, milliseconds, atLeast }: Order): Promise<Outcome> {
  const poster = new Poster(url, inFlight);
  const started = performance.now();
  let [next, answered] = [0, 0];
  const client = async () => {
    while (next < atLeast || performance.now() - started < milliseconds) {
      const turn = next++ % tokens.length;
      const answer = await poster.post(tokens[turn]!, bodyOf(protocol, turn));
      if (!answer.includes('"SUCCEEDED"')) throw new Error(`A call did not succeed: ${answer}`);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  poster.close();
  return { answered, milliseconds: performance.now() - started };
}

process.on('message', (order: Order) => {
  run(order).then(
    (outcome) => process.send!(outcome),
    (error) => process.send!({ error: String(error) }),
  );
});
