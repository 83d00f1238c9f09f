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
