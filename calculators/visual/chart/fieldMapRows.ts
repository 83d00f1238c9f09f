import type { FieldPoint } from '../../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { type Chart, column, emptyChart, findingOn, madeUp } from './chart.ts';
import { countText, ratioText } from './figures.ts';
import { lineRows } from './lineRows.ts';
import { dayNumber } from './timeAxis.ts';

const curves = ['field_pressure', 'stored_energy', 'price_echo'] as const;
type Curve = (typeof curves)[number];

export type MapPoint = Pick<FieldPoint, 'date' | 'compression' | 'release' | Curve>;

// distinguished by their height as well as by their colour (V35)
const thick = { fill: 'tier-high', height: 600 } as const;
const thin = { fill: 'series-a', height: 200 } as const;
const pointDays = 1;

/**
 * Pressure, energy and price echo of a field map on one scale from 0 to 1 (V50), bands of compression and release below
 * the pressure, events as ticks. `labels` are those of `chart_label_authority` by member name. Width in px.
 */
export function fieldMapRows({
  subject,
  points,
  labels,
  read,
  missing,
  events,
  isMadeUp,
  width,
}: {
  /** Ticker or product. */
  subject: string;
  /** Ascending by date. */
  points: readonly MapPoint[];
  labels: Readonly<Record<string, string>>;
  /** `current_read` of the map (M9.7). */
  read: string;
  /** Why the read needs confirmation; null where it does not. */
  missing: string | null;
  /** Filings; those without a label are short marks. */
  events: readonly { readonly date: string; readonly label: string | null }[];
  /** True where a point rests on made-up observations (flag `synthetic`). */
  isMadeUp: boolean;
  width: number;
}): Chart {
  const source = isMadeUp ? `, of ${madeUp.observations}` : '';
  const nameOf = (curve: Curve): string => labels[curve] ?? curve.replaceAll('_', ' ');
  const days = points.map(({ date }) => dayNumber(date));
  const count = (flag: 'compression' | 'release'): number =>
    points.filter((point) => point[flag] === 1).length;
  const newest = points.at(-1);
  const values = curves.map((curve) => ({
    curve,
    last: newest?.[curve] ?? null,
    known: points.flatMap((point) => (point[curve] === null ? [] : [point[curve]])),
  }));
  const table: Chart['table'] = {
    caption: `Field map of ${subject}: position within the last 30 points, 0 to 1${source}`,
    columns: [
      column.words('Date'),
      ...curves.map((curve) => column.figures(nameOf(curve))),
      column.words('Band'),
    ],
    rows: points.map((point) => [
      point.date,
      ...curves.map((curve) => (point[curve] === null ? 'none' : ratioText(point[curve]))),
      point.compression === 1 ? 'compression' : point.release === 1 ? 'release' : '',
    ]),
  };
  const shared = { id: 'field-map-rows', title: `Field map of ${subject}`, table };
  const why = missing === null ? '' : `: ${missing}`;
  if (values.every(({ known }) => known.length === 0)) {
    const words = `${read}${why}`;
    return emptyChart({
      ...shared,
      finding: findingOn(`${subject}: ${read}`, isMadeUp),
      sentence: 'No curve has a value yet.',
      words,
      width,
    });
  }
  const told = values.map(({ curve, last, known }) =>
    last === null
      ? `${nameOf(curve)} has no value on ${newest?.date ?? ''}`
      : `${nameOf(curve)} ${ratioText(last)}, between ${ratioText(Math.min(...known))} and ${ratioText(Math.max(...known))}`,
  );
  const bands = `${countText(count('compression'))} points of compression, ${countText(count('release'))} of release`;
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
        detail: null,
        points: points.map((point, k) => ({ day: days[k] ?? 0, value: point[curve] })),
        domain: [0, 1],
        bands: [],
        marks: [],
        end: last === null ? 'none' : ratioText(last),
        endDetail: null,
        empty: 'no value yet',
        spans:
          i === 0
            ? points.flatMap((point, k) => {
                const from = (days[k] ?? 0) - pointDays / 2;
                const span = point.compression === 1 ? thick : point.release === 1 ? thin : null;
                return span === null ? [] : [{ from, to: from + pointDays, ...span }];
              })
            : [],
        extreme: ratioText,
      })),
    }),
  };
}
