import type { Logger } from 'pino';
import { endedCredentials } from '../auth/authenticate.ts';
import type { Queryable } from '../db/database.ts';
import { ToolError } from '../kernel/errors.ts';
import type { Timing } from '../kernel/kernel.ts';

/** Something open on a credential: an event stream, say. */
export interface Open {
  end(error: Error): void;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<unknown>;
}

/** Told that a credential ended, after its streams were ended: for the socket that carried them. */
export type OnDead = (error: ToolError, tokenId: string) => void;

interface LiveStreamsOptions {
  db: Queryable;
  timing: Timing;
  now: () => Date;
  log: Logger;
}

/** What is open on which credential. A credential that is revoked, expires or dies with its person or run takes it along. */
export class LiveStreams {
  readonly #options: LiveStreamsOptions;
  readonly #streams = new Map<string, Set<Open>>();
  readonly #sockets = new Map<string, Set<OnDead>>();
  readonly #timer: NodeJS.Timeout;
  #checking: Promise<void> | undefined;

  constructor(options: LiveStreamsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.check(), options.timing.credentialCheck);
  }

  /** Ends the stream, with `unauthenticated`, when the credential ends. It leaves by itself when it has ended. */
  add(tokenId: string, stream: Open) {
    const leave = into(this.#streams, tokenId, stream);
    stream.ended.then(leave, leave);
  }

  /** Calls `onDead` once when the credential ends, streams or not, unless the answered function was called before. */
  watch(tokenId: string, onDead: OnDead): () => void {
    const told: OnDead = (error) => onDead(error, tokenId);
    return into(this.#sockets, tokenId, told);
  }

  /** How many streams and sockets are open, on how many credentials. */
  get open() {
    const size = (map: Map<string, Set<unknown>>) => [...map.values()].reduce((sum, set) => sum + set.size, 0);
    return { tokens: this.#tokens().length, streams: size(this.#streams), sockets: size(this.#sockets) };
  }

  /** Looks at every credential in use, with one statement. Also runs by itself every `timing.credentialCheck`. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  close() {
    clearInterval(this.#timer);
  }

  #tokens() {
    return [...new Set([...this.#streams.keys(), ...this.#sockets.keys()])];
  }

  async #check() {
    const { db, timing, now, log } = this.#options;
    const tokens = this.#tokens();
    if (tokens.length === 0) return;
    try {
      const dead = await endedCredentials(db, timing, tokens, now());
      for (const [tokenId, error] of dead) this.#kill(tokenId, error);
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'Could not check the credentials of open streams; the next round tries again');
    }
  }

  #kill(tokenId: string, error: ToolError) {
    for (const stream of [...(this.#streams.get(tokenId) ?? [])]) stream.end(new ToolError(error.code, error.message));
    const sockets = this.#sockets.get(tokenId) ?? [];
    this.#sockets.delete(tokenId);
    for (const onDead of sockets) onDead(error, tokenId);
  }
}

/** Adds to the set under a key, and answers what takes it out again. */
function into<T>(sets: Map<string, Set<T>>, key: string, value: T): () => void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(value));
  return () => {
    set.delete(value);
    if (set.size === 0 && sets.get(key) === set) sets.delete(key);
  };
}
