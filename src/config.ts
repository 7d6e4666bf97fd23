import { z } from 'zod';
import { isLoopback } from './auth/loopback.ts';
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
  /** The OpenID Connect issuer that signs people in. */
  oidc: OidcSettings | undefined;
  /** Where gates that open are told. */
  webhook: WebhookSettings | undefined;
  logLevel: string;
  /** Requests of one credential in ten seconds; 0: no limit. */
  rateLimit: number;
  development: boolean;
  timing: Timing;
}

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

export interface WebhookSettings {
  url: string;
  /** As Standard Webhooks writes it: `whsec_` and base64. */
  secret: string;
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

const plainUrl = url('http:', 'https:').refine(
  (value) => !URL.canParse(value) || new URL(value).username + new URL(value).password === '',
  {
    error: 'must not hold a user or a password',
  },
);

/** Plain http only where nobody can listen in: on loopback. */
const issuer = plainUrl.refine(
  (value) => !URL.canParse(value) || new URL(value).protocol === 'https:' || isLoopback(new URL(value).hostname),
  {
    error: 'must be https, as it is not on loopback',
  },
);

const webhookSecret = z.string().refine(
  (value) => {
    const bytes = Buffer.from(value.replace(/^whsec_/, ''), 'base64');
    return /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(value) && bytes.length >= 24 && bytes.length <= 64;
  },
  { error: 'must be whsec_ and 24 to 64 bytes in base64' },
);

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

const environment = z.object({
  PORT: whole(0, 65_535).default(4000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  PUBLIC_URL: url('http:', 'https:').optional(),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  WEBHOOK_URL: plainUrl.optional(),
  WEBHOOK_SECRET: webhookSecret.optional(),
  LOG_LEVEL: z.enum(LEVELS, { error: `must be one of ${LEVELS.join(', ')}` }).default('info'),
  RATE_LIMIT: whole(0, 999_999_999).default(500),
  NODE_ENV: z.string().optional(),
});

/** A setting that the service cannot start with. The message is one line and names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Settings = z.infer<typeof environment>;

const OIDC = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
const WEBHOOK = ['WEBHOOK_URL', 'WEBHOOK_SECRET'] as const;

/** What is wrong with settings that only count together: all of them are set, with what they need, or none. */
function incomplete(data: Settings, together: readonly (keyof Settings)[], needs: (keyof Settings)[] = []): string[] {
  if (together.every((name) => data[name] === undefined)) return [];
  const missing = [...together, ...needs].filter((name) => data[name] === undefined);
  if (missing.length === 0) return [];
  const needed = needs.length > 0 ? ` and need ${needs.join(', ')}` : '';
  return [`${together.join(', ')} go together${needed}: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`];
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
  const halves = [...incomplete(data, OIDC, ['PUBLIC_URL']), ...incomplete(data, WEBHOOK)];
  if (halves.length > 0) throw new ConfigError(halves.join('; '));
  return {
    port: data.PORT,
    host: data.HOST,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    redisUrl: data.REDIS_URL,
    publicUrl: data.PUBLIC_URL,
    oidc: data.OIDC_ISSUER
      ? { issuer: data.OIDC_ISSUER, clientId: data.OIDC_CLIENT_ID!, clientSecret: data.OIDC_CLIENT_SECRET! }
      : undefined,
    webhook: data.WEBHOOK_URL ? { url: data.WEBHOOK_URL, secret: data.WEBHOOK_SECRET! } : undefined,
    logLevel: data.LOG_LEVEL,
    rateLimit: data.RATE_LIMIT,
    development: data.NODE_ENV !== 'production',
    timing: TIMING,
  };
}
