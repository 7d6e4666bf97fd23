/** A promise that a test settles. */
export interface Deferred<T = void> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: Error) => void;
}

export function deferred<T = void>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((ok, no) => {
    [resolve, reject] = [ok, no];
  });
  promise.catch(() => {}); // a test may reject it before anybody waits
  return { promise, resolve, reject };
}
