/** A clock that stands still until a test moves it. Give `now` to `additions`. */
export interface Clock {
  now: () => Date;
  /** Moves it forward by so many milliseconds. */
  advance(milliseconds: number): void;
}

/** A clock that stands at a time of ours. */
export function makeClock(start = '2030-02-04T09:00:00.000Z'): Clock {
  let time = Date.parse(start);
  return {
    now: () => new Date(time),
    advance(milliseconds) {
      time += milliseconds;
    },
  };
}
