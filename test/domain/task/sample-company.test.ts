import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_ENTERPRISE_ID, sampleCompany } from '../../../prisma/sample-company.ts';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import type { Kernel } from '../../../src/kernel/kernel.ts';
import { Registry } from '../../../src/kernel/registry.ts';
import { families } from '../../../src/tools/families.ts';
import { testDatabase } from '../../support/database.ts';
import { kernelOn } from './company.ts';

const counts = async ({ prisma }: Database) => ({
  enterprises: await prisma.enterprise.count(),
  counters: await prisma.eventCounter.count(),
  people: await prisma.person.count(),
  members: await prisma.member.count(),
  teams: await prisma.team.count(),
  roles: await prisma.role.count(),
  tasks: await prisma.task.count(),
  versions: await prisma.taskVersion.count(),
  audit: await prisma.auditEntry.count(),
});

const WHOLE = { enterprises: 1, counters: 1, people: 2, members: 5, teams: 2, roles: 5, tasks: 6, versions: 6, audit: 6 };

describe('the sample company', () => {
  let db: Database;
  let kernel: Kernel;
  beforeAll(async () => {
    db = await openDatabase({});
    kernel = kernelOn(db, new Registry(families));
  });
  afterAll(() => db.close());

  it('is there once, however often it is made', async () => {
    const first = await sampleCompany(kernel);
    expect(first.enterpriseId).toBe(SAMPLE_ENTERPRISE_ID);
    expect(await counts(db)).toEqual(WHOLE);
    expect(await sampleCompany(kernel)).toEqual(first);
    expect(await counts(db)).toEqual(WHOLE);
    const ceo = await db.prisma.person.findFirstOrThrow({ where: { id: first.ceoId } });
    expect([ceo.isCeo, ceo.enterpriseId]).toEqual([true, SAMPLE_ENTERPRISE_ID]);
  });

  it('holds what the demo walks through', async () => {
    const tasks = await db.prisma.task.findMany({
      include: { versions: { include: { team: true, role: true } } },
      orderBy: { slug: 'asc' },
    });
    const shown = tasks.map(({ slug, versions: [version] }) => ({
      slug,
      team: version!.team?.slug ?? null,
      role: version!.role?.slug ?? null,
      tools: version!.tools,
      gates: version!.gates,
      successors: version!.successors,
      contextPrefixes: version!.contextPrefixes,
    }));
    expect(shown).toMatchInlineSnapshot(`
      [
        {
          "contextPrefixes": [
            "watch/",
          ],
          "gates": [],
          "role": null,
          "slug": "gate-watch",
          "successors": [],
          "team": null,
          "tools": [
            "os.list_open_gates",
            "os.get_context",
            "os.set_context#!key=watch/gates",
          ],
        },
        {
          "contextPrefixes": [
            "plan/",
          ],
          "gates": [
            {
              "timeoutMinutes": null,
              "tool": "os.set_context",
            },
          ],
          "role": "writer",
          "slug": "publish-plan",
          "successors": [],
          "team": "studio",
          "tools": [
            "os.set_execution_name",
            "os.get_context",
            "os.set_context",
          ],
        },
        {
          "contextPrefixes": [
            "shop/",
          ],
          "gates": [
            {
              "timeoutMinutes": 1440,
              "tool": "os.set_context",
            },
            {
              "timeoutMinutes": null,
              "tool": "os.delete_context",
            },
          ],
          "role": "developer",
          "slug": "shop-change",
          "successors": [],
          "team": "workshop",
          "tools": [
            "os.set_execution_name",
            "os.add_execution_link",
            "os.set_gate_summary",
            "os.get_context",
            "os.set_context",
            "os.delete_context",
          ],
        },
        {
          "contextPrefixes": [
            "plan/",
            "status/",
          ],
          "gates": [],
          "role": "analyst",
          "slug": "status-note",
          "successors": [],
          "team": "workshop",
          "tools": [
            "os.set_execution_name",
            "os.list_open_gates",
            "os.get_context",
            "os.set_context#key=status/today",
          ],
        },
        {
          "contextPrefixes": [
            "plan/",
          ],
          "gates": [],
          "role": "planner",
          "slug": "weekly-plan",
          "successors": [
            {
              "outcome": "ceo_approved",
              "task": "publish-plan",
            },
            {
              "outcome": "ceo_rejected",
              "task": "weekly-plan-followup",
            },
          ],
          "team": "studio",
          "tools": [
            "os.set_execution_name",
            "os.add_execution_link",
            "os.set_gate_summary",
            "os.ask_ceo",
            "os.set_context",
            "os.get_context",
            "os.list_open_gates",
          ],
        },
        {
          "contextPrefixes": [
            "plan/",
          ],
          "gates": [],
          "role": "planner",
          "slug": "weekly-plan-followup",
          "successors": [],
          "team": "studio",
          "tools": [
            "os.set_execution_name",
            "os.get_context",
            "os.set_context#key=plan/lessons",
          ],
        },
      ]
    `);
  });

  it('has staff for each role, one team with a lead and one for the COO', async () => {
    const roles = await db.prisma.role.findMany({ include: { holders: { include: { member: true } } }, orderBy: { slug: 'asc' } });
    expect(roles.map(({ slug, holders }) => [slug, holders.map(({ member }) => member.name)])).toEqual([
      ['analyst', ['Wren Halloway']],
      ['coo', ['Quill Ashdown']],
      ['developer', ['Juniper Vale']],
      ['planner', ['Marigold Finch']],
      ['writer', ['Basil Thorne']],
    ]);
    const teams = await db.prisma.team.findMany({ include: { lead: true }, orderBy: { slug: 'asc' } });
    expect(teams.map(({ slug, lead }) => [slug, lead?.name ?? null])).toEqual([
      ['studio', 'Marigold Finch'],
      ['workshop', null],
    ]);
  });
});

it('is made once by two processes at once', async () => {
  const home = await testDatabase();
  const processes = await Promise.all([1, 2, 3].map(() => openDatabase({ url: home.url })));
  const made = await Promise.all(processes.map((db) => sampleCompany(kernelOn(db, new Registry(families)))));
  expect(new Set(made.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(await counts(processes[0]!)).toEqual(WHOLE);
  await Promise.all(processes.map((db) => db.close()));
  await home.drop();
});
