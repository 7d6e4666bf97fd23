import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { type SavedTask, type SaveTaskInput, saveTask } from '../../../src/domain/task/save-task.ts';
import type { Family } from '../../../src/kernel/define.ts';
import type { Kernel } from '../../../src/kernel/kernel.ts';
import { Registry } from '../../../src/kernel/registry.ts';
import { families } from '../../../src/tools/families.ts';
import { fixture, githubCatalog, testFamilies } from '../../fixtures/tools.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { draft, kernelOn, type TestCompany, testCompany } from './company.ts';

/** A tool with a field of each kind that a pin can meet. */
const listing: Family = {
  title: 'Listing',
  page: 'OS',
  intro: 'A test double.',
  tools: [
    fixture({
      name: 'os.list_some',
      input: z.strictObject({
        limit: z.int().min(1).max(50).default(10),
        kinds: z
          .array(z.enum(['a', 'b']))
          .min(2)
          .optional(),
        ratio: z.number().nullish(),
      }),
      output: z.strictObject({ found: z.int() }),
      handler: async () => ({ found: 0 }),
    }),
  ],
};

let home: TestDatabase;
let db: Database;
let kernel: Kernel;
let company: TestCompany;

beforeAll(async () => {
  home = await testDatabase();
  db = await openDatabase({ url: home.url });
  kernel = kernelOn(db, new Registry([...families, ...testFamilies, listing], [githubCatalog]));
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

describe('what a task may call', () => {
  const cases: [string, Partial<SaveTaskInput>, string[]][] = [
    ['a built-in that does not exist', { tools: ['workspace.rename'] }, ['tool_unknown tools[0]']],
    ['a built-in that no run may call', { tools: ['os.start_task'] }, ['tool_not_run_callable tools[0]']],
    ['a vendor tool whose type nothing binds', { tools: ['slack.post'] }, ['tool_type_not_bound tools[0]']],
    ['a vendor tool that the bound server lacks', { tools: ['github.fly'] }, ['tool_not_in_catalog tools[0]']],
    ['only a bound type', { tools: ['github'] }, ['tool_name_bare tools[0]']],
    [
      'only a namespace',
      { tools: ['os', 'workspace.', 'web'] },
      ['tool_name_bare tools[0]', 'tool_name_bare tools[1]', 'tool_name_bare tools[2]'],
    ],
    ['the spelling that models are offered', { tools: ['os__set_context'] }, ['tool_name_bare tools[0]']],
    ['a tool twice', { tools: ['web.read', 'web.read'] }, ['tool_duplicate tools[1]']],
    ['a tool with and without a pin', { tools: ['web.request', 'web.request#method=HEAD'] }, ['tool_duplicate tools[1]']],
    ['one pin twice', { tools: ['web.request#method=HEAD', 'web.request#method=HEAD'] }, ['tool_duplicate tools[1]']],
    ['several pins of one tool', { tools: ['web.request#method=HEAD', 'web.request#!url=https://a.example/'] }, []],
    ['a gate on what is not declared', { tools: ['web.sitemap'], gates: [{ tool: 'web.read' }] }, ['gate_tool_not_declared gates[0].tool']],
    [
      'a gate on a pin',
      { tools: ['web.request#method=HEAD'], gates: [{ tool: 'web.request#method=HEAD' }] },
      ['gate_tool_not_declared gates[0].tool'],
    ],
    [
      'two gates on one tool',
      { tools: ['web.read'], gates: [{ tool: 'web.read' }, { tool: 'web.read' }] },
      ['tool_duplicate gates[1].tool'],
    ],
    ['a mail reply without a summary', { tools: ['os.mail_reply'] }, ['summary_tool_required tools[0]']],
    ['a mail reply with one', { tools: ['os.mail_reply', 'os.set_gate_summary'], role: 'cook' }, []],
    ['a merge without a summary', { tools: ['os.set_context', 'github.merge_pull_request'] }, ['summary_tool_required tools[1]']],
    [
      'a gated merge with one',
      { tools: ['github.merge_pull_request', 'os.set_gate_summary'], gates: [{ tool: 'github.merge_pull_request' }] },
      [],
    ],
    ['a summary where nothing is gated', { tools: ['os.set_gate_summary'] }, ['summary_tool_required tools[0]']],
    [
      'a summary where the only gate never waits',
      { tools: ['os.set_gate_summary', 'workspace.edit'], gates: [{ tool: 'workspace.edit' }] },
      ['summary_tool_required tools[0]'],
    ],
    ['the enterprise as a whole', { tools: ['os.read_enterprise'] }, ['tool_os_owned_only tools[0]']],
    ['the same on an OS-owned task', { tools: ['os.read_enterprise'], osOwned: true }, []],
  ];
  it.each(cases)('%s', async (_, told, errors) => {
    const saved = await save(told);
    expect(shortly(saved.errors)).toEqual(errors);
    expect(saved.task === null).toBe(errors.length > 0);
  });

  it('names the tool, what is wrong and what comes closest', async () => {
    const { errors, warnings, task } = await save({ tools: ['workspace.rename'] });
    expect({ errors, warnings, task }).toEqual({
      task: null,
      errors: [
        {
          code: 'tool_unknown',
          field: 'tools[0]',
          message: 'There is no tool "workspace.rename". The closest are workspace.edit, workspace.search, workspace.read_file.',
          details: { name: 'workspace.rename' },
        },
      ],
      warnings: [],
    });
  });

  it('refuses two tools that models would be offered under one name', async () => {
    const input = githubCatalog.tools[0]!.input;
    const twin = (name: string) => fixture({ name, input, output: input, handler: async (_, given) => given });
    const registry = new Registry(families, [{ type: 'forge', tools: [twin('forge.issue.open'), twin('forge.issue__open')] }]);
    const saved = await save({ tools: ['forge.issue.open', 'forge.issue__open'] }, kernelOn(db, registry));
    expect(shortly(saved.errors)).toEqual(['tool_name_collision tools[1]']);
    expect(saved.errors[0]!.message).toBe(
      'Models would be offered both "forge.issue__open" and "forge.issue.open" as forge__issue__open: declare one of them.',
    );
  });

  it('holds a tool that the registry ties to a gate only together with that gate', async () => {
    const tied: Family[] = testFamilies.map((family) => ({
      ...family,
      tools: family.tools.map((tool) => (tool.name === 'web.request' ? { ...tool, requiresGateOn: 'web.request' } : tool)),
    }));
    const on = kernelOn(db, new Registry([...families, ...tied]));
    expect(shortly((await save({ tools: ['web.request'] }, on)).errors)).toEqual(['gate_required_for_tool tools[0]']);
    expect((await save({ tools: ['web.request'], gates: [{ tool: 'web.request' }] }, on)).errors).toEqual([]);
  });
});

describe('pins', () => {
  it('name at most 2,000 values in one task, all together', async () => {
    const pinned = (count: number, of: number) => `os.set_context#value=${of},${Array.from({ length: count - 1 }, () => of).join(',')}`;
    expect((await save({ tools: [pinned(1_000, 1), pinned(1_000, 2)] })).errors).toEqual([]);
    const { errors } = await save({ tools: [pinned(1_000, 1), pinned(1_001, 2)] });
    expect(shortly(errors)).toEqual(['pin_invalid tools[1]']);
    expect(errors[0]!.message).toBe('The pins up to this one name 2001 values; at most 2000 are allowed in one task: drop some.');
  });

  const cases: [string, string | null][] = [
    ['web.request#verb=GET', 'web.request has no field "verb" to pin. Its fields are url, method.'],
    ['web.request#toString=GET', 'web.request has no field "toString" to pin. Its fields are url, method.'],
    ['web.request#=GET', 'web.request has no field "" to pin. Its fields are url, method.'],
    ['web.request#method', 'The pin on web.request#method has no value: write web.request#method=<value>,<value>.'],
    ['web.request#!method=', 'The pin on web.request#method has no value: write web.request#method=<value>,<value>.'],
    ['web.request#method=POST', 'The pin on web.request#method cannot be met: "POST" is refused (must be one of "GET", "HEAD").'],
    ['web.request#method=GET,HEAD', null],
    ['web.request#!method=HEAD', null],
    ['os.set_context#key=a%2Cb,c', null],
    ['os.set_context#key=a,', 'The pin on os.set_context#key cannot be met: "" is refused (must be a text of at least 1 character).'],
    ['os.set_context#value=true,text,"true"', null],
    ['os.set_context#value={"a": 1}', 'The pin on os.set_context#value cannot be met: "{\\"a\\": 1}" must be written {"a":1}.'],
    ['os.set_context#key=', 'The pin on os.set_context#key has no value: write os.set_context#key=<value>,<value>.'],
    ['os.list_some#limit=5,50', null],
    ['os.list_some#limit=51', 'The pin on os.list_some#limit cannot be met: "51" is refused (must be a whole number from 1 to 50).'],
    ['os.list_some#limit=5.0', 'The pin on os.list_some#limit cannot be met: "5.0" must be written 5.'],
    ['os.list_some#limit=five', 'The pin on os.list_some#limit cannot be met: "five" is refused (must be a whole number from 1 to 50).'],
    ['os.list_some#kinds=a,b', null],
    ['os.list_some#kinds=c', 'The pin on os.list_some#kinds cannot be met: "c" is refused (must be one of "a", "b").'],
    ['os.list_some#ratio=0.5,null', null],
  ];
  it.each(cases)('%s', async (entry, message) => {
    const { errors } = await save({ tools: [entry] });
    const name = entry.slice(0, entry.indexOf('#'));
    expect(errors).toEqual(message === null ? [] : [{ code: 'pin_invalid', field: 'tools[0]', message, details: { name } }]);
  });
});

describe('memory grants', () => {
  it('need a prefix of their own and memory.train', async () => {
    const { errors } = await save({
      tools: ['os.set_context'],
      memoryGrants: [
        { layer: 'TEAM', prefix: '' },
        { layer: 'TEAM', prefix: 'team:7' },
        { layer: 'ENTERPRISE', prefix: 'gate:' },
      ],
    });
    expect(errors.map(({ code, field, message }) => ({ code, field, message }))).toMatchInlineSnapshot(`
      [
        {
          "code": "memory_grant_invalid",
          "field": "memoryGrants[0].prefix",
          "message": "The prefix is empty: name the events that the grant opens, such as "issue:".",
        },
        {
          "code": "memory_grant_invalid",
          "field": "memoryGrants[0]",
          "message": "A grant is of no use without memory.train: declare it too.",
        },
        {
          "code": "memory_grant_invalid",
          "field": "memoryGrants[1].prefix",
          "message": "The prefix "team:7" begins with team:, which only the OS writes.",
        },
        {
          "code": "memory_grant_invalid",
          "field": "memoryGrants[1]",
          "message": "A grant is of no use without memory.train: declare it too.",
        },
        {
          "code": "memory_grant_invalid",
          "field": "memoryGrants[2].prefix",
          "message": "The prefix "gate:" begins with gate:, which only the OS writes.",
        },
        {
          "code": "memory_grant_invalid",
          "field": "memoryGrants[2]",
          "message": "A grant is of no use without memory.train: declare it too.",
        },
      ]
    `);
  });

  it('are saved beside memory.train', async () => {
    const saved = await save({ tools: ['os.set_context', 'memory.train'], memoryGrants: [{ layer: 'TEAM', prefix: 'issue:' }] });
    expect(saved.errors).toEqual([]);
    expect((await versionOf(saved)).memoryGrants).toEqual([{ layer: 'TEAM', prefix: 'issue:' }]);
  });
});
