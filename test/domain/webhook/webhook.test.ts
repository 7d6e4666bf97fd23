import { createHmac } from 'node:crypto';
import { createServer } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { Webhook } from '../../../src/domain/webhook/webhook.ts';
import { testApp } from '../../support/app.ts';
import { makeClock } from '../../support/clock.ts';
import { makeCompany } from '../../support/company.ts';
import { freePort } from '../../support/free-port.ts';
import { type Call, Harness } from '../../support/harness.ts';
import { Receiver } from './receiver.ts';

const KEY = Buffer.alloc(32, 9);
const secret = `whsec_${KEY.toString('base64')}`;
const clock = makeClock();
const receiver = await Receiver.start();
const app = await testApp({
  config: { webhook: { url: receiver.url, secret }, publicUrl: 'https://gates.kites.example/desk/', logLevel: 'fatal' },
  additions: { now: clock.now },
});
const { kernel } = app;
const company = await makeCompany(kernel);
const harness = new Harness(app.url, company);

const QUESTION = { questions: [{ number: 1, question: 'Which colour?', context: 'PAYLOAD-MARK', ctoRecommendation: 'Red.' }] };

/** Opens a gate and answers it. */
async function gate(on = harness): Promise<NonNullable<Call['gate']>> {
  const run = await on.run({ tools: ['os.ask_ceo', 'os.set_gate_summary'] });
  await on.call(run.token, 'c-0', 'os.set_gate_summary', { summary: 'A question of colour' });
  const call = await on.call(run.token, 'c-1', 'os.ask_ceo', QUESTION);
  expect(call.error).toBe(null);
  return call.gate!;
}

const delivery = (gateId: string) => kernel.db.prisma.webhookDelivery.findFirstOrThrow({ where: { gateId } });

/** Waits until so many tries of a gate are recorded, and answers the delivery. */
async function tried(gateId: string, attempts: number) {
  await expect
    .poll(
      async () => {
        const { attempts: made, deliveredAt, lastError } = await delivery(gateId);
        return made === attempts && (deliveredAt ?? lastError) !== null;
      },
      { timeout: 10_000 },
    )
    .toBe(true);
  return delivery(gateId);
}

beforeEach(() => {
  receiver.answer = (response) => void response.writeHead(204).end();
});

