import type { EventRow } from '../db/event-row.ts';
import { printCursor } from '../events/cursor.ts';
import type { EventStream } from '../events/event-stream.ts';
import { ToolError } from '../kernel/errors.ts';
import type { Context } from './context.ts';

/** What a subscription is told: an event, or as the last thing the error that ends it. */
export type Told = EventRow | Error;

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The events of the caller's enterprise for one subscription. It ends with its credential and with its client, and an
 * error that ends it is its last value: clients get one `next` with errors, then complete.
 */
export async function told(
  context: Context,
  after: string | null | undefined,
  wants: (event: EventRow) => boolean,
): Promise<AsyncIterableIterator<Told>> {
  const { feeds, live, caller, gone, onSlow } = context;
  const stream = feeds.subscribe({ enterpriseId: caller.enterpriseId, after: after ?? null, wants });
  live.add(caller.tokenId, stream);
  const leave = () => void stream.return();
  for (const signal of gone) signal.addEventListener('abort', leave, { once: true });
  stream.ended.then((error) => {
    for (const signal of gone) signal.removeEventListener('abort', leave);
    if (isSlow(error)) onSlow?.(context);
  });
  if (gone.some(({ aborted }) => aborted)) leave();
  await stream.opened.catch(() => {}); // pulling throws it
  const start = stream.lastCursor ?? '';
  context.progress = { pulled: start, sent: start };
  return new Telling(stream, context.progress, onSlow !== undefined);
}

const isSlow = (error: unknown) => error instanceof ToolError && error.code === 'slow_consumer';

class Telling implements AsyncIterableIterator<Told> {
  readonly #left: Promise<void>;
  #leave!: () => void;

  /** `closes`: the transport closes on a slow client by itself, and is told nothing more before. */
  constructor(
    readonly stream: EventStream,
    readonly progress: { pulled: string },
    readonly closes: boolean,
  ) {
    this.#left = new Promise((resolve) => {
      this.#leave = resolve;
    });
  }

  async next(): Promise<IteratorResult<Told, undefined>> {
    try {
      const told = await this.stream.next();
      if (!told.done) this.progress.pulled = printCursor(told.value.number);
      return told;
    } catch (error) {
      if (this.closes && isSlow(error)) return this.#left.then(() => DONE);
      return { done: false, value: error instanceof ToolError ? error : new Error('The stream broke', { cause: error }) };
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#leave();
    await this.stream.return();
    return DONE;
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}
