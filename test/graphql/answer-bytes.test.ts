import { v7 } from 'uuid';
import { expect, it } from 'vitest';
import { LIMITS } from '../../src/graphql/limits.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { graphql } from '../support/graphql-client.ts';
import { Harness } from '../support/harness.ts';
import { over, RawSocket, TRANSPORTS } from './transports.ts';

const app = await testApp();
const company = await makeCompany(app.kernel);
const harness = new Harness(app.url, company);
const { prisma } = app.kernel.db;
const { enterpriseId, ceoSession: token } = company;

const KB = 1_024;
const ROWS = 70;
const document = { text: 'x'.repeat(250 * KB) };
/** As the database writes it. */
const DOCUMENT = Buffer.byteLength('{"text": ""}') + 250 * KB;

/** A run whose rows hold 17 MiB in each of their columns. */
const {
  id: runId,
  taskId,
  executionId,
} = await prisma.run.findFirstOrThrow({ where: { id: (await harness.run({ tools: ['os.set_context'] })).runId } });
const ids = Array.from({ length: ROWS }, () => v7());
const of = { enterpriseId, runId, createdAt: new Date() };
await prisma.toolCall.createMany({
  data: ids.map((id) => ({ ...of, id, toolCallId: id, boundId: id, tool: 'a.b', arguments: document, contentHash: '', status: 'WAITING' })),
});
await prisma.gate.createMany({
  data: ids.map((id) => ({
    ...{ ...of, id, callId: id, kind: 'HOLDING', tool: 'a.b', payload: document, payloadHash: '', canRequestChanges: true },
    summary: '😀'.repeat(10),
  })),
});
await prisma.gateVersion.createMany({
  data: ids.map((id) => ({ gateId: id, enterpriseId, number: 1, payload: document, payloadHash: '', createdAt: of.createdAt })),
});
await prisma.auditEntry.createMany({
  data: ids.map((id) => ({ id, enterpriseId, via: 'session', action: 'gate.decided', subjectId: id, details: document })),
});
const { bytes: _, ...version } = await prisma.taskVersion.findFirstOrThrow({ where: { taskId } });
await prisma.taskVersion.createMany({
  data: ids.map((_, index) => ({
    ...{ ...version, version: 2 + index, guardrails: ['x'.repeat(250 * KB)] },
    ...{ gates: [], successors: [], inputFields: [], memoryGrants: [] },
  })),
});
await prisma.run.createMany({
  data: ids.map((id) => ({ id, enterpriseId, taskId, taskVersion: 1, executionId, status: 'FAILED', input: document })),
});

const found = ROWS * DOCUMENT;
/** Of two pages of 35, each read with the row that tells whether more follows. */
const twoPages = 2 * 36 * DOCUMENT;
const refused = (bytes: number) => [{ code: 'query_too_complex', details: { limit: 'bytes', found: bytes, allowed: LIMITS.bytes } }];
const codes = async (query: string) => (await graphql(app.url, token, query)).errors?.map(({ extensions }) => extensions);

it.each([
  ['openGates(first: 200) { nodes { id payload } }', found],
  ['openGates(first: 200, sort: COST_OF_DELAY) { nodes { id payload } }', found],
  ['gates(first: 200) { edges { node { payload } } }', found],
  ['openGates(first: 200) { nodes { versions { payload } } }', found],
  ['openGates(first: 200) { nodes { toolCall { arguments } } }', found],
  [`run(id: "${runId}") { gates { payload } }`, found],
  [`run(id: "${runId}") { toolCalls(first: 200) { nodes { arguments } } }`, found],
  ['runs(first: 200) { nodes { input } }', found + 2],
  ['auditLog(first: 200, filter: { action: ["gate.decided"] }) { nodes { details } }', found],
])('{ %s } is refused before anything of it is read', async (query, bytes) => {
  expect(await codes(`{ ${query} }`)).toEqual(refused(bytes));
});

it('says what to ask for less of', async () => {
  const { errors } = await graphql(app.url, token, '{ openGates(first: 200) { nodes { payload versions { number } } } }');
  expect(errors?.[0]?.message).toBe(
    `Too complex: ${found} bytes of texts and documents in one answer, and 16777216 are allowed. ` +
      'Ask for fewer at once (a smaller `first`), or without `payload` of Gate.',
  );
});

it('counts all lists of an answer together', async () => {
  const half = (alias: string) => `${alias}: openGates(first: 35) { nodes { payload } }`;
  expect(await codes(`{ ${half('a')} }`)).toBeUndefined();
  expect(await codes(`{ ${half('a')} ${half('b')} }`)).toEqual(refused(twoPages));
});

it('counts what aliases repeat', async () => {
  expect(await codes('{ openGates(first: 35) { nodes { payload a: id b: id c: createdAt } } }')).toBeUndefined();
  expect(await codes('{ openGates(first: 35) { nodes { payload a: payload } } }')).toEqual(refused(twoPages));
  expect(
    await codes(
      '{ openGates(first: 35) { nodes { toolCall { ...call } a: toolCall { ...call } } } } fragment call on ToolCall { arguments }',
    ),
  ).toEqual(refused(twoPages));
});

it('counts a row twice that a connection is asked for twice', async () => {
  expect(await codes('{ openGates(first: 35) { nodes { payload } edges { cursor } } }')).toBeUndefined();
  expect(await codes('{ openGates(first: 35) { nodes { payload } edges { node { payload } } } }')).toEqual(refused(twoPages));
});

it('counts what tools answer to others than runs, and reads nothing that is too long', async () => {
  const tooMuch = [{ code: 'query_too_complex', details: { limit: 'bytes', found: expect.any(Number), allowed: LIMITS.bytes } }];
  expect(await codes('{ osListOpenGates { runId } }')).toEqual(tooMuch);
  expect(await codes('{ osListBlockers { failedTotal } }')).toEqual(tooMuch);
  expect(await codes('{ blockers { failedTotal stoppedRuns(first: 200) { nodes { since run { id } moves { kind } } } } }')).toBeUndefined();
});

it.each(TRANSPORTS)('answers what is not too long over %s, and refuses the rest', async (transport) => {
  const ask = (first: number) => over(transport, app.url, token, { query: `{ gates(first: ${first}) { nodes { payload summary } } }` });
  expect((await ask(60)).data.gates.nodes).toHaveLength(60);
  expect((await ask(70)).errors?.map(({ extensions }) => extensions)).toEqual(refused(found + ROWS * (40 + 2)));
});

it('measures what tasks say', async () => {
  const errors = await codes(`{ task(id: "${taskId}") { versions { guardrails } } }`);
  expect(errors).toEqual([{ code: 'query_too_complex', details: { limit: 'bytes', found: expect.any(Number), allowed: LIMITS.bytes } }]);
  expect(await codes(`{ task(id: "${taskId}") { versions { version name } } }`)).toBeUndefined();
});

it('ends a stream before an event of which too much is asked', async () => {
  const { eventCursor } = await harness.data(token, '{ eventCursor }');
  const query = `subscription { runEvents(runId: "${runId}", after: "${eventCursor}") { kind run { gates { payload } } } }`;
  const socket = await RawSocket.acknowledged(app.url, token);
  socket.subscribe('1', query);
  await harness.drive('failRun', company.workerToken, { runId, attempt: 1, code: 'x', reason: 'y' });
  const told = await socket.next();
  expect([told.type, told.payload.errors[0].extensions]).toEqual(['next', refused(found)[0]]);
  expect(await socket.next()).toEqual({ id: '1', type: 'complete' });
  await socket.close();
});
