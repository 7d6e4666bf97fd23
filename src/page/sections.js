import { ask } from './api.js';
import { h } from './dom.js';
import { visible } from './invisible.js';

/**
 * What stands on Blockers beside the stopped runs. It has no events, so it is read again.
 * @type {{ field: string, title: string, selection: string, line: (row: any) => string }[]}
 */
const SECTIONS = [];

const QUERY = `query Sections { blockers { spendEnabled draining ${SECTIONS.map(({ field, selection }) => `${field} { ${selection} }`).join(' ')} } }`;

/** @returns {Promise<{ switches: { spendEnabled: boolean, draining: boolean }, sections: Record<string, any[]> }>} */
export async function readSections() {
  const { spendEnabled, draining, ...sections } = (await ask(QUERY)).blockers;
  return { switches: { spendEnabled, draining }, sections };
}

/** The sections that hold something. @param {Record<string, any[]>} sections */
export const sectionList = (sections) =>
  SECTIONS.flatMap(({ field, title, line }) => {
    const rows = sections[field] ?? [];
    return rows.length === 0
      ? []
      : [
          h(
            'section',
            {},
            h('h3', {}, title, ' ', h('span', { class: 'count' }, String(rows.length))),
            h(
              'ul',
              {},
              rows.map((row) => h('li', {}, visible(line(row)))),
            ),
          ),
        ];
  });
