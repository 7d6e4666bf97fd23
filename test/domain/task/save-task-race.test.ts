import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { archiveTask } from '../../../src/domain/task/archive-task.ts';
import { type SavedTask, saveTask } from '../../../src/domain/task/save-task.ts';
import type { Kernel } from '../../../src/kernel/kernel.ts';
import { Registry } from '../../../src/kernel/registry.ts';
import { families } from '../../../src/tools/families.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { draft, kernelOn, type TestCompany, testCompany } from './company.ts';

const WRITERS = 24;

let home: TestDatabase;
let processes: Database[];
let kernels: Kernel[];
let company: TestCompany;

beforeAll(async () => {
  home = await testDatabase();
  processes = await Promise.all([openDatabase({ url: home.url }), openDatabase({ url: home.url })]);
  kernels = processes.map((db) => kernelOn(db, new Registry(families)));
  company = await testCompany(kernels[0]!);
});
afterAll(async () => {
  await Promise.all(processes.map((db) => db.close()));
  await home.drop();
});

const together = <T>(act: (kernel: Kernel) => Promise<T>) =>
  Promise.all(Array.from({ length: WRITERS }, (_, index) => act(kernels[index % 2]!)));

const codes = (saved: SavedTask[]) => saved.flatMap(({ errors }) => errors.map(({ code }) => code));
const versions = (taskId: string) => processes[0]!.prisma.taskVersion.count({ where: { taskId } });

it('many writers with one expected version: one wins', async () => {
  const { task } = await saveTask(kernels[0]!, company.ceo, draft({ slug: 'raced' }));
  const saved = await together((kernel) => saveTask(kernel, company.ceo, draft({ slug: 'raced', expectedVersion: 1 })));
  expect(saved.filter((one) => one.task).map((one) => one.task!.latestVersion)).toEqual([2]);
  expect(codes(saved)).toEqual(Array(WRITERS - 1).fill('version_conflict'));
  expect(saved.flatMap(({ errors }) => errors.map(({ details }) => details))).toEqual(Array(WRITERS - 1).fill({ version: 2 }));
  expect(await versions(task!.id)).toBe(2);
});

it('many writers of a new task: one makes it', async () => {
  const saved = await together((kernel) => saveTask(kernel, company.ceo, draft({ slug: 'new', expectedVersion: 0 })));
  expect(codes(saved)).toEqual(Array(WRITERS - 1).fill('slug_taken'));
  const task = saved.find((one) => one.task)!.task!;
  expect([task.latestVersion, await versions(task.id)]).toEqual([1, 1]);
});

it('many writers who expect nothing: each adds its version', async () => {
  const saved = await together((kernel) => saveTask(kernel, company.ceo, draft({ slug: 'busy' })));
  expect(codes(saved)).toEqual([]);
  const numbers = saved.map(({ task }) => task!.latestVersion).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: WRITERS }, (_, index) => index + 1));
  expect(new Set(saved.map(({ task }) => task!.id)).size).toBe(1);
});

it('archived by many at once: once', async () => {
  const { task } = await saveTask(kernels[0]!, company.ceo, draft({ slug: 'over' }));
  const archived = await together((kernel) => archiveTask(kernel, company.ceo, { id: task!.id }));
  expect(new Set(archived.map(({ archivedAt }) => archivedAt?.getTime())).size).toBe(1);
  const entries = await processes[0]!.prisma.auditEntry.count({ where: { subjectId: task!.id, action: 'task.archived' } });
  expect(entries).toBe(1);
});
