import { MOST_CHARACTERS } from '../../kernel/call-row.ts';
import { shorten, TEXT_STEPS } from '../../kernel/shorten.ts';

/** How many rows can fit at all, when none has fewer characters than `smallest`: the others need not even be read. */
export const mostRows = (smallest: number) => Math.ceil(MOST_CHARACTERS / smallest);

type Cut = (row: never, most: number) => unknown;

/** A list of an answer, in the order in which its rows are kept. */
export interface Section {
  rows: unknown[];
  /** How many there are, rows that were not read included. */
  total: number;
  /** How a row is shortened: its texts, unless told otherwise. */
  cut?: Cut;
}

interface Kept {
  rows: unknown[];
  size: number;
}

/** The first rows, cut, that take no more than `room` characters together. */
function keep({ rows, cut = shorten }: Section, most: number, room: number): Kept {
  const kept: Kept = { rows: [], size: 0 };
  for (const row of rows) {
    const shown = cut(row as never, most);
    const size = kept.size + JSON.stringify(shown).length + 1;
    if (size > room) break;
    kept.rows.push(shown);
    kept.size = size;
  }
  return kept;
}

/**
 * The rows of each section that fit in `room` characters of JSON together: all as they are, or with their texts shortened
 * step by step; failing that the first ones of each, a section that needs less than its share leaving the rest to the others.
 */
function fitRows(sections: Section[], room: number): unknown[][] {
  for (const most of [Number.POSITIVE_INFINITY, ...TEXT_STEPS]) {
    let left = room;
    const kept = sections.map((section) => {
      const one = keep(section, most, left);
      left -= one.size;
      return one.rows;
    });
    if (kept.every((rows, index) => rows.length === sections[index]!.total)) return kept;
  }
  return shareOut(sections, room);
}

function shareOut(sections: Section[], room: number): unknown[][] {
  const most = TEXT_STEPS.at(-1)!;
  const sizeOf = (section: Section) => {
    const { rows, size } = keep(section, most, room);
    return rows.length === section.total ? size : room;
  };
  const bySize = sections.map((section, index) => ({ section, index, size: sizeOf(section) })).sort((a, b) => a.size - b.size);
  const shared: unknown[][] = [];
  let left = room;
  for (const [place, { section, index }] of bySize.entries()) {
    const { rows, size } = keep(section, most, Math.floor(left / (bySize.length - place)));
    shared[index] = rows;
    left -= size;
  }
  return shared;
}

const MANY = 1_000_000_000;

/** An answer of sections and of `rest`, short enough for a run; `<section>More` counts the rows that are left out. */
export function fitSections<Name extends string>(sections: Record<Name, Section>, rest: object): object {
  const names = Object.keys(sections) as Name[];
  const frame = Object.fromEntries(names.flatMap((name) => [[name, []] as const, [`${name}More`, MANY] as const]));
  const room = MOST_CHARACTERS - JSON.stringify({ ...frame, ...rest }).length;
  const kept = fitRows(Object.values<Section>(sections), room);
  const told = names.flatMap((name, index) => {
    const rows = kept[index]!;
    const more = sections[name].total - rows.length;
    return [[name, rows] as const, ...(more > 0 ? [[`${name}More`, more] as const] : [])];
  });
  return { ...Object.fromEntries(told), ...rest };
}

/** A list short enough for a run; `more` on its last row counts the rows that are left out. */
export function fitList(section: Section): object[] {
  const [kept] = fitRows([section], MOST_CHARACTERS - JSON.stringify([{ more: MANY }]).length);
  const rows = kept as object[];
  const more = section.total - rows.length;
  return more > 0 ? [...rows.slice(0, -1), { ...rows.at(-1), more }] : rows;
}
