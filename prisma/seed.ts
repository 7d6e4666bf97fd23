import { operate } from '../src/ops/operate.ts';

await operate(['seed', ...process.argv.slice(2)], process.env);
