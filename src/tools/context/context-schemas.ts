import { z } from 'zod';
import { jsonValue } from '../../kernel/schemas.ts';

const MOST_BYTES = 16_384;

/** A key of the shared context: 1 to 512 characters, compared as they are. */
export const contextKey = z
  .string()
  .min(1)
  .refine((key) => [...key].length <= 512, { error: 'must have at most 512 characters' })
  .refine((key) => key !== '__proto__', { error: 'the key __proto__ is not allowed: choose another name' })
  .describe('The key, 1 to 512 characters; `/` is the usual separator.');

/** A value of the shared context: any JSON of at most 16 KiB in UTF-8. */
export const contextValue = jsonValue.refine((value) => Buffer.byteLength(JSON.stringify(value) ?? '') <= MOST_BYTES, {
  error: `must have at most ${MOST_BYTES} bytes as JSON`,
});
