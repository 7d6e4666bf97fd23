import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { archiveTask } from '../../../src/domain/task/archive-task.ts';
import { findTask } from '../../../src/domain/task/find.ts';
import { type SaveTaskInput, saveTask } from '../../../src/domain/task/save-task.ts';
import type { Kernel } from '../../../src/kernel/kernel.ts';
import { Registry } from '../../../src/kernel/registry.ts';
import { families } from '../../../src/tools/families.ts';
import { testFamilies } from '../../fixtures/tools.ts';
import { callerOf, draft, kernelOn, NOW, stored, type TestCompany, testCompany } from './company.ts';

let db: Database;
let kernel: Kernel;
let company: TestCompany;

beforeAll(async () => {
  db = await openDatabase({});
  kernel = kernelOn(db, new Registry([...families, ...testFamilies]));
  company = await testCompany(kernel);
});
afterAll(() => db.close());

const save = (told: Partial<SaveTaskInput> = {}) => saveTask(kernel, company.ceo, draft(told));
const audited = (subjectId: string) => db.prisma.auditEntry.findMany({ where: { subjectId }, orderBy: { id: 'asc' } });

describe('versions', () => {
  it('keep everything that was saved', async () => {
    const input = draft({
      name: 'Cook the best soup',
      goal: 'Everybody asks for more.',
      metric: 'Bowls left: 0',
      guardrails: ['No peanuts.'],
      team: 'kitchen',
      role: 'cook',
      tools: ['os.set_context#!key=soup/a%2Cb', 'os.get_context', 'memory.train', 'web.read'],
      gates: [{ tool: 'web.read', timeoutMinutes: 90 }, { tool: 'os.set_context' }],
      successors: [{ outcome: 'done', task: 'soup-best' }],
      contextPrefixes: ['soup/'],
      inputFields: [
        { name: 'bowls', type: 'INTEGER', required: true, description: 'How many.' },
        { name: 'when', type: 'DATE_TIME', required: false },
      ],
      spendLimitCents: 150,
      modelTier: 'large',
      maxConcurrency: 3,
      memoryGrants: [{ layer: 'ENTERPRISE', prefix: 'soup:' }],
      slug: 'soup-best',
    });
    const { task, errors, warnings } = await saveTask(kernel, company.ceo, input);
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    const { enterpriseId, teamId, roleId } = company;
    expect(task).toEqual({
      id: task!.id,
      enterpriseId,
      slug: 'soup-best',
      latestVersion: 1,
      archivedAt: null,
      clonedFromId: null,
      movesUntoldAfter: null,
      createdAt: NOW,
    });
    expect(await db.prisma.taskVersion.findFirst({ where: { taskId: task!.id } })).toEqual({
      taskId: task!.id,
      version: 1,
      enterpriseId,
      name: 'Cook the best soup',
      goal: 'Everybody asks for more.',
      metric: 'Bowls left: 0',
      guardrails: ['No peanuts.'],
      teamId,
      roleId,
      osOwned: false,
      tools: ['os.set_context#!key=soup/a%2Cb', 'os.get_context', 'memory.train', 'web.read'],
      gates: [
        { tool: 'web.read', timeoutMinutes: 90 },
        { tool: 'os.set_context', timeoutMinutes: null },
      ],
      successors: [{ outcome: 'done', task: 'soup-best' }],
      contextPrefixes: ['soup/'],
      inputFields: [
        { name: 'bowls', type: 'INTEGER', required: true, description: 'How many.' },
        { name: 'when', type: 'DATE_TIME', required: false, description: null },
      ],
      spendLimitCents: 150,
      modelTier: 'large',
      maxConcurrency: 3,
      memoryGrants: [{ layer: 'ENTERPRISE', prefix: 'soup:' }],
      createdAt: NOW,
      createdBy: 'Clementine Ladle',
      bytes: expect.any(Number),
    });
  });

  it('treat null as left out', async () => {
    const nothing = { metric: null, guardrails: null, team: null, role: null, osOwned: null, gates: null, successors: null };
    const more = { contextPrefixes: null, inputFields: null, spendLimitCents: null, modelTier: null, maxConcurrency: null };
    const last = { memoryGrants: null, clonedFrom: null, expectedVersion: null, validateOnly: null };
    const { task } = await save({ ...nothing, ...more, ...last });
    const version = await db.prisma.taskVersion.findFirstOrThrow({ where: { taskId: task!.id } });
    expect(version).toMatchObject({ metric: null, guardrails: [], gates: [], maxConcurrency: 1, osOwned: false, spendLimitCents: null });
  });

  it('are added, never changed, and each is audited', async () => {
    const { task } = await save({ slug: 'soup-two', goal: 'First.' });
    const again = await save({ slug: 'soup-two', goal: 'Second.', expectedVersion: 1 });
    expect(again.task).toEqual({ ...task, latestVersion: 2 });
    const versions = await db.prisma.taskVersion.findMany({ where: { taskId: task!.id }, orderBy: { version: 'asc' } });
    expect(versions.map(({ version, goal }) => [version, goal])).toEqual([
      [1, 'First.'],
      [2, 'Second.'],
    ]);
    expect((await audited(task!.id)).map(({ action, via, personId, details, at }) => ({ action, via, personId, details, at }))).toEqual(
      [1, 2].map((version) => ({
        action: 'task.saved',
        via: 'session',
        personId: company.ceo.person!.id,
        details: { slug: 'soup-two', version },
        at: NOW,
      })),
    );
  });

  it('are not added when another was since', async () => {
    await save({ slug: 'soup-three' });
    await save({ slug: 'soup-three' });
    expect((await save({ slug: 'soup-three', expectedVersion: 1 })).errors).toEqual([
      {
        code: 'version_conflict',
        field: 'expectedVersion',
        message: 'The task "soup-three" is at version 2, not at version 1: read it again before you save.',
        details: { version: 2 },
      },
    ]);
    expect((await save({ slug: 'soup-three', expectedVersion: 0 })).errors).toEqual([
      {
        code: 'slug_taken',
        field: 'slug',
        message: 'There is a task "soup-three" already, at version 2: choose another slug, or save its next version.',
        details: { version: 2 },
      },
    ]);
    expect((await save({ slug: 'soup-none', expectedVersion: 4 })).errors).toEqual([
      {
        code: 'version_conflict',
        field: 'expectedVersion',
        message: 'The task "soup-none" does not exist, not at version 4: read it again before you save.',
        details: { version: 0 },
      },
    ]);
    expect((await save({ slug: 'soup-none', expectedVersion: 0 })).task!.latestVersion).toBe(1);
  });

  it('are only looked at with validateOnly', async () => {
    const before = await db.prisma.auditEntry.count();
    const fine = await save({ slug: 'soup-look', tools: ['github.create_issue'], validateOnly: true });
    expect([fine.task, fine.errors.map(({ code }) => code), fine.warnings]).toEqual([null, ['tool_type_not_bound'], []]);
    expect(await save({ slug: 'soup-look', validateOnly: true })).toEqual({ task: null, errors: [], warnings: [] });
    expect(await findTask(db, company.enterpriseId, 'soup-look')).toBeUndefined();
    expect(await db.prisma.auditEntry.count()).toBe(before);
  });
});

