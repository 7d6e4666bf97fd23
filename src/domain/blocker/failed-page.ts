import { z } from 'zod';

/** Which page of failed runs, from 1. */
export const failedPage = z.int32().min(1).max(1_000_000);

/** How many failed runs a page has; fewer for a run, whose answers are limited in length. */
export const PAGE_SIZE = { portal: 50, run: 20 } as const;
