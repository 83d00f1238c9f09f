import type { FigureTable } from '../chart/chart.ts';
import type { Cpx } from '../geometry/rect.ts';
import { type Card, type KeyFigure, publishedText, type Report } from '../report/report.ts';
import { cleanText, measureText, type TextStyle } from '../type/measureText.ts';
import { type Group, lineHeight, type Piece, type PieceContent, type Setting, setLines } from './flow.ts';

const roles = {
  running: { style: { face: 'sans-400', size: 1_050 }, colour: 'quiet' },
  headline: { style: { face: 'sans-600', size: 2_400 }, colour: 'text' },
  lede: { style: { face: 'sans-400', size: 1_450 }, colour: 'text' },
  factLabel: { style: { face: 'sans-400', size: 1_100 }, colour: 'quiet' },
  fact: { style: { face: 'sans-600', size: 1_850 }, colour: 'text' },
  heading: { style: { face: 'sans-600', size: 1_400 }, colour: 'text' },
  text: { style: { face: 'sans-400', size: 1_150 }, colour: 'quiet' },
  term: { style: { face: 'sans-600', size: 1_150 }, colour: 'text' },
  caption: { style: { face: 'sans-400', size: 1_050 }, colour: 'quiet' },
  header: { style: { face: 'sans-600', size: 1_050 }, colour: 'quiet' },
  cell: { style: { face: 'sans-400', size: 1_050 }, colour: 'text' },
} as const satisfies Record<string, Pick<Setting, 'style' | 'colour'>>;

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
    textPiece(runningLine(report), { tag: 'P', ...roles.running, width }),
    textPiece(report.headline, { tag: 'H1', ...roles.headline, width, before: 1_600 }),
    textPiece(report.lede, { tag: 'P', ...roles.lede, width: Math.floor(width * 0.9), before: 600 }),
    factsPiece(report.keyFigures, width),
  ];
  const lists = [
    listGroup('Terms', report.terms, column),
    listGroup('What the evidence covers', report.boundary, column),
    listGroup('Caveats', report.caveats, column),
  ].filter((group) => group !== null);
  const last = textPiece(report.disclaimer, { tag: 'P', ...roles.text, width });
  return {
    front: { pieces: front.filter(({ height }) => height > 0), width },
    groups: [...report.cards.map((card) => cardGroup(card, column)), ...lists],
    end: { pieces: [last], width },
  };
}

function cardGroup({ heading, paragraphs, links = [], chart, table }: Card, width: Cpx): Group {
  const pieces = [
    headingPiece(heading, width),
    ...paragraphs.map((paragraph, i) =>
      textPiece(paragraph, {
        ...{ tag: 'P', ...roles.text, width },
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

type TextRole = Setting & { tag: 'H1' | 'H2' | 'P'; before?: Cpx; keepsNext?: boolean };

function textPiece(text: string, { tag, before = 0, keepsNext = false, ...setting }: TextRole): Piece {
  const lines = setLines(text, { ...setting, balanced: tag !== 'P' });
  return { kind: 'text', tag, lines, height: lines.length * lineHeight(setting.style), before, keepsNext };
}

const headingPiece = (heading: string, width: Cpx): Piece =>
  textPiece(heading, { tag: 'H2', ...roles.heading, width, keepsNext: true });

/** Key figures in up to four columns, each a label, a value and what it is to be read with. */
function factsPiece(figures: readonly KeyFigure[], width: Cpx): Piece {
  const gap = 1_200;
  const columns = Math.max(1, figures.length);
  const room = Math.floor((width - gap * (columns - 1)) / columns);
  const label = (text: string, at: { x: Cpx; top: Cpx }) =>
    setLines(text, { ...roles.factLabel, width: room, ...at });
  const labels = figures.map((figure, i) => label(figure.label, { x: i * (room + gap), top: 800 }));
  const most = Math.max(0, ...labels.map((lines) => lines.length));
  const valueTop = 800 + most * lineHeight(roles.factLabel.style) + 150;
  let bottom = valueTop;
  const facts = figures.map(({ value, note }, i) => {
    const x = i * (room + gap);
    const values = setLines(value, { ...roles.fact, width: room, x, top: valueTop });
    const under = valueTop + values.length * lineHeight(roles.fact.style);
    const notes = note === null ? [] : label(note, { x, top: under });
    bottom = Math.max(bottom, under + notes.length * lineHeight(roles.factLabel.style));
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
  return {
    pieces: [headingPiece(heading, width), ...entries.map((entry) => itemPiece(entry, width))],
    width,
  };
}

function itemPiece(entry: string | Report['terms'][number], width: Cpx): Piece {
  const line = lineHeight(roles.text.style);
  if (typeof entry === 'string') {
    const x = measureText('•  ', roles.text.style);
    const label = setLines('•', { ...roles.text, width });
    const body = setLines(entry, { ...roles.text, width: width - x, x });
    return { kind: 'item', label, body, height: body.length * line, before: 350, keepsNext: false };
  }
  const label = setLines(entry.term, { ...roles.term, width });
  const body = setLines(entry.explanation, { ...roles.text, width, top: label.length * line });
  const height = (label.length + body.length) * line;
  return { kind: 'item', label, body, height, before: 450, keepsNext: false };
}

const gap: Cpx = 1_000;
const padding: Cpx = 350;

/** A table as pieces: its caption, its header, a piece a row. Columns are as wide as their figures, texts break. */
function tableRows({ caption: named, columns, rows }: FigureTable, width: Cpx): Piece[] {
  const widths = columnWidths({ columns, rows }, width);
  const row = (cells: readonly string[], head: boolean): Piece => {
    const role = head ? roles.header : roles.cell;
    let x = 0;
    const set = columns.map(({ align }, i) => {
      const room = widths[i] ?? 0;
      const lines = setLines(cells[i] ?? '', { ...role, width: room, x, top: padding, align });
      x += room + gap;
      return lines;
    });
    const lines = Math.max(1, ...set.map((cell) => cell.length));
    const height = lines * lineHeight(role.style) + 2 * padding;
    return { kind: 'row', head, cells: set, width, height, before: 0, keepsNext: head };
  };
  const above = setLines(named, { ...roles.caption, width });
  const height = above.length * lineHeight(roles.caption.style);
  return [
    { kind: 'caption', lines: above, height, before: 1_000, keepsNext: true },
    row(
      columns.map(({ label }) => label),
      true,
    ),
    ...rows.map((cells) => row(cells, false)),
  ];
}

/**
 * Widths of columns with gaps between them that fill the table: what is short keeps its width, what is long breaks, what
 * is left goes to the widest column of words.
 */
function columnWidths({ columns, rows }: Pick<FigureTable, 'columns' | 'rows'>, width: Cpx): Cpx[] {
  const natural = columns.map(({ label }, i) =>
    Math.max(
      measureText(cleanText(label), roles.header.style),
      ...rows.map((cells) => measureText(cleanText(cells[i] ?? ''), roles.cell.style)),
    ),
  );
  const least = columns.map(({ label }, i) =>
    Math.max(
      longestWord(label, roles.header.style),
      ...rows.map((cells) => longestWord(cells[i] ?? '', roles.cell.style)),
    ),
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
