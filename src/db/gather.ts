import { outside } from './transaction.ts';

interface Round<Row> {
  keys: Set<string>;
  rows: Promise<Map<string, Row>>;
}

/**
 * Look-ups by key of which those that are asked for in one turn of the event loop are one: what many requests ask for at once
 * costs as few statements as what one asks for. Answers undefined for a key that `load` has no row for.
 */
export function gathered<Row>(load: (keys: string[]) => Promise<Map<string, Row>>): (key: string) => Promise<Row | undefined> {
  let open: Round<Row> | undefined;

  function begin(): Round<Row> {
    const keys = new Set<string>();
    const turn = new Promise<void>((resolve) => setImmediate(resolve));
    const rows = turn.then(() => {
      open = undefined;
      return outside(() => load([...keys]));
    });
    return { keys, rows };
  }

  return async (key) => {
    open ??= begin();
    const { keys, rows } = open;
    keys.add(key);
    return (await rows).get(key);
  };
}
