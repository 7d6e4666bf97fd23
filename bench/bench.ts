// Measures what Gatehouse promises of its speed, all in one run on one Postgres, and ends with 1 when a target is missed.
// Arguments name the parts to measure; without any it is all of them.
import { loadavg } from 'node:os';
import { openServer } from './database.ts';
import { measureGateOpened } from './gate-opened.ts';
import { measureInvokeTool } from './invoke-tool.ts';
import { measureListBlockers } from './list-blockers.ts';
import { measureNestedCalls } from './nested-calls.ts';
import { measureOpenGates } from './open-gates.ts';
import { type Line, printTable } from './report.ts';

const server = await openServer(process.env.DATABASE_URL || undefined);
const parts: Record<string, () => Promise<Line[]>> = {
  'invoke-tool': () => measureInvokeTool(server),
  'gate-opened': () => measureGateOpened(server, process.env.REDIS_URL || undefined),
  'open-gates': () => measureOpenGates(server),
  'list-blockers': () => measureListBlockers(server),
  'nested-calls': () => measureNestedCalls(server),
};
const wanted = process.argv.slice(2);
const unknown = wanted.find((part) => !parts[part]);
if (unknown) throw new Error(`There is no part ${unknown}: ${Object.keys(parts).join(', ')}`);

const load = () => loadavg()[0]!.toFixed(1);
console.log(`${server.description}; Node ${process.version}; the machine’s load is ${load()} before`);
const lines: Line[] = [];
try {
  for (const [name, measure] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) lines.push(...(await measure()));
} finally {
  await server.stop();
}
console.log(`The machine’s load is ${load()} after, this run included`);
process.exit(printTable(lines) ? 0 : 1);
