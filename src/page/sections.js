import { ask } from './api.js';
import { h } from './dom.js';
import { visible } from './invisible.js';
import { moment } from './time.js';

/** @typedef {import('./dom.js').Child} Child */

/** @param {string | null | undefined} text */
const shown = (text) => visible(text ?? '');

/** @type {Record<string, string>} */
const KPI = { NO_KEY_KPI: 'no key KPI', NO_TARGET: 'no target', OVERDUE: 'reading overdue', LIGHT: 'not on target' };

/**
 * What stands on Blockers beside the stopped runs. It has no events, so it is read again.
 * @type {{ field: string, title: string, selection: string, line: (row: any) => (Child | Child[])[] }[]}
 */
const SECTIONS = [
  {
    field: 'stoppedPipelines',
    title: 'Stopped pipelines',
    selection: 'runId task outcome since',
    line: ({ runId, task, outcome, since }) => [
      h('a', { href: `#blocker/${runId}` }, shown(task)),
      ' ended with ',
      h('code', {}, shown(outcome)),
      ', which no task follows, ',
      moment(since),
    ],
  },
  {
    field: 'missingModelTiers',
    title: 'Model tiers without a key',
    selection: 'tier tasks',
    line: ({ tier, tasks }) => [h('strong', {}, shown(tier)), ', wanted by ', shown(tasks.join(', '))],
  },
  {
    field: 'exhaustedLlmCapacity',
    title: 'Model capacity used up',
    selection: 'tier until',
    line: ({ tier, until }) => [h('strong', {}, shown(tier)), ' until ', moment(until)],
  },
  {
    field: 'taskDefinitionProblems',
    title: 'Problems in task definitions',
    selection: 'task field message',
    line: ({ task, field, message }) => [h('strong', {}, shown(task)), ' ', h('code', {}, shown(field)), ': ', shown(message)],
  },
  { field: 'missingLead', title: 'Teams without a lead', selection: 'name', line: ({ name }) => [shown(name)] },
  { field: 'missingMetric', title: 'Tasks without a metric', selection: 'task name', line: ({ name }) => [shown(name)] },
  {
    field: 'overdueRetro',
    title: 'Overdue retros',
    selection: 'team { name } everyDays dueAt',
    line: ({ team, everyDays, dueAt }) => [h('strong', {}, shown(team.name)), ` every ${everyDays} days, due `, moment(dueAt)],
  },
  {
    field: 'kpiHealth',
    title: 'KPIs that need somebody',
    selection: 'condition kpi team { name } light owner',
    line: ({ condition, kpi, team, light, owner }) => [
      h('strong', {}, shown(kpi ?? team?.name)),
      `: ${KPI[condition] ?? condition}`,
      shown(
        [light, team?.name, owner]
          .filter(Boolean)
          .map((text) => `, ${text}`)
          .join(''),
      ),
    ],
  },
];

/** How many rows a page of a section has; and how many pages more can be asked for in one query: each is an alias. */
const PAGE = 200;
const MOST_MORE = 29;

/** @typedef {Map<string, number>} Pages how many pages of a section are shown, where it is more than one */

/** @param {Pages} pages @param {string} field */
const numbers = (pages, field) => Array.from({ length: pages.get(field) ?? 1 }, (_, index) => index + 1);

/** @param {Pages} pages */
const query = (pages) => {
  const fields = SECTIONS.flatMap(({ field, selection }) =>
    numbers(pages, field).map((page) =>
      page === 1 ? `${field} { ${selection} }` : `${field}_${page}: ${field}(page: ${page}) { ${selection} }`,
    ),
  );
  return `query Sections { blockers { spendEnabled draining ${fields.join(' ')} } }`;
};

/**
 * @param {Pages} pages
 * @returns {Promise<{ switches: { spendEnabled: boolean, draining: boolean }, sections: Record<string, any[]> }>}
 */
export async function readSections(pages) {
  const { spendEnabled, draining, ...read } = (await ask(query(pages))).blockers;
  const rows = (/** @type {string} */ field) => numbers(pages, field).flatMap((page) => read[page === 1 ? field : `${field}_${page}`]);
  return { switches: { spendEnabled, draining }, sections: Object.fromEntries(SECTIONS.map(({ field }) => [field, rows(field)])) };
}

/**
 * The sections that hold something; a long one with a way to its next page.
 * @param {Record<string, any[]>} sections @param {Pages} pages @param {() => void} readAgain
 */
export const sectionList = (sections, pages, readAgain) =>
  SECTIONS.filter(({ field }) => sections[field]?.length).map(({ field, title, line }) => {
    const rows = /** @type {any[]} */ (sections[field]);
    const shown = pages.get(field) ?? 1;
    const mayBeMore = rows.length === shown * PAGE && [...pages.values()].reduce((sum, one) => sum + one - 1, 0) < MOST_MORE;
    const more = () => {
      pages.set(field, shown + 1);
      readAgain();
    };
    return h(
      'section',
      {},
      h('h3', {}, title, ' ', h('span', { class: 'count' }, `${rows.length}${rows.length === shown * PAGE ? '+' : ''}`)),
      h(
        'ul',
        {},
        rows.map((row) => h('li', {}, ...line(row))),
      ),
      mayBeMore && h('button', { type: 'button', class: 'button', onclick: more }, 'Show more'),
    );
  });
