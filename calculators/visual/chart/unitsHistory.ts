import type { Cpx } from '../geometry/rect.ts';
import { type Chart, column, emptyChart } from './chart.ts';
import { circle } from './chartPen.ts';
import { endLabelOf } from './endLabels.ts';
import { countText } from './figures.ts';
import { datedPlot } from './plotFrame.ts';
import { runLine, runsOf, stepped } from './runsOf.ts';
import { linearScale, ticksOf } from './scales.ts';
import { dayNumber } from './timeAxis.ts';

/** Coins of one day; ascending by day, one a day. */
export type UnitsOfDay = { readonly date: string; readonly units: number };

type Rows = {
  readonly ticker: string;
  readonly asset: string;
  /** In current reports. */
  readonly stated: readonly UnitsOfDay[];
  /** In balance sheets. */
  readonly filed: readonly UnitsOfDay[];
};

/**
 * Coins of one issuer as current reports state them, as steps, beside those of its balance sheets, as points (V49a). The scale
 * starts at zero; more than 35 days without a report are a gap. Width in px.
 */
export function unitsHistory({
  ticker,
  asset,
  stated,
  filed,
  width,
}: Rows & { readonly width: number }): Chart {
  const byDay = new Map<string, { stated?: number; filed?: number }>();
  for (const { date, units } of stated) byDay.set(date, { stated: units });
  for (const { date, units } of filed) byDay.set(date, { ...byDay.get(date), filed: units });
  const days = [...byDay].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const cell = (units: number | undefined) => (units === undefined ? 'none' : countText(units));
  const shared = {
    id: 'units-history',
    title: `Coins of ${ticker}, ${asset}`,
    table: {
      caption: `Coins of ${ticker} by day, ${asset}`,
      columns: [column.words('Day'), column.figures('Stated'), column.figures('Filed')],
      rows: days.map(([date, of]) => [date, cell(of.stated), cell(of.filed)]),
    },
  };
  const [last, sheet] = [stated.at(-1), filed.at(-1)];
  if (days.length < 2) {
    const only = last ?? sheet;
    const words =
      only === undefined
        ? 'No report and no filing says how many coins there are.'
        : `${countText(only.units)} ${asset} on ${only.date}. One day is no history.`;
    return emptyChart({
      ...shared,
      finding: `No history of the coins of ${ticker}`,
      sentence: asset,
      words,
      width,
    });
  }
  const newest = last ?? sheet;
  const filedWords = sheet === undefined ? 'no balance sheet' : `${countText(sheet.units)} on ${sheet.date}`;
  return {
    ...shared,
    finding:
      newest === undefined
        ? shared.title
        : `${ticker} ${newest === last ? 'stated' : 'filed'} ${countText(newest.units)} ${asset} on ${newest.date}`,
    sentence: `As filed: ${filedWords}. Stated in current reports; no figure as filed rests on them.`,
    desc: `Coins stated ${last === undefined ? 'none' : `${countText(last.units)} on ${last.date}`}; as filed ${filedWords}. Days of ${days[0]?.[0] ?? ''} to ${days.at(-1)?.[0] ?? ''}.`,
    scene: draw({ stated, filed }, width * 100),
  };
}

function draw({ stated, filed }: Pick<Rows, 'stated' | 'filed'>, width: Cpx) {
  const all = [...stated, ...filed];
  const ticks = ticksOf({ from: 0, to: Math.max(...all.map(({ units }) => units)), most: 6, least: 1 });
  const endOf = (days: readonly UnitsOfDay[], name: string, isMain: boolean) =>
    endLabelOf(
      days.map(({ date, units }) => ({ date, value: units })),
      { name, isMain, text: countText },
    );
  const runs = runsOf(stated.map(({ date, units }) => ({ day: dayNumber(date), value: units })));
  return datedPlot({
    days: all.map(({ date }) => dayNumber(date)),
    scale: (place) => linearScale({ from: 0, to: ticks.at(-1) ?? 1, ...place }),
    marks: ticks.map((value) => ({ value, text: countText(value) })),
    ends: [...endOf(filed, 'filed', stated.length === 0), ...endOf(stated, 'stated', true)],
    width,
    lines: ({ x, y }) => [
      ...runs.flatMap((run) =>
        runLine(stepped(run.map(({ day, value }) => ({ x: x(day), y: y(value) }))), {
          stroke: 'text',
          strokeWidth: 175,
        }),
      ),
      ...filed.map(({ date, units }) =>
        circle({ x: x(dayNumber(date)), y: y(units), r: 300 }, { fill: 'quiet', stroke: 'ground' }),
      ),
    ],
    note: 'Coins. Line: stated in current reports. Points: balance sheets.',
  });
}
