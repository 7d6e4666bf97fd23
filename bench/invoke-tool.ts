import { addRunningRuns, foundCompany } from './company.ts';
import type { BenchServer } from './database.ts';
import type { Order } from './load.ts';
import { startBareServer, startLoad, startService } from './processes.ts';
import { type Line, median } from './report.ts';

const IN_FLIGHT = 16;
const RUNS = 64;
const ROUNDS = 5;
/** Each round is this many turns of either side, one after the other, so that what else the machine does meets both. */
const TURNS = 10;
/** Calls before anything counts: by then V8 has compiled what it compiles. */
const WARM_UP = 4_000;
const TURN = 400;

/** How many calls a second the service takes, against a handler that does the same transaction by hand. */
export async function measureInvokeTool(server: BenchServer): Promise<Line[]> {
  const company = await foundCompany(await server.createDatabase('invoke_tool'));
  const tokens = await addRunningRuns(company, company.openTaskIds[0]!, RUNS);
  const [service, bare] = await Promise.all([startService(company.databaseUrl), startBareServer(company.databaseUrl)]);
  const load = startLoad();
  const order = { tokens, inFlight: IN_FLIGHT, milliseconds: TURN, atLeast: 0 };
  const sides: Order[] = [
    { ...order, url: `${service.url}/graphql`, protocol: 'graphql' },
    { ...order, url: bare.url, protocol: 'bare' },
  ];
  for (const side of sides) await load.run({ ...side, milliseconds: 0, atLeast: WARM_UP });
  const rounds: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const answered: [number, number] = [0, 0];
    const spent: [number, number] = [0, 0];
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [index, side] of sides.entries()) {
        const outcome = await load.run(side);
        answered[index]! += outcome.answered;
        spent[index]! += outcome.milliseconds;
      }
    }
    rounds.push([(answered[0] / spent[0]) * 1_000, (answered[1] / spent[1]) * 1_000]);
  }
  load.stop();
  await service.stop();
  await bare.stop();
  return lines(rounds);
}

function lines(rounds: [number, number][]): Line[] {
  const ratios = rounds.map(([own, bare]) => own / bare);
  const ratio = median(ratios);
  return [
    { what: 'invokeTool(os.set_context), 16 in flight over 64 runs', figure: `${median(rounds.map(([own]) => own)).toFixed(0)} a second` },
    { what: 'the same transaction by hand, node:http and pg', figure: `${median(rounds.map(([, bare]) => bare)).toFixed(0)} a second` },
    {
      what: '  ratio, median of 5 rounds',
      figure: `${ratio.toFixed(2)} (${ratios.map((r) => r.toFixed(2)).join(' ')})`,
      target: '≥ 0.6',
      passed: ratio >= 0.6,
    },
  ];
}
