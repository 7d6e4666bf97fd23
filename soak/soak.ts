// `npm run soak`: every property at its full size, or those that are named, one line each. `--small` and `--size=N` shrink
// them, `--seed=N` repeats one.
import { parseArgs } from 'node:util';
import { PROPERTIES } from '../test/properties/all.ts';
import type { Property, Result } from '../test/properties/harness/property.ts';
import { closeSharedStage, usePostgres } from '../test/properties/harness/stage.ts';
import { hasChromium, NO_CHROMIUM } from '../test/support/chromium.ts';
import { startEmbeddedPostgres } from '../test/support/embedded-postgres.ts';
import { hasRedisServer } from '../test/support/redis-process.ts';

const { values, positionals } = parseArgs({
  options: { small: { type: 'boolean' }, size: { type: 'string' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const names = positionals.map((name) => name.toUpperCase());
const unknown = names.filter((name) => !PROPERTIES.some((property) => property.name === name));
if (unknown.length > 0) {
  console.error(`There is no property ${unknown.join(', ')}: ${PROPERTIES.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}
const chosen = PROPERTIES.filter(({ name }) => names.length === 0 || names.includes(name));
const embedded = process.env.DATABASE_URL ? undefined : await startEmbeddedPostgres();
usePostgres({ url: process.env.DATABASE_URL || embedded!.url, prefix: `gatehouse_soak_${process.pid}` });

/** A property that breaks off is told like one that does not hold. */
async function tried(property: Property): Promise<Result> {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  const size = Number(values.size ?? property.sizes[values.small ? 'small' : 'full']);
  const missing =
    property.needsRedis && !hasRedisServer()
      ? 'there is no redis-server on this machine'
      : property.needsChromium && !hasChromium()
        ? NO_CHROMIUM
        : undefined;
  if (missing) return { property: property.name, seed, size, result: missing, target: property.claim, holds: false };
  try {
    return await property.run({ size, seed, timed: !values.small });
  } catch (error) {
    return { property: property.name, seed, size, result: `broke off: ${(error as Error).stack}`, target: property.claim, holds: false };
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1)); // which ends what was started

let missed = 0;
for (const property of chosen) {
  const begun = performance.now();
  const { seed, size, result, target, holds } = await tried(property);
  if (!holds) missed++;
  const seconds = Math.round((performance.now() - begun) / 1_000);
  console.log(
    `${property.name} ${holds ? 'holds' : 'MISSED'} | seed ${seed} | size ${size} | ${seconds} s | ${result} | target: ${target}`,
  );
}
await closeSharedStage();
await embedded?.stop();
process.exit(missed === 0 ? 0 : 1);
