// The service as `src/main.ts` runs it, with the config and the additions that a test names.
import { createApp } from '../../src/app.ts';
import { configFrom } from '../../src/config.ts';

const { TEST_CONFIG, TEST_ADDITIONS } = process.env;
const added = TEST_ADDITIONS ? await import(TEST_ADDITIONS) : undefined;
const app = await createApp({ ...configFrom({}), ...JSON.parse(TEST_CONFIG!) }, added?.default);
await added?.started?.(app);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void app.close().then(() => process.exit(0)));
}
console.log(`Listening on ${await app.listen()}`);
