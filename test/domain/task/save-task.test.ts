import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { archiveTask } from '../../../src/domain/task/archive-task.ts';
import { type SavedTask, type SaveTaskInput, saveTask } from '../../../src/domain/task/save-task.ts';
import type { Kernel } from '../../../src/kernel/kernel.ts';
import { Registry } from '../../../src/kernel/registry.ts';
import { families } from '../../../src/tools/families.ts';
import { githubCatalog, testFamilies } from '../../fixtures/tools.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { draft, kernelOn, type TestCompany, testCompany } from './company.ts';

let home: TestDatabase;
let db: Database;
let kernel: Kernel;
let company: TestCompany;

beforeAll(async () => {
  home = await testDatabase();
  db = await openDatabase({ url: home.url });
  kernel = kernelOn(db, new Registry([...families, ...testFamilies], [githubCatalog]));
  company = await testCompany(kernel);
});
afterAll(async () => {
  await db.close();
  await home.drop();
});

const save = (told: Partial<SaveTaskInput> = {}, on = kernel) => saveTask(on, company.ceo, draft(told));
const shortly = (problems: SavedTask['errors']) => problems.map(({ code, field }) => `${code} ${field}`);
const versionOf = ({ task }: SavedTask) =>
  db.prisma.taskVersion.findFirstOrThrow({ where: { taskId: task!.id, version: task!.latestVersion } });

describe('what a task names', () => {
  it('refuses what the enterprise lacks, all at once', async () => {
    const { errors } = await save({
      slug: 'Soup!',
      team: 'garden',
      role: 'gardener',
      successors: [{ outcome: 'done', task: 'nowhere' }],
      clonedFrom: 'elsewhere',
      tools: ['web.fly'],
      gates: [{ tool: 'web.read' }],
    });
    expect(shortly(errors)).toEqual([
      'slug_invalid slug',
      'tool_unknown tools[0]',
      'gate_tool_not_declared gates[0].tool',
      'team_unknown team',
      'role_unknown role',
      'successor_unknown successors[0].task',
      'not_found clonedFrom',
    ]);
  });

  it('tells what is beyond a limit beside what has a code of its own, once a field', async () => {
    const { task, errors } = await save({
      slug: 'a'.repeat(300),
      name: ' ',
      goal: 'g'.repeat(20_001),
      team: '',
      osOwned: true,
      tools: ['', `web.${'x'.repeat(4_000)}`, 'web.fly', 'os.read_enterprise#x=1'],
      gates: [{ tool: 'web.read', timeoutMinutes: 0 }],
      successors: [
        { outcome: 'done', task: 'nowhere' },
        { outcome: 'done', task: 'nowhere' },
      ],
      inputFields: [
        { name: 'a', type: 'TEXT', required: true },
        { name: 'a', type: 'TEXT', required: true },
      ],
      maxConcurrency: 1_001,
    });
    expect(task).toBeNull();
    expect(shortly(errors)).toEqual([
      'invalid_arguments name',
      'invalid_arguments goal',
      'invalid_arguments team',
      'invalid_arguments tools[1]',
      'invalid_arguments gates[0].timeoutMinutes',
      'invalid_arguments successors[1]',
      'invalid_arguments inputFields[1]',
      'invalid_arguments maxConcurrency',
      'slug_invalid slug',
      'tool_name_bare tools[0]',
      'tool_unknown tools[2]',
      'pin_invalid tools[3]',
      'gate_tool_not_declared gates[0].tool',
      'successor_unknown successors[0].task',
      'successor_unknown successors[1].task',
    ]);
  });

  it('reads nothing of a list that is too long or of a wrong type', async () => {
    const wrong = (told: object) => expect(save({ slug: 'Soup!', ...told })).rejects.toMatchObject({ code: 'invalid_arguments' });
    await wrong({ tools: Array(301).fill('web.read') });
    await wrong({ tools: 'web.read' });
    await wrong({ colour: 'red' });
    await wrong({ goal: 'a\0b' });
  });

  it('takes team and role by slug or id', async () => {
    const { teamId, roleId } = company;
    for (const told of [
      { team: 'kitchen', role: 'cook' },
      { team: teamId, role: roleId },
    ]) {
      const { teamId: team, roleId: role } = await versionOf(await save(told));
      expect({ team, role }).toEqual({ team: teamId, role: roleId });
    }
  });

  it('keeps the rows of another enterprise out', async () => {
    const other = await testCompany(kernel);
    const theirs = await saveTask(kernel, other.ceo, draft());
    const { errors } = await save({
      team: other.teamId,
      role: other.roleId,
      successors: [{ outcome: 'done', task: theirs.task!.slug }],
      clonedFrom: theirs.task!.id,
    });
    expect(shortly(errors)).toEqual([
      'team_unknown team',
      'role_unknown role',
      'successor_unknown successors[0].task',
      'not_found clonedFrom',
    ]);
  });

  it.each(['Pepper Mill', 'Pepper@test-soup.example', 'the id'])('refuses a member in place of a role: %s', async (text) => {
    const { errors } = await save({ role: text === 'the id' ? company.memberId : text });
    expect(errors).toEqual([
      {
        code: 'task_member_pinned',
        field: 'role',
        message: 'Pepper Mill is a member. A task is done by whoever holds its role, never by a named member: name a role.',
      },
    ]);
  });

  it('lets a task follow itself and others', async () => {
    const first = await save();
    const successors = [
      { outcome: 'again', task: 'soup-loop' },
      { outcome: 'done', task: first.task!.slug },
    ];
    const saved = await save({ slug: 'soup-loop', successors });
    expect(saved.errors).toEqual([]);
    expect((await versionOf(saved)).successors).toEqual(successors);
  });

  it('settles with the first version whose clone a task is', async () => {
    const [one, other] = [await save(), await save()];
    const copy = await save({ slug: 'soup-copy', clonedFrom: one.task!.slug });
    expect(copy.task!.clonedFromId).toBe(one.task!.id);
    expect((await save({ slug: 'soup-copy', clonedFrom: one.task!.id })).errors).toEqual([]);
    expect((await save({ slug: 'soup-copy' })).task!.clonedFromId).toBe(one.task!.id);
    expect(shortly((await save({ slug: 'soup-copy', clonedFrom: other.task!.slug })).errors)).toEqual(['invalid_arguments clonedFrom']);
  });
});

