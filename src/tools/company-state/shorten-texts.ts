import { MOST_CHARACTERS } from '../../kernel/call-row.ts';

const MOST_OF_A_TEXT = 200;

/** The rows as they are when they fit in one answer; else with every text of their payloads cut to 200 characters. */
export function shortenTexts<Row extends { payload: unknown }>(rows: Row[]): Row[] {
  if (JSON.stringify(rows).length <= MOST_CHARACTERS) return rows;
  return rows.map((row) => ({ ...row, payload: shortened(row.payload) }));
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return [...value].length > MOST_OF_A_TEXT ? `${[...value].slice(0, MOST_OF_A_TEXT - 1).join('')}…` : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
}

/** An answer about stopped runs as it is when it fits; else with the reasons, the notes and the messages in it cut to 200 characters. */
export function shortenReasons<Answer extends object>(answer: Answer): Answer {
  return JSON.stringify(answer).length <= MOST_CHARACTERS ? answer : (shortened(answer) as Answer);
}