describe('the spend limit', () => {
  const pausedRun = async (taskId: string, spentCents: number) => {
    const { enterpriseId } = company;
    const [id, executionId] = [v7(), v7()];
    await db.prisma.execution.create({ data: { id: executionId, enterpriseId, name: 'Soup' } });
    const run = { id, enterpriseId, taskId, taskVersion: 1, executionId, spentCents, input: {}, attempt: 1 };
    await db.prisma.run.create({ data: { ...run, status: 'PAUSED', blockClass: 'spend_limit' } });
    return id;
  };
  const statusOf = async (id: string) => (await db.prisma.run.findFirstOrThrow({ where: { id } })).status;

  it('raised far enough lets a paused run go on', async () => {
    const { task } = await save({ slug: 'soup-dear', spendLimitCents: 100, maxConcurrency: 9 });
    const runs = [await pausedRun(task!.id, 150), await pausedRun(task!.id, 5_000)];
    const raisedTo = async (spendLimitCents: number | null) => {
      await save({ slug: 'soup-dear', spendLimitCents, maxConcurrency: 9 });
      return Promise.all(runs.map(statusOf));
    };
    expect(await raisedTo(100)).toEqual(['PAUSED', 'PAUSED']);
    expect(await raisedTo(90)).toEqual(['PAUSED', 'PAUSED']);
    expect(await raisedTo(149)).toEqual(['PAUSED', 'PAUSED']);
    expect(await raisedTo(150)).toEqual(['RUNNING', 'PAUSED']);
    expect(await raisedTo(null)).toEqual(['RUNNING', 'RUNNING']);
  });
});

describe('who may save and archive', () => {
  it('an API token by its scope, under its own name', async () => {
    const token = { kind: 'API_TOKEN', tokenName: 'ci', person: company.ceo.person } as const;
    const reader = callerOf(company.enterpriseId, { ...token, scopes: ['tasks:read'] });
    await expect(saveTask(kernel, reader, draft())).rejects.toMatchObject({ code: 'scope_missing', details: { scope: 'tasks:write' } });
    const writer = await stored(kernel, callerOf(company.enterpriseId, { ...token, scopes: ['tasks:write'] }));
    const { task } = await saveTask(kernel, writer, draft());
    expect((await db.prisma.taskVersion.findFirstOrThrow({ where: { taskId: task!.id } })).createdBy).toBe('token ci');
    await expect(archiveTask(kernel, reader, { id: task!.id })).rejects.toMatchObject({ code: 'scope_missing' });
    await archiveTask(kernel, writer, { id: task!.slug });
    expect((await audited(task!.id)).map(({ action, via }) => [action, via])).toEqual([
      ['task.saved', 'token ci'],
      ['task.archived', 'token ci'],
    ]);
  });

  it.each(['SESSION', 'RUN', 'CHAT'] as const)('no other %s', async (kind) => {
    const person = kind === 'RUN' ? null : { id: company.ceo.person!.id, name: 'Basil', isCeo: false };
    const other = callerOf(company.enterpriseId, { kind, person });
    await expect(saveTask(kernel, other, draft())).rejects.toMatchObject({ code: 'not_allowed' });
  });
});

