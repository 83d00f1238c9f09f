import type { FieldPoint } from '../../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { dayNumber } from '../../../data/contract/values/instant.ts';
import { type Chart, emptyChart, figureTable, findingOn, madeUp } from './chart.ts';
import { countText, ratioText } from './figures.ts';
import { lineRows } from './lineRows.ts';

const curves = ['field_pressure', 'stored_energy', 'price_echo'] as const;
type Curve = (typeof curves)[number];

export type MapPoint = Pick<FieldPoint, 'date' | 'compression' | 'release' | Curve>;

// distinguished by their height as well as by their colour (V35)
const bandMarks = {
  compression: { fill: 'tier-high', height: 600 },
  release: { fill: 'series-a', height: 200 },
} as const;
const bandOf = ({ compression, release }: MapPoint) =>
  compression === 1 ? 'compression' : release === 1 ? 'release' : null;
const pointDays = 1;

type FieldMap = {
  /** Ticker or product. */
  readonly subject: string;
  /** Ascending by date. */
  readonly points: readonly MapPoint[];
  readonly labels: Readonly<Record<string, string>>;
  /** `current_read` of the map (M9.7). */
  readonly read: string;
  /** Why the read needs confirmation; null where it does not. */
  readonly missing: string | null;
  /** Filings; those without a label are short marks. */
  readonly events: readonly { readonly date: string; readonly label: string | null }[];
  /** True where a point rests on made-up observations (flag `synthetic`). */
  readonly isMadeUp: boolean;
  readonly width: number;
};

/**
 * Pressure, energy and price echo of a field map on one scale from 0 to 1 (V50), bands of compression and release below
 * the pressure, events as ticks. `labels` are those of `chart_label_authority` by member name. Width in px.
 */
export function fieldMapRows(map: FieldMap): Chart {
  const { subject, points, labels, read, missing, events, isMadeUp, width } = map;
  const source = isMadeUp ? `, of ${madeUp.observations}` : '';
  const nameOf = (curve: Curve): string => labels[curve] ?? curve.replaceAll('_', ' ');
  const days = points.map(({ date }) => dayNumber(date));
  const count = (flag: 'compression' | 'release') =>
    countText(points.filter((point) => point[flag] === 1).length);
  const newest = points.at(-1);
  const values = curves.map((curve) => ({
    curve,
    last: newest?.[curve] ?? null,
    known: points.flatMap((point) => (point[curve] === null ? [] : [point[curve]])),
  }));
  const table = figureTable({
    caption: `Field map of ${subject}: position within the last 30 points, 0 to 1${source}`,
    rows: points,
    columns: [
      { words: 'Date', of: 'date' },
      ...curves.map((curve) => ({ figures: nameOf(curve), of: curve, as: ratioText })),
      { words: 'Band', of: (point) => bandOf(point) ?? '' },
    ],
  });
  const shared = { id: 'field-map-rows', title: `Field map of ${subject}`, table };
  const why = missing === null ? '' : `: ${missing}`;
  if (values.every(({ known }) => known.length === 0))
    return emptyChart(shared, width, {
      finding: findingOn(`${subject}: ${read}`, isMadeUp),
      sentence: 'No curve has a value yet.',
      words: `${read}${why}`,
    });
  const told = values.map(({ curve, last, known }) =>
    last === null
      ? `${nameOf(curve)} has no value on ${newest?.date ?? ''}`
      : `${nameOf(curve)} ${ratioText(last)}, between ${ratioText(Math.min(...known))} and ${ratioText(Math.max(...known))}`,
  );
  const bands = `${count('compression')} points of compression, ${count('release')} of release`;
  return {
    ...shared,
    finding: findingOn(`${subject}: ${read}`, isMadeUp),
    sentence: missing === null ? `${bands}${source}.` : `${read}${why}${source}.`,
    desc: `${told.join('; ')}. ${bands}. Points of ${points[0]?.date ?? ''} to ${newest?.date ?? ''}${source}.`,
    scene: lineRows({
      width: width * 100,
      plot: 3_400,
      note: `Position within the last 30 points, 0 to 1. Below the first row: thick bars compression, thin bars release.${events.some(({ label }) => label === null) ? ' Short marks: filings that are no periodic reports.' : ''}${isMadeUp ? ` ${madeUp.note}` : ''}`,
      ticks: events.map(({ date, label }) => ({ day: dayNumber(date), text: label })),
      rows: values.map(({ curve, last }, i) => ({
        name: nameOf(curve),
        points: points.map((point, k) => ({ day: days[k] ?? 0, value: point[curve] })),
        domain: [0, 1],
        end: last === null ? 'none' : ratioText(last),
        empty: 'no value yet',
        spans:
          i === 0
            ? points.flatMap((point, k) => {
                const from = (days[k] ?? 0) - pointDays / 2;
                const band = bandOf(point);
                return band === null ? [] : [{ from, to: from + pointDays, ...bandMarks[band] }];
              })
            : [],
        extreme: ratioText,
      })),
    }),
  };
}
