import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../src/kernel/errors.ts';
import { Registry } from '../src/kernel/registry.ts';
import { families } from '../src/tools/families.ts';
import contract from './contract/tools.json' with { type: 'json' };

const ROOT = path.resolve(import.meta.dirname, '..');
const { builtIn } = new Registry(families);

/** Rows of the contract that have no tool yet, in its order. */
const NOT_BUILT: string[] = [
  'workspace.read_file',
  'workspace.list_dir',
  'workspace.write_file',
  'workspace.delete_file',
  'workspace.edit',
  'workspace.search',
  'workspace.run_command',
  'workspace.git_commit',
  'workspace.git_push',
  'memory.ask',
  'memory.train',
  'os.list_recommendations',
  'os.get_recommendation',
  'os.decide_recommendation',
  'os.mail_list',
  'os.mail_read',
  'os.mail_reply',
  'os.mail_send',
  'os.mail_set_label',
  'os.mail_set_handled',
  'os.mail_set_many',
  'os.mail_quiet_threads',
  'os.mail_mark_chased',
  'os.mail_snooze',
  'os.escalate_mail',
  'os.mail_reply_draft',
  'os.list_kpis',
  'os.record_kpi_reading',
  'os.get_enterprise_kpis',
  'os.set_enterprise_kpis',
  'os.get_team_kpis',
  'os.set_team_kpis',
  'kpi.record_reading',
  'kpi.list_readings',
  'role.list_kpis',
  'role.define_kpi',
  'role.edit_kpi',
  'os.read_enterprise',
  'os.search_catalog',
  'os.list_tool_bindings',
  'os.read_task',
  'os.assess_impact',
  'os.write_plan',
  'os.read_plan',
  'os.file_daily_brief',
  'os.chat_list',
  'os.chat_read',
  'os.chat_write',
  'os.chat_open',
  'os.list_tasks',
  'os.start_task',
  'os.get_run',
  'os.hand_off_task_brief',
  'os.list_runs',
  'os.kpi_board',
  'os.list_enterprise_kpis',
  '<prefix>.navigate',
  '<prefix>.click',
  '<prefix>.type',
  '<prefix>.screenshot',
  '<prefix>.extract',
  '<prefix>.download',
  '<prefix>.upload',
  'web.read',
  'web.sitemap',
  'web.request',
];

const kebab = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
/** The files of a folder and all below it whose names end so, with their texts. */
const textsOf = (folder: string, end: string) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => [`${folder}/${file}`, readFileSync(path.join(ROOT, folder, file), 'utf8')] as const);
const tests = textsOf('test', '.test.ts').map(([, text]) => text);

describe('the registry', () => {
  it('is the contract, in its order, but for what is not built yet', () => {
    const rows = contract.tools.filter(({ name }) => !NOT_BUILT.includes(name));
    expect(builtIn.map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
    expect(contract.tools.map(({ name }) => name).filter((name) => NOT_BUILT.includes(name))).toEqual(NOT_BUILT);
  });

  it('holds what stands on disk: a file a tool, named for it, in the folder of its family', () => {
    const files = textsOf('src/tools', '.ts').filter(([, text]) => text.includes('= defineTool('));
    const named = builtIn.map(({ name }) => `${kebab(name.slice(name.indexOf('.') + 1))}.ts`);
    expect(files.map(([file]) => path.basename(file)).sort()).toEqual(named.sort());
    const folders = new Set(files.map(([file]) => path.dirname(file)));
    const listed = textsOf('src/tools', '/family.ts').map(([file]) => path.dirname(file));
    expect([...folders].sort()).toEqual(listed.sort());
  });
});

describe.each(builtIn.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  it('equals its row of the contract', () => {
    const { family, page, effect, retry, calledBy, routes } = tool;
    const row = contract.tools.find((candidate) => candidate.name === name)!;
    const { arguments: given, ...rest } = { name, family, page, effect, retry, calledBy, api: routes, arguments: tool.arguments };
    expect({ ...rest, ...(row.arguments && { arguments: given }) }).toEqual({
      ...{ name, family: row.family, page: row.page, effect: row.effect, retry: row.retry, calledBy: row.calledBy, api: row.api ?? [] },
      ...(row.arguments && { arguments: row.arguments }),
    });
  });

  it('says what it is, and what each field is', () => {
    expect(tool.summary.trim()).not.toBe('');
    expect(tool.description.length).toBeGreaterThan(80);
    for (const [field, schema] of Object.entries(tool.inputSchema.properties ?? {}))
      expect([field, schema.description]).toEqual([field, expect.any(String)]);
  });

  it('has examples that fit its schemas', () => {
    expect(tool.examples.length).toBeGreaterThan(0);
    for (const { arguments: args, result } of tool.examples) {
      expect(tool.input.parse(args)).toEqual(args);
      expect(tool.output.parse(result)).toEqual(result);
    }
  });

  it('declares errors that the table knows and that some test meets', () => {
    for (const code of Object.keys(tool.errors)) {
      expect([code, Object.hasOwn(ERRORS, code)]).toEqual([code, true]);
      expect([code, tests.some((text) => text.includes(`'${code}'`))]).toEqual([code, true]);
    }
  });

  it('offers a schema of the kind that every surface carries', () => {
    expect(tool.inputSchema.type).toBe('object');
    expect(tool.inputSchema.additionalProperties).toBe(false);
    expect(['object', 'array']).toContain(tool.outputSchema.type);
    expect(JSON.stringify([tool.inputSchema, tool.outputSchema])).not.toContain('$ref');
  });
});
