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

interface Stopped {
  runs: { runId?: string | undefined }[];
  stoppedPipelines: { runId: string }[];
  runsLeftOut?: number | undefined;
}

const fits = (answer: unknown) => JSON.stringify(answer).length <= MOST_CHARACTERS;

/**
 * An answer about stopped runs as it is when it fits; else with the reasons, the notes and the messages in it cut to 200
 * characters, and if need be with the runs that stopped longest ago alone, `runsLeftOut` telling how many are not there.
 */
export function fitting<Answer extends Stopped>(answer: Answer): Answer {
  if (fits(answer)) return answer;
  let cut = shortened(answer) as Answer;
  for (let kept = answer.runs.length; kept > 0 && !fits(cut); kept = Math.floor(kept * 0.9)) {
    const left = new Set(cut.runs.slice(kept).map(({ runId }) => runId));
    cut = {
      ...cut,
      runs: cut.runs.slice(0, kept),
      stoppedPipelines: cut.stoppedPipelines.filter(({ runId }) => !left.has(runId)),
      runsLeftOut: answer.runs.length - kept,
    };
  }
  return cut;
}
