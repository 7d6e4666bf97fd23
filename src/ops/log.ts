import pino, { type LogFn, type Logger } from 'pino';
import { DatabaseTrouble } from '../db/trouble.ts';
import { redacted } from '../kernel/redacted.ts';

const NAMES = [
  'authorization',
  'cookie',
  'token',
  'secret',
  'password',
  'DATABASE_URL',
  'REDIS_URL',
  'databaseUrl',
  'redisUrl',
  'clientSecret',
];
const DEPTHS = ['', '*.', '*.*.', '*.*.*.'];

const SECOND = 1_000;

/** The database's trouble makes every request and every round of the sweep speak: one line a second tells it, and how often. */
function tellTroubleSparingly() {
  let count = 0;
  let latest: DatabaseTrouble;
  let timer: NodeJS.Timeout | undefined;
  function tell(log: Logger) {
    const { kind, state, message } = latest;
    log.warn({ trouble: kind, state, problem: message, count }, `The database is ${kind}`);
    count = 0;
    timer = setTimeout(() => {
      timer = undefined;
      if (count > 0) tell(log);
    }, SECOND);
    timer.unref();
  }
  return function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn) {
    const { err } = Object(args[0]);
    if (!(err instanceof DatabaseTrouble)) return method.apply(this, args);
    latest = err;
    count++;
    if (!timer) tell(this);
  };
}

/** The log of the process: JSON lines on stderr, from this level up, without secrets; an outage of the database is one line a second. */
export const openLog = (level: string): Logger =>
  pino(
    {
      level,
      redact: {
        paths: DEPTHS.flatMap((depth) => NAMES.map((name) => (name.startsWith('[') ? depth.replace(/\.$/, '') : depth) + name)),
        censor: '[redacted]',
      },
      hooks: { streamWrite: redacted, logMethod: tellTroubleSparingly() },
    },
    pino.destination({ dest: 2, sync: true }),
  );
