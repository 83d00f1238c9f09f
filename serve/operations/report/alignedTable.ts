import { printable } from '../../../data/contract/values/printable.ts';

const widest = 72;

/**
 * A table of plain text: columns as wide as their widest cell, two spaces between them, numbers to the right. What is
 * longer than 72 characters is cut; what could move a terminal's cursor is shown as its escape.
 */
export function alignedTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  right: readonly number[] = [],
): string {
  const cells = [head, ...rows].map((row) => row.map(shown));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return right.includes(column) ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}\n`)
    .join('');
}

function shown(cell: string | number): string {
  const plain = printable(String(cell));
  return plain.length > widest ? `${plain.slice(0, widest - 1)}…` : plain;
}
