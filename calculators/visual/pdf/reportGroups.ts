import type { FigureTable } from '../chart/chart.ts';
import type { Cpx } from '../geometry/rect.ts';
import { type Card, type KeyFigure, publishedText, type Report } from '../report/report.ts';
import { cleanText, measureText, type TextStyle } from '../type/measureText.ts';
import { type Group, lineHeight, type Piece, type PieceContent, setLines } from './flow.ts';
import type { DrawnText } from './pdfPen.ts';

const styles = {
  running: { face: 'sans-400', size: 1_050 },
  headline: { face: 'sans-600', size: 2_400 },
  lede: { face: 'sans-400', size: 1_450 },
  factLabel: { face: 'sans-400', size: 1_100 },
  fact: { face: 'sans-600', size: 1_850 },
  heading: { face: 'sans-600', size: 1_400 },
  text: { face: 'sans-400', size: 1_150 },
  term: { face: 'sans-600', size: 1_150 },
} as const satisfies Record<string, TextStyle>;

/** The line that names a report and says when it was made. */
export function runningLine(report: Report): string {
  return `Issuer Intelligence · ${report.title} · published ${publishedText(report)}`;
}

/** A report as groups of pieces: what stands across the first page, cards in columns, the last line. */
export function reportGroups(
  report: Report,
  { width, column }: { readonly width: Cpx; readonly column: Cpx },
): { front: Group; groups: readonly Group[]; end: Group } {
  const front: Piece[] = [
    textPiece(runningLine(report), { tag: 'P', style: styles.running, colour: 'quiet', width }),
    textPiece(report.headline, { tag: 'H1', style: styles.headline, width, before: 1_600 }),
    textPiece(report.lede, { tag: 'P', style: styles.lede, width: Math.floor(width * 0.9), before: 600 }),
    factsPiece(report.keyFigures, width),
  ];
  const lists = [
    listGroup('Terms', report.terms, column),
    listGroup('What the evidence covers', report.boundary, column),
    listGroup('Caveats', report.caveats, column),
  ].filter((group) => group !== null);
  const last = textPiece(report.disclaimer, { tag: 'P', style: styles.text, colour: 'quiet', width });
  return {
    front: { pieces: front.filter(({ height }) => height > 0), width },
    groups: [...report.cards.map((card) => cardGroup(card, column)), ...lists],
    end: { pieces: [last], width },
  };
}

function cardGroup({ heading, paragraphs, links = [], chart, table }: Card, width: Cpx): Group {
  const pieces = [
    textPiece(heading, { tag: 'H2', style: styles.heading, width, keepsNext: true }),
    ...paragraphs.map((paragraph, i) =>
      textPiece(paragraph, {
        tag: 'P',
        style: styles.text,
        colour: 'quiet',
        width,
        before: 350,
        keepsNext: chart !== null && i === paragraphs.length - 1,
      }),
    ),
    ...links.map(({ text }) => itemPiece(text, width)),
    ...(chart === null ? [] : [figurePiece(chart, width)]),
    ...(table === null ? [] : tableRows(table, width)),
  ];
  return { pieces, width };
}

function figurePiece(chart: NonNullable<Card['chart']>, width: Cpx): Piece {
  const scale = width / chart.scene.width;
  const height = Math.ceil(chart.scene.height * scale);
  return { kind: 'figure', chart, scale, height, before: 900, keepsNext: false };
}

type TextRole = {
  readonly tag: 'H1' | 'H2' | 'P';
  readonly style: TextStyle;
  readonly width: Cpx;
  readonly colour?: 'text' | 'quiet';
  readonly before?: Cpx;
  readonly keepsNext?: boolean;
};

function textPiece(text: string, role: TextRole): Piece {
  const { tag, style, width, colour = 'text', before = 0, keepsNext = false } = role;
  const balanced = tag !== 'P';
  const lines = setLines(cleanText(text), { style, colour, width, x: 0, top: 0, balanced });
  return { kind: 'text', tag, lines, height: lines.length * lineHeight(style), before, keepsNext };
}

/** Key figures in up to four columns, each a label, a value and what it is to be read with. */
function factsPiece(figures: readonly KeyFigure[], width: Cpx): Piece {
  const gap = 1_200;
  const columns = Math.max(1, figures.length);
  const room = Math.floor((width - gap * (columns - 1)) / columns);
  const label = (text: string, at: { x: Cpx; top: Cpx }) =>
    setLines(cleanText(text), { style: styles.factLabel, colour: 'quiet', width: room, ...at });
  const labels = figures.map((figure, i) => label(figure.label, { x: i * (room + gap), top: 800 }));
  const most = Math.max(0, ...labels.map((lines) => lines.length));
  const valueTop = 800 + most * lineHeight(styles.factLabel) + 150;
  let bottom = valueTop;
  const facts = figures.map(({ value, note }, i) => {
    const x = i * (room + gap);
    const values = setLines(cleanText(value), {
      style: styles.fact,
      colour: 'text',
      width: room,
      x,
      top: valueTop,
    });
    const under = valueTop + values.length * lineHeight(styles.fact);
    const notes = note === null ? [] : label(note, { x, top: under });
    bottom = Math.max(bottom, under + notes.length * lineHeight(styles.factLabel));
    return [...(labels[i] ?? []), ...values, ...notes];
  });
  const content: PieceContent = { kind: 'facts', facts, width };
  const height = figures.length === 0 ? 0 : bottom + 800;
  return { ...content, height, before: 1_400, keepsNext: false };
}

function listGroup(
  heading: string,
  entries: readonly (string | Report['terms'][number])[],
  width: Cpx,
): Group | null {
  if (entries.length === 0) return null;
  const title = textPiece(heading, { tag: 'H2', style: styles.heading, width, keepsNext: true });
  return { pieces: [title, ...entries.map((entry) => itemPiece(entry, width))], width };
}

function itemPiece(entry: string | Report['terms'][number], width: Cpx): Piece {
  const set = (text: string, style: TextStyle, { x, top }: { x: Cpx; top: Cpx }): DrawnText[] =>
    setLines(cleanText(text), {
      style,
      colour: style === styles.term ? 'text' : 'quiet',
      width: width - x,
      x,
      top,
    });
  const line = lineHeight(styles.text);
  if (typeof entry === 'string') {
    const bullet = set('•', styles.text, { x: 0, top: 0 });
    const body = set(entry, styles.text, { x: measureText('•  ', styles.text), top: 0 });
    return { kind: 'item', label: bullet, body, height: body.length * line, before: 350, keepsNext: false };
  }
  const label = set(entry.term, styles.term, { x: 0, top: 0 });
  const body = set(entry.explanation, styles.text, { x: 0, top: label.length * line });
  const height = (label.length + body.length) * line;
  return { kind: 'item', label, body, height, before: 450, keepsNext: false };
}

const gap: Cpx = 1_000;
const padding: Cpx = 350;
const body: TextStyle = { face: 'sans-400', size: 1_050 };
const header: TextStyle = { face: 'sans-600', size: 1_050 };
const caption: TextStyle = { face: 'sans-400', size: 1_050 };

/** A table as pieces: its caption, its header, a piece a row. Columns are as wide as their figures, texts break. */
function tableRows({ caption: named, columns, rows }: FigureTable, width: Cpx): Piece[] {
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
