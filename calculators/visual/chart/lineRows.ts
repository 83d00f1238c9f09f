import { type Cpx, grown } from '../geometry/rect.ts';
import type { Point } from '../geometry/segment.ts';
import type { Scene, SceneItem, TextItem } from '../scene/scene.ts';
import { textBox } from '../scene/textBox.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { cleanText, measureText } from '../type/measureText.ts';
import { breakLines, wrapText } from '../type/wrapText.ts';
import { noteLines, sceneOf } from './chart.ts';
import { bar, centredOn, circle, fallbackWidth, label, level, shortened, styles } from './chartPen.ts';
import { type DayValue, type Known, lowestAndHighest, runLine, runsOf } from './runsOf.ts';
import { linearScale, type Scale } from './scales.ts';
import { type EventTick, eventTicks, monthAxis, monthTicks } from './timeAxis.ts';

type Band = { readonly from: number; readonly to: number; readonly fill: ColourRole };
type Span = { readonly from: number; readonly to: number; readonly fill: ColourRole; readonly height: Cpx };

/** One line with its name at the left and its last value at the right. */
export type LineRow = {
  readonly name: string;
  /** A quiet second line below the name: a unit. */
  readonly detail?: string | null;
  /** Ascending by day. */
  readonly points: readonly DayValue[];
  /** Ends of the scale; by default those of the points. */
  readonly domain?: readonly [number, number] | null;
  readonly bands?: readonly Band[];
  /** Values with a line of their own. */
  readonly marks?: readonly number[];
  /** The text at the right and a quiet line below it. */
  readonly end: string;
  readonly endDetail?: string | null;
  /** Says why there is nothing to draw; takes the place of the line where no point has a value. */
  readonly empty: string;
  /** Spans shown as bars below the line. */
  readonly spans?: readonly Span[];
  /** Writes the extremes. */
  readonly extreme: (value: number) => string;
};

/** A row's room for the line, and above and below it for the extremes. */
const above: Cpx = 1_800;
const below: Cpx = 1_800;
/** What spans take below the extremes. */
const spanRoom: Cpx = 800;
/** The least height of a row whose place is taken by the words that say why it has no line. */
const emptyRow: Cpx = 4_600;

type Rows = {
  readonly rows: readonly LineRow[];
  readonly width: Cpx;
  /** Height of a row's line. */
  readonly plot: Cpx;
  readonly note: string;
  readonly ticks?: readonly EventTick[];
};

/**
 * Rows of lines on one time axis, each on a scale of its own or a shared one; gaps stay gaps. The axis spans the days of
 * all rows; `ticks` are days marked below the last row with a text each, `note` the words under the picture.
 */
export function lineRows({ rows, width, plot, note, ticks = [] }: Rows): Scene {
  const room = below + (rows.some(({ spans = [] }) => spans.length > 0) ? spanRoom : 0);
  const mostName = Math.floor(width * 0.34);
  const names = rows.map(broken(mostName)).map(({ name, detail }) => ({
    name: shortened(name, { most: mostName, style: styles.strong }),
    detail: detail === null ? null : shortened(detail, { most: mostName, style: styles.small }),
  }));
  const left =
    Math.max(4_200, ...names.map(({ name, detail }) => Math.round(fallbackWidth * pairWidth(name, detail)))) +
    1_000;
  const mostEnd = Math.floor(width * 0.26);
  const ends = rows.map(({ end, endDetail = null }) => ({
    end: shortened(end, { most: mostEnd, style: styles.strong }),
    detail: endDetail === null ? null : shortened(endDetail, { most: mostEnd, style: styles.small }),
  }));
  const right = width - Math.max(...ends.map(({ end, detail }) => pairWidth(end, detail))) - 900;
  const heights = rows.map((row) =>
    row.points.some(({ value }) => value !== null)
      ? above + plot + room
      : Math.max(emptyRow, reasonLines(row.empty, right - left).length * 1_600 + 1_400),
  );
  const days = [
    ...rows.flatMap(({ points }) => points.map(({ day }) => day)),
    ...ticks.map(({ day }) => day),
  ];
  const tops = heights.map((_, i) => heights.slice(0, i).reduce((sum, height) => sum + height, 0));
  const bottom = heights.reduce((sum, height) => sum + height, 0);
  const [from, to] = [Math.min(...days), Math.max(...days)];
  const hasDays = days.length > 0;
  const x = linearScale({ from, to, at: left, end: right - 300 });
  const lines = rows.flatMap((row, i): SceneItem[] => {
    const [top = 0, rowHeight = 0] = [tops[i], heights[i]];
    const middle = top + Math.floor(rowHeight / 2);
    const { name = '', detail = null } = names[i] ?? {};
    const value = ends[i] ?? { end: '', detail: null };
    return [
      ...rowItems(row, { x, left, right, top, plot, room, rowHeight }),
      level(top + rowHeight, [0, width], { stroke: 'line', strokeWidth: 75 }),
      ...pair({ first: name, second: detail, x: 0, y: middle, align: 'start' }),
      ...pair({ first: value.end, second: value.detail, x: width, y: middle, align: 'end' }),
    ];
  });
  const grid = hasDays ? monthTicks({ from, to, x, top: 0, bottom, width }) : [];
  const axisBottom = bottom + (hasDays ? monthAxis.height : 200);
  const under = eventTicks(ticks, { x, name: 'events', left, right, top: axisBottom, width });
  const words = noteLines(note, { top: under.bottom, width });
  return sceneOf({
    width,
    height: words.bottom + 200,
    items: [...grid, ...lines, ...under.items, ...words.items],
  });
}

