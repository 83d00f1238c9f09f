import type { FigureTable } from '../chart/chart.ts';
import type { Cpx } from '../geometry/cpx.ts';
import { cleanText } from '../type/cleanText.ts';
import { measureText, type TextStyle } from '../type/measureText.ts';
import type { Piece } from './piece.ts';
import { lineHeight, setLines } from './setLines.ts';

const gap: Cpx = 1_000;
const padding: Cpx = 350;
const body: TextStyle = { face: 'sans-400', size: 1_050 };
const header: TextStyle = { face: 'sans-600', size: 1_050 };
const caption: TextStyle = { face: 'sans-400', size: 1_050 };

/** A table as pieces: its caption, its header, a piece a row. Columns are as wide as their figures, texts break. */
export function tableRows({ caption: named, columns, rows }: FigureTable, width: Cpx): Piece[] {
  const widths = columnWidths({ columns, rows }, width);
  const row = (cells: readonly string[], style: TextStyle, head: boolean): Piece => {
    let x = 0;
    const set = columns.map(({ align }, i) => {
      const room = widths[i] ?? 0;
      const lines = setLines(cleanText(cells[i] ?? ''), {
        style,
        colour: head ? 'quiet' : 'text',
        width: room,
        x,
        top: padding,
        align,
      });
      x += room + gap;
      return lines;
    });
    const lines = Math.max(1, ...set.map((cell) => cell.length));
    return {
      kind: 'row',
      head,
      cells: set,
      width,
      height: lines * lineHeight(style) + 2 * padding,
      before: 0,
      keepsNext: head,
    };
  };
  const above = setLines(cleanText(named), { style: caption, colour: 'quiet', width, x: 0, top: 0 });
  return [
    {
      kind: 'caption',
      lines: above,
      height: above.length * lineHeight(caption),
      before: 1_000,
      keepsNext: true,
    },
    row(
      columns.map(({ label }) => label),
      header,
      true,
    ),
    ...rows.map((cells) => row(cells, body, false)),
  ];
}

/**
 * Widths of columns with gaps between them that fill the table: what is short keeps its width, what is long breaks, what
 * is left goes to the widest column of words.
 */
function columnWidths({ columns, rows }: Pick<FigureTable, 'columns' | 'rows'>, width: Cpx): Cpx[] {
  const natural = columns.map(({ label }, i) =>
    Math.max(
      measureText(cleanText(label), header),
      ...rows.map((cells) => measureText(cleanText(cells[i] ?? ''), body)),
    ),
  );
  const least = columns.map(({ label }, i) =>
    Math.max(longestWord(label, header), ...rows.map((cells) => longestWord(cells[i] ?? '', body))),
  );
  const room = width - gap * (columns.length - 1);
  const sum = (values: readonly Cpx[]) => values.reduce((total, value) => total + value, 0);
  const spare = room - sum(natural);
  if (spare >= 0) {
    const widest = Math.max(...natural.filter((_, i) => columns[i]?.align === 'start'));
    const grows = columns.findIndex(({ align }, i) => align === 'start' && natural[i] === widest);
    return natural.map((value, i) => (i === Math.max(0, grows) ? value + spare : value));
  }
  // what is missing is taken from columns in proportion to what they can give
  const give = natural.map((value, i) => value - Math.min(value, least[i] ?? value));
  const wanted = -spare;
  const most = sum(give);
  if (most >= wanted) return natural.map((value, i) => value - Math.ceil(((give[i] ?? 0) * wanted) / most));
  return shared(
    natural.map((value, i) => value - (give[i] ?? 0)),
    room,
  );
}

/** Widths within a room that is too small: the widest are made equal, the others stay as they are. */
function shared(widths: readonly Cpx[], room: Cpx): Cpx[] {
  const given = [...widths];
  let left = room;
  for (const [done, i] of widths
    .map((_, at) => at)
    .toSorted((a, b) => (widths[a] ?? 0) - (widths[b] ?? 0))
    .entries()) {
    given[i] = Math.min(widths[i] ?? 0, Math.floor(left / (widths.length - done)));
    left -= given[i];
  }
  return given;
}

function longestWord(text: string, style: TextStyle): Cpx {
  return Math.max(
    ...cleanText(text)
      .split(' ')
      .map((word) => measureText(word, style)),
  );
}
