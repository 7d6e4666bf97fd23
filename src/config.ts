import { z } from 'zod';
import { TIMING, type Timing } from './kernel/kernel.ts';

/** Everything the service is told from outside. `timing` is no setting: tests shorten it. */
export interface Config {
  port: number;
  host: string;
  /** Every file of the service lies under this folder. */
  dataDir: string;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** Where people reach the service; the `Host` it was sent to when unset. */
  publicUrl: string | undefined;
  logLevel: string;
  /** Requests of one credential in ten seconds; 0: no limit. */
  rateLimit: number;
  development: boolean;
  timing: Timing;
}

const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: `must be a whole number from ${least} to ${most}` })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error: `must be a whole number from ${least} to ${most}` });

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

const environment = z.object({
  PORT: whole(0, 65_535).default(4000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  PUBLIC_URL: url('http:', 'https:').optional(),
  LOG_LEVEL: z.enum(LEVELS, { error: `must be one of ${LEVELS.join(', ')}` }).default('info'),
  RATE_LIMIT: whole(0, 999_999_999).default(500),
  NODE_ENV: z.string().optional(),
});

/** A setting that the service cannot start with. The message is one line and names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the settings from an environment; an empty value counts as unset.
 * @throws {ConfigError} naming each bad setting and what it may be; values are not told, as they can hold passwords
 */
export function configFrom(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '));
  }
  const { data } = parsed;
  return {
    port: data.PORT,
    host: data.HOST,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    redisUrl: data.REDIS_URL,
    publicUrl: data.PUBLIC_URL,
    logLevel: data.LOG_LEVEL,
    rateLimit: data.RATE_LIMIT,
    development: data.NODE_ENV !== 'production',
    timing: TIMING,
  };
}
