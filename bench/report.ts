/** One line of the table: what was measured, the figure, and the target that it is held against, if there is one. */
export interface Line {
  what: string;
  figure: string;
  target?: string;
  passed?: boolean;
}

/** The value below which the given part (0–1) of the values lies. */
export function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!;
}

export const median = (values: number[]) => quantile(values, 0.5);

export const milliseconds = (value: number) => `${value.toFixed(2)} ms`;

/** Prints the lines as a table. Answers whether none missed its target. */
export function printTable(lines: Line[]): boolean {
  const rows = lines.map(({ what, figure, target = '', passed }) => [
    what,
    figure,
    target,
    passed === undefined ? '' : passed ? 'pass' : 'MISS',
  ]);
  const table = [['measured', 'figure', 'target', ''], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]!.length)));
  console.log('');
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  return lines.every(({ passed }) => passed !== false);
}