/** A name that is too wide for its column goes on in the line of the detail, where there is none. */
const broken =
  (most: Cpx) =>
  ({ name, detail = null }: Pick<LineRow, 'name' | 'detail'>): { name: string; detail: string | null } => {
    const [first = name, ...others] = breakLines(cleanText(name), { ...styles.strong, max: most });
    const isWhole = detail !== null || others.length === 0 || !name.startsWith(`${first} `);
    return isWhole ? { name, detail } : { name: first, detail: name.slice(first.length + 1) };
  };

type Frame = { x: Scale; left: Cpx; right: Cpx; top: Cpx; plot: Cpx; room: Cpx; rowHeight: Cpx };

function rowItems(row: LineRow, { x, left, right, top, plot, room, rowHeight }: Frame): SceneItem[] {
  const { bands = [], marks = [], spans = [] } = row;
  const known = row.points.filter((point): point is Known => point.value !== null);
  const first = known[0];
  if (first === undefined) return emptyItems(row.empty, { x: left, y: top, w: right - left, h: rowHeight });
  const [low, high] = row.domain ?? ownDomain(known.map(({ value }) => value));
  const y = linearScale({ from: low, to: high, at: top + above + plot, end: top + above });
  const within = (value: number): number => Math.min(high, Math.max(low, value));
  const grounds = bands
    .filter((band) => band.to > low && band.from < high)
    .map(({ from, to, fill }) => {
      // a band that reaches the end of the scale also fills the room for the extremes
      const upper = to >= high ? top + 300 : y(to);
      const lower = from <= low ? top + above + plot + room - 300 : y(from);
      return bar({ x: left, y: upper, w: right - left, h: lower - upper }, { fill });
    });
  const levels = marks
    .filter((value) => value >= low && value <= high)
    .map((value) =>
      level(y(value), [left, right], {
        stroke: value === 0 ? 'quiet' : 'text',
        strokeWidth: 75,
        dash: value === 0 ? [] : [300, 200],
      }),
    );
  const bars = spans.map(({ from, to, fill, height }) => {
    const start = Math.max(left, x(from));
    const end = Math.min(right, Math.max(start + 150, x(to)));
    return bar(
      { x: start, y: top + above + plot + room - 300 - height, w: end - start, h: height },
      { fill },
    );
  });
  const drawn = runsOf(row.points).flatMap((run) =>
    runLine(
      run.map(({ day, value }) => ({ x: x(day), y: y(within(value)) })),
      { stroke: 'text', strokeWidth: 140 },
    ),
  );
  const last = known.at(-1) ?? first;
  return [
    ...grounds,
    ...levels,
    ...bars,
    ...drawn,
    circle({ x: x(last.day), y: y(within(last.value)), r: 270 }, { fill: 'text', stroke: 'ground' }),
    ...extremes(row, {
      known,
      last,
      place: (point) => ({ x: x(point.day), y: y(within(point.value)) }),
      left,
      right,
    }),
  ];
}

function ownDomain(values: readonly number[]): [number, number] {
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  // a level line runs through the middle
  return low === high ? [low - 1, high + 1] : [low, high];
}

type Drawn = {
  readonly known: readonly Known[];
  readonly last: Known;
  readonly place: (point: Known) => Point;
  readonly left: Cpx;
  readonly right: Cpx;
};

/** The highest value above its point and the lowest below, where the last one is neither. */
function extremes({ extreme, bands = [] }: LineRow, { known, last, place, left, right }: Drawn): SceneItem[] {
  const ends = lowestAndHighest(known, ({ value }) => value);
  if (ends === null) return [];
  const { lowest, highest } = ends;
  if (highest.value === lowest.value) return [];
  return (
    [
      [highest, -500],
      [lowest, 1_250],
    ] as const
  ).flatMap(([point, away]): SceneItem[] => {
    if (point.value === last.value) return [];
    const { x, y } = place(point);
    const text = extreme(point.value);
    const half = Math.ceil(measureText(text, styles.tiny) / 2);
    const middle = Math.min(Math.max(x, left + half), right - half);
    const written = label({ text, x: middle, baseline: y + away, style: styles.tiny, align: 'middle' });
    return [
      circle({ x, y, r: 180 }, { fill: 'ground', stroke: 'text' }),
      ...(bands.length > 0 ? [written] : cleared(written)),
    ];
  });
}

const reasonLines = (words: string, max: Cpx) => wrapText(cleanText(words), { ...styles.small, max }).lines;

function emptyItems(words: string, { x, y, w, h }: { x: Cpx; y: Cpx; w: Cpx; h: Cpx }): SceneItem[] {
  const shown = reasonLines(words, w);
  const first = y + Math.floor(h / 2) - Math.floor(((shown.length - 1) * 1_600) / 2);
  return shown.flatMap((text, i) =>
    cleared(label({ text, x, baseline: centredOn(first + i * 1_600, styles.small) })),
  );
}

/** The text on a piece of ground, so that no line of the grid runs through it. */
function cleared(text: TextItem): SceneItem[] {
  return [bar(grown(textBox(text), -100), { fill: 'ground' }), text];
}

const pairWidth = (first: string, second: string | null): Cpx =>
  Math.max(measureText(first, styles.strong), second === null ? 0 : measureText(second, styles.small));

type Pair = { first: string; second: string | null; x: Cpx; y: Cpx; align: 'start' | 'end' };

function pair({ first, second, x, y, align }: Pair): TextItem[] {
  const strong = { style: styles.strong, colour: 'text', align } as const;
  if (second === null) return [label({ text: first, x, baseline: centredOn(y, styles.strong), ...strong })];
  return [
    label({ text: first, x, baseline: y - 250, ...strong }),
    label({ text: second, x, baseline: y + 1_450, align }),
  ];
}
