import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { redacted } from '../../src/kernel/redacted.ts';

const SECRET = `ghp_${'x'.repeat(43)}`;

test('secrets in texts are taken out, whatever stands around them', () => {
  expect(redacted(`{"msg":"sent ${SECRET}, then ghs_${'_'.repeat(43)}"}`)).toBe('{"msg":"sent [redacted], then [redacted]"}');
  expect(redacted('postgres://gate:house@db:5432/x and redis://:hush@cache')).toBe(
    'postgres://[redacted]@db:5432/x and redis://[redacted]@cache',
  );
  expect(redacted('https://example.com/a?b=c@d')).toBe('https://example.com/a?b=c@d');
});

test('the log writes JSON lines on stderr, from its level up, without the fields that hold secrets', () => {
  const script = `
    import { openLog } from './src/ops/log.ts';
    const log = openLog('info');
    log.debug('not told');
    log.info({ request: { headers: { authorization: 'Basic abc', accept: 'x' } }, token: 't', password: 'p' }, 'a request');
    log.error({ err: new Error('failed with ${SECRET}') }, 'a failure');`;
  const stderr = stderrOf(script);
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({
    level: 30,
    msg: 'a request',
    request: { headers: { authorization: '[redacted]', accept: 'x' } },
    token: '[redacted]',
    password: '[redacted]',
  });
  expect(lines[1].err.message).toBe('failed with [redacted]');
  expect(stderr).not.toContain(SECRET);
});

test('an outage of the database is one line a second, with how often it was met', () => {
  const script = `
    import { DatabaseTrouble } from './src/db/trouble.ts';
    import { openLog } from './src/ops/log.ts';
    const log = openLog('info');
    for (let n = 0; n < 1000; n++) log.error({ err: new DatabaseTrouble('away', 'connect ECONNREFUSED', 'ECONNREFUSED') }, 'a sweep failed');
    log.info('something else');
    await new Promise((resolve) => setTimeout(resolve, 1_100));`;
  const lines = stderrOf(script)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ level, msg, trouble, state, problem, count }) => ({ level, msg, trouble, state, problem, count }));
  const told = { level: 40, msg: 'The database is away', trouble: 'away', state: 'ECONNREFUSED', problem: 'connect ECONNREFUSED' };
  expect(lines).toEqual([
    { ...told, count: 1 },
    { level: 30, msg: 'something else' },
    { ...told, count: 999 },
  ]);
});

/** Everything that the script writes on stderr. */
function stderrOf(script: string): string {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout).toBe('');
  return stderr;
}
