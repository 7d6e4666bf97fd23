import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { hasRedisServer } from '../support/redis-process.ts';
import type { Property } from './harness/property.ts';
import { closeSharedStage, sharedStage, usePostgres } from './harness/stage.ts';

/** Tries each property at a size that fits a test run, under a new seed each time; SEED repeats one. */
export function tryProperties(properties: Property[]): void {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

  beforeAll(async () => {
    const prefix = inject('databasePrefix');
    usePostgres({ url: inject('postgresUrl'), prefix, template: `${prefix}_template` });
    await sharedStage();
  }, 120_000);
  afterAll(closeSharedStage, 60_000);

  const trial = (property: Property) =>
    it(`${property.name}: ${property.claim}`, { timeout: 180_000 }, async () => {
      const { result, holds, size } = await property.run({ size: property.sizes.small, seed });
      expect({ holds, seed, size, result }).toEqual({ holds: true, seed, size, result });
    });

  describe('properties', () => {
    for (const property of properties.filter(({ needsRedis, needsChromium }) => !needsRedis && !needsChromium)) trial(property);
  });

  describe.skipIf(!hasRedisServer())('Redis', () => {
    for (const property of properties.filter(({ needsRedis }) => needsRedis)) trial(property);
  });

  const inChromium = properties.filter(({ needsChromium }) => needsChromium);
  describe.skipIf(inChromium.length === 0 || !hasChromium())('Chromium', () => {
    for (const property of inChromium) trial(property);
  });
}
