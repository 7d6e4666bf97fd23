import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, inject, it } from 'vitest';
import { knownMigrations, MIGRATIONS } from '../../src/db/migrations.ts';
import { mortal } from '../support/children.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const RELEASE = readFileSync(path.join(ROOT, 'prisma/previous-release'), 'utf8').trim();

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, maxBuffer: 256 * 1024 * 1024, stdio: ['ignore', 'pipe', 'ignore'] });

/** Whether the history of this clone goes back to it. Where everything is to be tested, it must. */
function hasRelease(): boolean {
  try {
    git('cat-file', '-e', `${RELEASE}^{commit}`);
    return true;
  } catch {
    if (process.env.CI)
      throw new Error(`prisma/previous-release names ${RELEASE}, which this clone does not have: fetch its whole history.`);
    return false;
  }
}

describe.skipIf(!hasRelease())('the previous release', () => {
  it('works on the schema of this one: its own calls pass', { timeout: 600_000 }, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-release-'));
    try {
      execFileSync('tar', ['-x', '-C', folder], { input: git('archive', RELEASE) });
      rmSync(path.join(folder, 'prisma/migrations'), { recursive: true });
      cpSync(MIGRATIONS, path.join(folder, 'prisma/migrations'), { recursive: true });
      symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
      expect(await calls(folder)).toEqual({ success: true, numFailedTests: 0, numPendingTests: 0 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('goes on beside this one: each migration that it lacks says so', () => {
    const itsOwn = String(git('ls-tree', '--name-only', `${RELEASE}:prisma/migrations`))
      .trim()
      .split('\n');
    const newest = itsOwn.at(-1)!.slice(0, 4);
    // Releases before 0010 do not read what a migration says.
    const later = knownMigrations().filter(({ name }) => !itsOwn.includes(name) && newest >= '0010');
    const keeps = ({ sql }: { sql: string }) => (sql.match(/^-- keeps (\d{4})\n/)?.[1] ?? '9999') <= newest;
    expect(later.filter((migration) => !keeps(migration)).map(({ name }) => name)).toEqual([]);
  });
});

/** Runs the scenarios of the release: every tool, by every transport of it. */
async function calls(folder: string) {
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const report = path.join(folder, 'report.json');
  const env = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME },
    ...{ DATABASE_URL: inject('postgresUrl'), REDIS_URL: inject('redisUrl'), TEST_REPORT: report },
  };
  const child = mortal(spawn(process.execPath, [vitest, 'run', 'test/scenarios'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  try {
    const { success, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { success, numFailedTests, numPendingTests };
  } catch {
    return `${stdout}${stderr}`;
  }
}
