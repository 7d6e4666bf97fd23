import type { EventRow } from '../db/event-row.ts';
import { RESUMABLE } from '../events/cursor.ts';
import type { EventStream } from '../events/event-stream.ts';
import { ToolError } from '../kernel/errors.ts';
import type { Context } from './context.ts';

/** What a subscription is told: an event, or as the last thing the error that ends it. */
export type Told = EventRow | Error;

/** What the cursor of an event is. */
export const CURSOR = 'Subscribe `after` it to go on behind this event. Opaque: it may change its form.';

export const cursorOf = (event: EventRow, _args: unknown, { telling }: Context): string => telling!.cursorOf(event);

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
  const { feeds, live, caller, gone, buffered, onCut, closesOnCut } = context;
  const stream = feeds.subscribe({ enterpriseId: caller.enterpriseId, after: after ?? null, wants, buffered });
  live.add(caller.tokenId, stream);
  const leave = () => void stream.return();
  for (const signal of gone) signal.addEventListener('abort', leave, { once: true });
  stream.ended.then((error) => {
    for (const signal of gone) signal.removeEventListener('abort', leave);
    if (isResumable(error)) onCut(context, error);
  });
  if (gone.some(({ aborted }) => aborted)) leave();
  context.telling = new Telling(stream, closesOnCut, after ?? null);
  await stream.opened.catch(() => {}); // pulling throws it
  return context.telling;
}

const isResumable = (error: unknown): error is ToolError & { code: keyof typeof RESUMABLE } =>
  error instanceof ToolError && Object.hasOwn(RESUMABLE, error.code);

/** The stream of one subscription, and how far its client has been told. */
export class Telling implements AsyncIterableIterator<Told> {
  readonly #stream: EventStream;
  readonly #closes: boolean;
  readonly #after: string | null;
  readonly #left: Promise<void>;
  #leave!: () => void;
  #last: string | null = null;

  /** `closes`: the transport closes when the stream is cut, and is told nothing more before. */
  constructor(stream: EventStream, closes: boolean, after: string | null) {
    this.#stream = stream;
    this.#closes = closes;
    this.#after = after;
    this.#left = new Promise((resolve) => {
      this.#leave = resolve;
    });
    stream.opened.then(
      () => {
        this.#last ??= stream.lastCursor;
      },
      () => {},
    );
  }

  /** The cursor of the last event that was told; before the first, of where the stream began. */
  get cursor(): string | null {
    return this.#last ?? this.#after;
  }

  cursorOf({ number }: EventRow): string {
    return this.#stream.cursorOf(number);
  }

  /** The event is on its way to the client. */
  sent(event: EventRow) {
    this.#last = this.cursorOf(event);
  }

  /** Resolves when what failed may be tried again; false when the stream has ended. */
  again(): Promise<boolean> {
    return this.#stream.again();
  }

  async next(): Promise<IteratorResult<Told, undefined>> {
    try {
      return await this.#stream.next();
    } catch (error) {
      if (!isResumable(error))
        return { done: false, value: error instanceof ToolError ? error : new Error('The stream broke', { cause: error }) };
      if (this.#closes) return this.#left.then(() => DONE);
      return { done: false, value: RESUMABLE[error.code](this.cursor) };
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#leave();
    await this.#stream.return();
    return DONE;
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}
