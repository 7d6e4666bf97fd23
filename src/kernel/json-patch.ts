import { Likeness } from './json-likeness.ts';

/** One operation of an RFC 6902 patch. */
export type PatchOperation = { op: 'add' | 'replace'; path: string; value: unknown } | { op: 'remove'; path: string };

/** The operations on one value, their paths counted from it, and about how many characters of JSON they have. */
interface Part {
  operations: PatchOperation[];
  length: number;
}

/** A patch may be this many characters longer than what it makes, before that is replaced whole: small parts stay readable. */
const ROOM = 2_000;
/** What an operation has in characters beside its path and its value. */
const AROUND = 35;

/**
 * The RFC 6902 patch that makes `to` of `from`; empty: they are equal. A small change is a small patch, for the items of a list
 * that stand in both are found again; a part whose patch would be much longer than itself is replaced whole.
 * Takes about linear time. Both are JSON nested at most 64 deep.
 */
export const patchOf = (from: unknown, to: unknown): PatchOperation[] => partOf(new Likeness(), from, to).operations;

function partOf(like: Likeness, from: unknown, to: unknown): Part {
  if (like.idOf(from) === like.idOf(to)) return { operations: [], length: 0 };
  const whole = set(like, 'replace', '', to);
  const inside = insideOf(like, from, to);
  return inside && inside.length <= whole.length + ROOM ? inside : whole;
}

function insideOf(like: Likeness, from: unknown, to: unknown): Part | undefined {
  if (Array.isArray(from) && Array.isArray(to)) return joined(itemsOf(like, from, to));
  return isObject(from) && isObject(to) ? joined(fieldsOf(like, from, to)) : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function* fieldsOf(like: Likeness, from: Record<string, unknown>, to: Record<string, unknown>): Generator<Part> {
  for (const key of Object.keys(from)) {
    yield Object.hasOwn(to, key) ? below(key, partOf(like, from[key], to[key])) : removed(key);
  }
  for (const key of Object.keys(to)) if (!Object.hasOwn(from, key)) yield set(like, 'add', pointer(key), to[key]);
}

/** Before its place `at` the list is `to` already; what follows there is `from`, beginning with its item `left`. */
function* itemsOf(like: Likeness, from: unknown[], to: unknown[]): Generator<Part> {
  const [old, wanted] = [from, to].map((items) => items.map((item) => like.idOf(item))) as [number[], number[]];
  const same = commonEnd(old, wanted);
  const [leftEnd, atEnd] = [old.length - same, wanted.length - same];
  const [inOld, inWanted] = [distances(old, leftEnd), distances(wanted, atEnd)];
  for (let left = 0, at = 0; left < leftEnd || at < atEnd; ) {
    const toWanted = at < atEnd ? inOld(wanted[at]!, left) : Number.POSITIVE_INFINITY;
    const toOld = left < leftEnd ? inWanted(old[left]!, at) : Number.POSITIVE_INFINITY;
    const gone = left < leftEnd && toOld === Number.POSITIVE_INFINITY;
    const fresh = at < atEnd && toWanted === Number.POSITIVE_INFINITY;
    if (gone && fresh) yield below(String(at), partOf(like, from[left++], to[at++]));
    else if (toWanted === 0) [left, at] = [left + 1, at + 1];
    else if (gone || (left < leftEnd && toWanted < toOld)) {
      yield removed(String(at));
      left++;
    } else yield set(like, 'add', left === from.length ? '/-' : pointer(String(at)), to[at++]);
  }
}

function commonEnd(old: number[], wanted: number[]): number {
  let same = 0;
  while (same < Math.min(old.length, wanted.length) && old[old.length - 1 - same] === wanted[wanted.length - 1 - same]) same++;
  return same;
}

/** How far the next item with an id is from a place that only moves on; infinite: there is none before `end`. */
function distances(ids: number[], end: number): (id: number, from: number) => number {
  const places = new Map<number, number[]>();
  for (let place = end - 1; place >= 0; place--) {
    const known = places.get(ids[place]!);
    if (known) known.push(place);
    else places.set(ids[place]!, [place]);
  }
  return (id, from) => {
    const ahead = places.get(id) ?? [];
    while (ahead.length > 0 && ahead.at(-1)! < from) ahead.pop();
    return (ahead.at(-1) ?? Number.POSITIVE_INFINITY) - from;
  };
}

function joined(parts: Iterable<Part>): Part {
  const whole: Part = { operations: [], length: 0 };
  for (const { operations, length } of parts) {
    for (const operation of operations) whole.operations.push(operation);
    whole.length += length;
  }
  return whole;
}

const pointer = (key: string) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

function below(key: string, { operations, length }: Part): Part {
  const path = pointer(key);
  const moved = operations.map((operation) => ({ ...operation, path: path + operation.path }));
  return { operations: moved, length: length + operations.length * path.length };
}

const removed = (key: string): Part => ({ operations: [{ op: 'remove', path: pointer(key) }], length: AROUND + key.length });

function set(like: Likeness, op: 'add' | 'replace', path: string, value: unknown): Part {
  return { operations: [{ op, path, value }], length: AROUND + path.length + like.lengthOf(value) };
}
