import { z } from 'zod';

/** Why a move is made; it stays on the run's record. */
export const moveNote = z
  .string()
  .max(10_000)
  .refine((note) => note.trim() !== '', { error: 'must not be blank' });
