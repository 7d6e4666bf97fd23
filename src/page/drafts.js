/** How many drafts a browser keeps: the oldest leave first. */
const MOST = 200;

const PREFIX = 'draft/';

/** What could not be kept in the browser stays until the page is left. @type {Map<string, string>} */
const unkept = new Map();

/**
 * What somebody wrote and did not send yet: an own object to write to, kept whenever `keep` is called.
 * @template {object} Written
 * @typedef {{ written: Written, keep: () => boolean, drop: () => void, isKept: () => boolean }} Draft
 */

/**
 * The draft of a person at one object. It survives leaving it, a refresh, and the end of the session.
 * @template {Record<string, unknown>} Written
 * @param {{ person: string, at: string, hash?: string }} of `at`: kind and id of the object; `hash`: of the payload that was shown
 * @param {Written} empty what is written at first, by which a draft is told to be empty
 * @returns {Draft<Written>}
 */
export function draftOf({ person, at, hash = '' }, empty) {
  const key = `${PREFIX}${person}/${at}/${hash}`;
  const nothing = JSON.stringify(empty);
  const written = { ...structuredClone(empty), ...read(key) };
  const drop = () => {
    unkept.delete(key);
    attempt(() => localStorage.removeItem(key));
  };
  return {
    written,
    /** Answers whether the browser keeps it. */
    keep() {
      if (JSON.stringify(written) === nothing) drop();
      else return store(key, JSON.stringify({ written, at: Date.now() }));
      return true;
    },
    drop,
    isKept: () => read(key) !== undefined,
  };
}

/** @param {string} key */
function read(key) {
  try {
    return JSON.parse(unkept.get(key) ?? localStorage.getItem(key) ?? 'null')?.written;
  } catch {
    return undefined;
  }
}

/** @param {string} key @param {string} text */
function store(key, text) {
  makeRoom(key);
  const isStored = attempt(() => localStorage.setItem(key, text));
  if (isStored) unkept.delete(key);
  else unkept.set(key, text);
  return isStored;
}

/** @param {string} key the one that comes, which needs no room when it is there */
function makeRoom(key) {
  attempt(() => {
    if (localStorage.getItem(key) !== null) return;
    const others = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    if (others.length < MOST) return;
    const ages = others.map((name) => ({ name, at: JSON.parse(localStorage.getItem(name) ?? '{}').at ?? 0 }));
    for (const { name } of ages.sort((a, b) => a.at - b.at).slice(0, others.length - MOST + 1)) localStorage.removeItem(name);
  });
}

/** A browser may refuse to keep anything. @param {() => void} act */
function attempt(act) {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
