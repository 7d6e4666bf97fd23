import { once } from 'node:events';
import WebSocket from 'ws';
import { Company } from './harness/company.ts';
import { nameExecution } from './harness/mutations.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { greetedSocket, type RawSocket, rawSocket, type SocketOptions } from './harness/sockets.ts';
import { sharedStage } from './harness/stage.ts';
import { inTime, range } from './harness/wait.ts';

export const name = 'P23';
export const claim = 'a socket that breaks the protocol or has no credential is closed with its code and told nothing';
export const sizes = { small: 1, full: 25 };

const SUBSCRIBE = { type: 'subscribe', payload: { query: 'subscription { runEvents(after: "0") { cursor } }' } };
const INIT = (authorization?: string) => ({ type: 'connection_init', ...(authorization !== undefined && { payload: { authorization } }) });

interface Case {
  kind: string;
  code: number;
  options?: SocketOptions;
  say: (raw: RawSocket, token: string) => void | Promise<void>;
}

const init = (raw: RawSocket, token: string) => raw.send(INIT(`Bearer ${token}`));
const acknowledged = async (raw: RawSocket, token: string) => {
  init(raw, token);
  await raw.message(({ type }) => type === 'connection_ack');
};

const CASES: Case[] = [
  { kind: 'no credential', code: 4403, say: (raw) => raw.send(INIT()) },
  { kind: 'an empty credential', code: 4403, say: (raw) => raw.send(INIT('')) },
  { kind: 'an unknown credential', code: 4403, say: (raw) => raw.send(INIT(`Bearer ghs_${'x'.repeat(43)}`)) },
  { kind: 'nothing said', code: 4408, say: () => {} },
  { kind: 'a subscription before the credential', code: 4401, say: (raw) => raw.send({ ...SUBSCRIBE, id: '1' }) },
  { kind: 'no JSON', code: 4400, say: (raw) => raw.send('not json') },
  { kind: 'an unknown message', code: 4400, say: (raw) => raw.send({ type: 'hello' }) },
  { kind: 'another protocol', code: 4406, options: { protocol: 'graphql-ws' }, say: () => {} },
  {
    kind: 'two greetings',
    code: 4429,
    async say(raw, token) {
      await acknowledged(raw, token);
      init(raw, token);
    },
  },
  {
    kind: 'one id twice',
    code: 4409,
    async say(raw, token) {
      await acknowledged(raw, token);
      raw.send({ ...SUBSCRIBE, id: '1' });
      raw.send({ ...SUBSCRIBE, id: '1' });
    },
  },
  { kind: 'a frame above 1 MiB', code: 1009, say: (raw) => raw.send('x'.repeat(1_048_577)) },
];

/** Each way to break in, `size` times, on a service that has events to tell. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const company = await Company.found(stage);
  const findings = new Findings();
  await nameExecution(stage.urls[0]!, await company.run(), 'something to tell');
  for (let round = 0; round < asked.size; round++) {
    const url = stage.urls[round % 2]!;
    await Promise.all(CASES.map((one) => trial(url, company.ceo.secret, one, findings)));
    await foreignPage(url, company.ceo.secret, findings);
    await hundredStreams(url, company.ceo.secret, findings);
  }
  const found = `${CASES.length} ways × ${asked.size}: its code each, 0 data before the acknowledgement; 100 subscriptions a socket, the next refused`;
  return findings.result(name, asked, 'only 4401/4403/4408/4400/4406/4429/4409 (1009: too large), 0 bytes of data before ack', found);
}

async function trial(url: string, token: string, { kind, code, options, say }: Case, findings: Findings) {
  const raw = await opened(url, options);
  await say(raw, token);
  const closed = await inTime(`close for ${kind}`, raw.closed);
  findings.same(closed.code, code, `${kind}: the code`);
  const greeted = raw.messages.findIndex(({ type }) => type === 'connection_ack');
  const early = raw.messages.slice(0, greeted < 0 ? undefined : greeted);
  findings.same(early, [], `${kind}: told before the acknowledgement`);
}

/** A protocol that the server does not choose fails the client's handshake: there it is offered with one that it ignores. */
async function opened(url: string, options?: SocketOptions): Promise<RawSocket> {
  if (!options?.protocol) return rawSocket(url, options);
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`);
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await once(socket, 'open');
  return { socket, messages: [], closed, send: () => {}, message: () => Promise.reject(new Error('Nothing is told here')) };
}

/** A page elsewhere that sends the session along: the handshake itself is refused. */
async function foreignPage(url: string, session: string, findings: Findings) {
  for (const origin of ['http://evil.example', undefined]) {
    const headers = { cookie: `gatehouse_session=${session}`, ...(origin && { origin }) };
    const refused = await rawSocket(url, { headers }).then(
      () => 'opened',
      (error) => (error as Error).message,
    );
    findings.same(refused, 'Unexpected server response: 403', 'a handshake with a cookie from a foreign page');
  }
}

async function hundredStreams(url: string, token: string, findings: Findings) {
  const raw = await greetedSocket(url, token);
  for (const index of range(101))
    raw.send({ id: `s${index}`, type: 'subscribe', payload: { query: 'subscription { gateEvents { cursor } }' } });
  const refused = await inTime(
    'refusal of one subscription too many',
    raw.message(({ type }) => type === 'error'),
  );
  const [{ extensions }] = refused.payload;
  findings.same(
    [extensions.code, extensions.details],
    ['query_too_complex', { limit: 'subscriptions', found: 101, allowed: 100 }],
    'the 101st subscription',
  );
  raw.socket.terminate();
}
