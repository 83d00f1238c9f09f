import { printable } from '../../data/contract/values/printable.ts';

/** A line of a tree and what hangs below it. */
export type Branch = { readonly text: string; readonly below: readonly Branch[] };

/** A line with nothing below it. */
export function leaf(text: string): Branch {
  return { text, below: [] };
}

/** A tree as text for a terminal; what a terminal would act on is escaped. */
export function treeText(root: Branch): string {
  return `${linesOf(root, terminalColumns).map(printable).join('\n')}\n`;
}

/** The tree as lines of at most so many columns; a word that is longer by itself stays whole. */
function linesOf({ text, below }: Branch, width: number): string[] {
  const [head = '', ...more] = foldLine(text, width);
  const stem = below.length === 0 ? '  ' : '│ ';
  const last = below.length - 1;
  return [
    head,
    ...more.map((line) => `${stem}${line}`),
    ...below.flatMap((branch, i) => {
      const [first = '', ...rest] = linesOf(branch, width - 3);
      const [arm, gap] = i === last ? ['└─ ', '   '] : ['├─ ', '│  '];
      return [`${arm}${first}`, ...rest.map((line) => `${gap}${line}`)];
    }),
  ];
}

/** Columns of a standard terminal and of mail. */
export const terminalColumns = 80;

/** A line in parts for so many columns, all but the first two columns shorter; a longer word stays whole. */
export function foldLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    const most = lines.length === 0 ? width : width - 2;
    if (current !== '' && current.length + 1 + word.length > most) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current];
}
