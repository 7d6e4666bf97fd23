/**
 * The one row that a statement must have answered: what is not there is no default.
 * @throws {Error} naming `what` is missing; the transaction is undone by it
 */
export function only<Row>(rows: Row[], what: string): Row {
  const [row] = rows;
  if (row === undefined) throw new Error(`There is no ${what}, though there must be one`);
  return row;
}
