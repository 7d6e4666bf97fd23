import pino, { type Logger } from 'pino';

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

const SECRET = /gh[rpscl]_[A-Za-z0-9_-]{43}/g;
const PASSWORD_IN_URL = /([a-z][a-z0-9+.-]*:\/\/)[^\s/@"\\]+@/g;

/** A line of the log without the secrets that stand in its texts: credentials of ours, the webhook's, and the passwords of URLs. */
export const redacted = (line: string) => line.replaceAll(SECRET, '[redacted]').replaceAll(PASSWORD_IN_URL, '$1[redacted]@');

/** The log of the process: JSON lines on stderr, from this level up, without secrets. */
export const openLog = (level: string): Logger =>
  pino(
    {
      level,
      redact: {
        paths: DEPTHS.flatMap((depth) => NAMES.map((name) => (name.startsWith('[') ? depth.replace(/\.$/, '') : depth) + name)),
        censor: '[redacted]',
      },
      hooks: { streamWrite: redacted },
    },
    pino.destination({ dest: 2, sync: true }),
  );