test('a gate that opens is told at once: signed, and without its payload', async () => {
  const { id } = await gate();
  const row = await tried(id, 1);
  expect([row.deliveredAt, row.nextAttemptAt, row.lastError]).toEqual([clock.now(), null, null]);
  const [{ headers, body, path }] = receiver.of(id) as [ReturnType<Receiver['of']>[0]];
  expect(JSON.parse(body)).toEqual({
    type: 'gate.opened',
    timestamp: clock.now().toISOString(),
    data: {
      gateId: id,
      tool: 'os.ask_ceo',
      summary: 'A question of colour',
      owner: company.ceo,
      link: `https://gates.kites.example/desk/#gate/${id}`,
    },
  });
  expect(body).not.toContain('PAYLOAD-MARK');
  expect(path).toBe('/hook?key=of-the-receiver');
  expect(headers['content-type']).toBe('application/json');
  expect([headers['webhook-id'], headers['webhook-timestamp']]).toEqual([row.id, String(clock.now().getTime() / 1_000)]);
  const signed = createHmac('sha256', KEY).update(`${row.id}.${headers['webhook-timestamp']}.${body}`).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signed}`);
});

describe('a try that fails', () => {
  test('is repeated under the same id, six times within the hour, then never', async () => {
    receiver.answer = (response) => void response.writeHead(503).end('SAID BY THE RECEIVER');
    const { id } = await gate();
    const begun = clock.now().getTime();
    for (const [index, minutes] of [1, 4, 10, 15, 30].entries()) {
      const row = await tried(id, index + 1);
      expect([row.lastError, row.nextAttemptAt]).toEqual(['The receiver answered 503', new Date(clock.now().getTime() + minutes * 60_000)]);
      clock.advance(minutes * 60_000 - 1);
      kernel.webhook!.wake();
      await kernel.work.idle();
      expect((await delivery(id)).attempts).toBe(index + 1);
      clock.advance(1);
    }
    expect(clock.now().getTime() - begun).toBe(3_600_000);
    const last = await tried(id, 6);
    expect([last.deliveredAt, last.nextAttemptAt, last.lastError]).toEqual([null, null, 'The receiver answered 503']);
    const tries = receiver.of(id);
    expect(tries.length).toBe(6);
    expect(new Set(tries.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(tries.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(6);
  });

  test('and then one that succeeds ends it', async () => {
    receiver.answer = (response) => void response.writeHead(500).end();
    const { id } = await gate();
    await tried(id, 1);
    receiver.answer = (response) => void response.writeHead(201).end('{}');
    clock.advance(60_000);
    await expect.poll(async () => (await delivery(id)).deliveredAt).not.toBe(null);
    expect([receiver.of(id).length, (await delivery(id)).nextAttemptAt]).toEqual([2, null]);
  });

  test.each([301, 302, 307, 308])('is a redirect with %s, which is not followed', async (status) => {
    receiver.answer = (response) => void response.writeHead(status, { Location: receiver.url.replace('/hook', '/elsewhere') }).end();
    const { id } = await gate();
    expect((await tried(id, 1)).lastError).toBe(`The receiver answered ${status}`);
    expect(receiver.received.filter(({ path }) => path.startsWith('/elsewhere'))).toEqual([]);
  });

  test('is a connection that breaks', async () => {
    receiver.answer = (response) => void response.destroy();
    const { id } = await gate();
    expect((await tried(id, 1)).lastError).toBe('The receiver could not be reached: UND_ERR_SOCKET');
  });
});

test('an endless answer is not read', async () => {
  receiver.answer = (response) => {
    response.writeHead(200);
    const more = setInterval(() => response.write('x'.repeat(65_536)), 1);
    response.on('close', () => clearInterval(more));
  };
  const { id } = await gate();
  expect((await tried(id, 1)).deliveredAt).toEqual(clock.now());
});

test('of many processes that look at once, one sends', async () => {
  receiver.answer = (response) => void response.writeHead(500).end();
  const gates: string[] = [];
  for (let count = 0; count < 25; count++) gates.push((await gate()).id);
  for (const id of gates) await tried(id, 1);
  receiver.answer = (response) => void response.writeHead(204).end();
  const others = Array.from({ length: 4 }, () => new Webhook(kernel, { url: receiver.url, secret }));
  clock.advance(60_000);
  for (const other of others) other.wake();
  for (const id of gates) expect((await tried(id, 2)).deliveredAt).toEqual(clock.now());
  expect(gates.map((id) => receiver.of(id).length)).toEqual(gates.map(() => 2));
});

test('the next process sends what one that died had claimed', async () => {
  const { id } = await gate();
  await tried(id, 1);
  const dead = { attempts: 1, deliveredAt: null, nextAttemptAt: new Date(clock.now().getTime() + 60_000) };
  await kernel.db.prisma.webhookDelivery.update({ where: { gateId: id }, data: dead });
  kernel.webhook!.wake();
  await kernel.work.idle();
  expect(receiver.of(id).length).toBe(1);
  clock.advance(60_000);
  expect((await tried(id, 2)).deliveredAt).toEqual(clock.now());
  expect(receiver.of(id).length).toBe(2);
});

test('what nobody answers ends with the process, and is then sent by another', async () => {
  const held = createServer(() => {});
  const port = await freePort();
  await new Promise<void>((resolve) => held.listen(port, '127.0.0.1', resolve));
  const silent = await testApp({ config: { webhook: { url: `http://127.0.0.1:${port}/`, secret }, logLevel: 'fatal' } });
  const gateId = (await gate(new Harness(silent.url, await makeCompany(silent.kernel)))).id;
  const row = () => silent.kernel.db.prisma.webhookDelivery.findFirstOrThrow({ where: { gateId } });
  await expect.poll(async () => (await row()).attempts).toBe(1);
  const close = silent.kernel.db.close;
  let released: Awaited<ReturnType<typeof row>> | undefined;
  silent.kernel.db.close = async () => {
    released = await row();
    await close.call(silent.kernel.db);
  };
  await silent.close();
  held.close();
  expect([released!.attempts, released!.deliveredAt, released!.lastError]).toEqual([0, null, null]);
  expect(released!.nextAttemptAt!.getTime()).toBeLessThanOrEqual(Date.now());
});

test('without WEBHOOK_URL nothing is written', async () => {
  const plain = await testApp();
  await gate(new Harness(plain.url, await makeCompany(plain.kernel)));
  expect(await plain.kernel.db.prisma.webhookDelivery.count()).toBe(0);
});

test('a gate whose transaction is undone is never told', async () => {
  const before = await kernel.db.prisma.webhookDelivery.count();
  const run = await harness.run({ tools: ['os.ask_ceo'] });
  const call = await harness.call(run.token, 'c-1', 'os.ask_ceo', { ...QUESTION, unknown: 1 });
  expect([call.status, await kernel.db.prisma.webhookDelivery.count()]).toEqual(['HANDED_BACK', before]);
});
