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

const FIELDS = SECTIONS.map(({ field, selection }) => `${field} { ${selection} }`).join(' ');
const QUERY = `query Sections { blockers { spendEnabled draining ${FIELDS} } }`;

/** @returns {Promise<{ switches: { spendEnabled: boolean, draining: boolean }, sections: Record<string, any[]> }>} */
export async function readSections() {
  const { spendEnabled, draining, ...sections } = (await ask(QUERY)).blockers;
  return { switches: { spendEnabled, draining }, sections };
}

/** The sections that hold something. @param {Record<string, any[]>} sections */
export const sectionList = (sections) =>
  SECTIONS.filter(({ field }) => sections[field]?.length).map(({ field, title, line }) => {
    const rows = /** @type {any[]} */ (sections[field]);
    const items = rows.map((row) => h('li', {}, ...line(row)));
    return h('section', {}, h('h3', {}, title, ' ', h('span', { class: 'count' }, String(rows.length))), h('ul', {}, items));
  });
