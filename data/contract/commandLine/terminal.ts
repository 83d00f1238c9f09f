/** Columns of a standard terminal and of mail. */
const columns = 80;
/** A label or a column of a table ends before this. */
const widestLabel = 48;

/**
 * Text for people in 80 columns: a longer line goes on below where its own text begins, a shell command with a
 * backslash. A word that is longer by itself stays whole, so that it can be copied.
 */
export function fitColumns(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => (line.length <= columns ? [line] : fitted(line)))
    .join('\n');
}

function fitted(line: string): string[] {
  const start = textStart(line);
  // a row of a table is torn by every break
  if (/\S {2,}\S/.test(line.slice(start))) return [line];
  const isCommand = /^(?:\$ |npx |II_[A-Z_]+=)/.test(line.slice(start));
  const [most, end] = isCommand ? [columns - 2, ' \\'] : [columns, ''];
  const lines: string[] = [];
  let current = line.slice(0, start);
  let empty = true;
  for (const word of line.slice(start).split(' ')) {
    if (!empty && current.length + 1 + word.length > most) {
      lines.push(`${current}${end}`);
      current = ' '.repeat(start);
      empty = true;
    }
    current += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, current];
}

function textStart(line: string): number {
  const gaps = [...line.slice(0, widestLabel).matchAll(/(?:^ +| {2,})(?=\S)/g)];
  const last = gaps.at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

/** A reader that closed early (`| head`) is no failure of the writer; every other error of the streams is. */
export function quietPipes(streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
