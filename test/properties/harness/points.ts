/** Where a process can be made to end or to freeze. */
export const POINTS = ['before transaction', 'after claim', 'before commit', 'after commit', 'before reply'] as const;

export type Point = (typeof POINTS)[number];
