import { z } from 'zod';

/** A one-line text: runs of white space become one space, the ends are trimmed; 1 to 200 characters after that. */
export const label = z
  .string()
  .max(2_000)
  .overwrite((text) => text.replaceAll(/\s+/g, ' ').trim())
  .min(1)
  .max(200);

/** Any JSON value. Absent is not a value: null is. */
export const jsonValue = z.unknown().refine((value) => value !== undefined, { error: 'is required; null is a value' });

/** Input of a tool that takes no arguments. */
export const noArguments = z.strictObject({});
