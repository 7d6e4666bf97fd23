interface Round<Row> {
  keys: Set<string>;
  rows: Promise<Map<string, Row>>;
}

/**
 * Look-ups by key of which up to `most` that are asked for in one turn of the event loop are one: what many requests ask for at
 * once costs fewer statements. Answers undefined for a key that `load` has no row for.
 */
export function gathered<Row>(
  most: number,
  load: (keys: string[]) => Promise<Map<string, Row>>,
): (key: string) => Promise<Row | undefined> {
  let open: Round<Row> | undefined;

  function begin(): Round<Row> {
    const keys = new Set<string>();
    const turn = new Promise<void>((resolve) => setImmediate(resolve));
    const round: Round<Row> = {
      keys,
      rows: turn.then(() => {
        if (open === round) open = undefined;
        return load([...keys]);
      }),
    };
    return round;
  }

  return async (key) => {
    if (!open || open.keys.size === most) open = begin();
    const { keys, rows } = open;
    keys.add(key);
    return (await rows).get(key);
  };
}
