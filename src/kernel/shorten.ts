import { MOST_CHARACTERS } from './call-row.ts';

/** How many characters a text keeps of an answer that is too long to be handed to a run: step by step, until it fits. */
export const TEXT_STEPS = [1_000, 200, 60];

/** Ids, slugs and times stay whole at every step: what a run has to send again may not be cut. */
const MOST_OF_A_NAME = 64;

/**
 * A copy in which each text keeps at most `most` characters and each list of texts a tenth as many entries, the last of
 * which then counts the others. Pairs are not split.
 */
export function shorten(value: unknown, most: number): unknown {
  if (typeof value === 'string') return shortenText(value, most);
  if (Array.isArray(value)) return shortenList(value, most);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner, most)]));
}

/** The text, or its beginning with `…` in place of the rest. */
export function shortenText(text: string, most: number): string {
  if (text.length <= Math.max(most, MOST_OF_A_NAME)) return text;
  const begin = [...text.slice(0, 2 * most + 1)];
  return begin.length > most ? `${begin.slice(0, most - 1).join('')}…` : text;
}

function shortenList(list: unknown[], most: number): unknown[] {
  const kept = Math.floor(most / 10);
  if (list.length <= kept || !list.every((entry) => typeof entry === 'string')) return list.map((entry) => shorten(entry, most));
  return [...list.slice(0, kept - 1).map((entry) => shorten(entry, most)), `… ${list.length - kept + 1} more`];
}

/** The value as it is when it can be handed to a run; else with its texts shortened as little as it takes. */
export function shortenToFit(value: unknown): unknown {
  const fits = (shown: unknown) => JSON.stringify(shown).length <= MOST_CHARACTERS;
  if (fits(value)) return value;
  return TEXT_STEPS.map((most) => shorten(value, most)).find(fits) ?? shorten(value, TEXT_STEPS.at(-1)!);
}