describe('archiving', () => {
  it('happens once', async () => {
    const { task } = await save();
    const archived = await archiveTask(kernel, company.ceo, { id: task!.id });
    expect(archived).toEqual({ ...task, archivedAt: NOW });
    expect(await archiveTask(kernel, company.ceo, { id: task!.id })).toEqual(archived);
    expect((await audited(task!.id)).map(({ action }) => action)).toEqual(['task.saved', 'task.archived']);
  });

  it.each(['nowhere', '0197a000-0000-7000-8000-0000000000ff', 'a\0b', ''])('needs a task: %j', async (id) => {
    await expect(archiveTask(kernel, company.ceo, { id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it("leaves another enterprise's tasks alone", async () => {
    const { task } = await save();
    const other = await testCompany(kernel);
    for (const id of [task!.id, task!.slug]) {
      await expect(archiveTask(kernel, other.ceo, { id })).rejects.toMatchObject({ code: 'not_found' });
      expect(await findTask(db, other.enterpriseId, id)).toBeUndefined();
    }
    expect(await findTask(db, company.enterpriseId, task!.id.toUpperCase())).toEqual(task);
  });

  it('finds a slug before an id', async () => {
    const { task } = await save();
    const twin = await save({ slug: task!.id });
    expect((await findTask(db, company.enterpriseId, task!.id))!.id).toBe(twin.task!.id);
  });
});

describe('what cannot be read as a task', () => {
  const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`);
  const cases: [string, object, string[]][] = [
    ['no input', null as never, ['']],
    ['an unknown field, each by its name', { member: 'Pepper', assignee: 1 }, ['member', 'assignee']],
    ['wrong types', { name: 5, tools: 'os.set_context', osOwned: 'yes' }, ['name', 'osOwned', 'tools']],
    ['NUL', { goal: 'a\0b' }, ['goal']],
    ['half of a pair', { guardrails: ['\ud800'] }, ['guardrails[0]']],
    ['__proto__', JSON.parse('{"__proto__": {"name": "x"}}'), ['__proto__']],
    ['deep nesting', { goal: deep }, [`goal${'[0]'.repeat(63)}`]],
    ['an unknown field inside', { gates: [{ tool: 'os.ask_ceo', wait: true }] }, ['gates[0].wait']],
    ['an unknown field type', { inputFields: [{ name: 'a', type: 'DATE', required: true }] }, ['inputFields[0].type']],
    ['an unknown layer', { memoryGrants: [{ layer: 'team', prefix: 'a' }] }, ['memoryGrants[0].layer']],
  ];
  it.each(cases)('%s', async (_, told, paths) => {
    const input = told === null ? null : Object.defineProperties(draft(), Object.getOwnPropertyDescriptors(told));
    const refusal = saveTask(kernel, company.ceo, input as never);
    await expect(refusal).rejects.toMatchObject({ code: 'invalid_arguments' });
    const { details } = await refusal.catch((error) => error);
    expect(details.issues.map(({ path }: { path: string }) => path)).toEqual(paths);
  });
});

describe('what is beyond the limits of a task', () => {
  const cases: [string, object, string[]][] = [
    ['blank texts', { name: ' ', goal: '' }, ['name', 'goal']],
    ['a time-out that never was', { gates: [{ tool: 'os.ask_ceo', timeoutMinutes: 0 }] }, ['gates[0].timeoutMinutes']],
    [
      'more than 32 bits',
      { spendLimitCents: 2 ** 31, maxConcurrency: 0, expectedVersion: -1 },
      ['spendLimitCents', 'maxConcurrency', 'expectedVersion'],
    ],
    ['long texts', { name: 'x'.repeat(201), contextPrefixes: ['x'.repeat(513)] }, ['name', 'contextPrefixes[0]']],
    ['an empty prefix', { contextPrefixes: [''] }, ['contextPrefixes[0]']],
    [
      'a field or successor twice',
      {
        inputFields: ['TEXT', 'URL'].map((type) => ({ name: 'a', type, required: true })),
        successors: [1, 2].map(() => ({ outcome: 'done', task: 'soup' })),
      },
      ['successors[1]', 'inputFields[1]'],
    ],
    ['an OS-owned task in a team', { osOwned: true, team: 'kitchen' }, ['team']],
  ];
  it.each(cases)('%s', async (_, told, fields) => {
    const { task, errors } = await save({ slug: 'soup', tools: ['os.ask_ceo'], ...told });
    expect(task).toBeNull();
    expect(errors.map(({ code, field }) => [code, field])).toEqual(fields.map((field) => ['invalid_arguments', field]));
  });

  it('512 characters are a prefix, however they are stored', async () => {
    expect((await save({ contextPrefixes: ['🪁'.repeat(512)] })).errors).toEqual([]);
  });
});
