import type { QueryConfig } from 'pg';

/** A named SQL statement: parsed once a connection, then only bound. */
export type Statement<Row, Values extends unknown[]> = (...values: Values) => QueryConfig & { readonly row?: Row };

/**
 * Declares a statement with its row type and its parameters in order.
 * `name` is unique in the program: Postgres keeps the prepared statement under it.
 */
export function statement<Row, Values extends unknown[] = []>(name: string, text: string): Statement<Row, Values> {
  return (...values) => ({ name, text, values: values.map(bound) });
}

/** `pg` sends a JS array as a Postgres array and an object as JSON text; what is meant as JSON is wrapped in `json()`. */
class Json {
  constructor(readonly text: string) {}
}

/** Marks a value (an array, a string, null …) to be stored in a jsonb column. `undefined` stands for SQL NULL. */
export const json = (value: unknown) => (value === undefined ? null : new Json(JSON.stringify(value)));

const bound = (value: unknown) => (value instanceof Json ? value.text : value);
