import type { EventStream } from './event-stream.ts';

/** The most bytes that a process holds for subscribers that have not read them yet. */
export const HELD = 256 * 1024 * 1024;

/** Ends the streams that hold the most, as too slow, until all together hold no more than this. */
export function checkBacklog(streams: Pick<EventStream, 'held' | 'overflow'>[], most: number): void {
  const holding = streams.map((stream) => ({ stream, held: stream.held })).filter(({ held }) => held > 0);
  let total = holding.reduce((sum, { held }) => sum + held, 0);
  if (total <= most) return;
  holding.sort((a, b) => b.held - a.held);
  for (const { stream, held } of holding) {
    if (total <= most) return;
    stream.overflow();
    total -= held;
  }
}