describe('warnings', () => {
  const cases: [string, Partial<SaveTaskInput>, string[]][] = [
    ['none', { tools: ['os.set_context', 'web.read'], gates: [{ tool: 'web.read' }] }, []],
    ['a gate that never waits', { tools: ['workspace.search'], gates: [{ tool: 'workspace.search' }] }, ['gate_never_waits gates[0].tool']],
    ['a gate on what is always gated', { tools: ['os.ask_ceo'], gates: [{ tool: 'os.ask_ceo' }] }, ['gate_redundant gates[0].tool']],
    ['writes, and no os tool that writes', { tools: ['github.create_issue', 'web.read'] }, ['run_read_only tools']],
    ['chat without a role', { tools: ['os.chat_write'] }, ['assignee_needed role']],
    ['chat with a role', { tools: ['os.chat_write'], role: 'cook' }, []],
    ['chat on an OS-owned task, which has no member', { tools: ['os.chat_write'], role: 'cook', osOwned: true }, ['assignee_needed role']],
  ];
  it.each(cases)('%s', async (_, told, warnings) => {
    const saved = await save(told);
    expect({ errors: saved.errors, warnings: shortly(saved.warnings) }).toEqual({ errors: [], warnings });
    expect(saved.task).not.toBeNull();
  });

  it('says what each of them means', async () => {
    const source = await save();
    const { warnings } = await save({
      tools: ['workspace.git_push', 'memory.train'],
      gates: [{ tool: 'workspace.git_push' }],
      clonedFrom: source.task!.slug,
      memoryGrants: [{ layer: 'TEAM', prefix: 'issue:' }],
    });
    expect(warnings).toMatchInlineSnapshot(`
      [
        {
          "code": "gate_never_waits",
          "details": {
            "name": "workspace.git_push",
          },
          "field": "gates[0].tool",
          "message": "The gate on workspace.git_push is saved, and no call of it ever waits.",
        },
        {
          "code": "run_read_only",
          "details": {
            "names": [
              "workspace.git_push",
              "memory.train",
            ],
          },
          "field": "tools",
          "message": "Runs of this task only read, so workspace.git_push, memory.train will be handed back: declare an os tool that writes, such as os.set_context.",
        },
        {
          "code": "grant_unusable_on_clone",
          "field": "memoryGrants[0]",
          "message": "The task is a clone, and a clone trains the memory of its task alone: this grant opens nothing.",
        },
      ]
    `);
  });

  it('tells a time-out apart from a gate that adds nothing', async () => {
    const { warnings } = await save({ tools: ['os.ask_ceo'], gates: [{ tool: 'os.ask_ceo', timeoutMinutes: 60 }] });
    expect(warnings.map(({ message }) => message)).toEqual([
      'os.ask_ceo waits for a decision on every task, so this gate is not needed. Only its time-out adds something.',
    ]);
  });

  it('saves the gate that never waits', async () => {
    const saved = await save({ tools: ['os.set_context', 'workspace.git_push'], gates: [{ tool: 'workspace.git_push' }] });
    expect(shortly(saved.warnings)).toEqual(['gate_never_waits gates[0].tool']);
    expect((await versionOf(saved)).gates).toEqual([{ tool: 'workspace.git_push', timeoutMinutes: null }]);
  });

  it('come with the errors', async () => {
    const { errors, warnings } = await save({ slug: '-', tools: ['github.create_issue'] });
    expect([shortly(errors), shortly(warnings)]).toEqual([['slug_invalid slug'], ['run_read_only tools']]);
  });
});

describe('slugs', () => {
  it.each(['', '-a', 'A', 'a b', 'a_b', 'é', 'a'.repeat(65), '../a', 'a\n'])('%j is none', async (slug) => {
    const { errors } = await save({ slug });
    expect(shortly(errors)).toEqual(['slug_invalid slug']);
  });

  it.each(['a', '0', 'a-', 'z'.repeat(64)])('%j is one', async (slug) => {
    expect((await save({ slug })).task!.slug).toBe(slug);
  });

  it('stay taken once their task is archived', async () => {
    const { task } = await save({ slug: 'soup-old' });
    await archiveTask(kernel, company.ceo, { id: task!.id });
    for (const expectedVersion of [undefined, 0, 1]) {
      const { errors } = await save({ slug: 'soup-old', expectedVersion });
      expect(errors).toEqual([{ code: 'slug_taken', field: 'slug', message: 'The slug "soup-old" belongs to an archived task.' }]);
    }
  });
});
