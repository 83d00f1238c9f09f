import { compareText } from '../../../data/contract/values/compareText.ts';
import type { Cpx } from '../geometry/rect.ts';
import { type Chart, emptyChart, figureTable } from './chart.ts';
import { countText } from './figures.ts';
import { datedPlot, zeroScale } from './plotFrame.ts';

/** Coins of one day; ascending by day, one a day. */
export type UnitsOfDay = { readonly date: string; readonly units: number };

type Units = {
  readonly ticker: string;
  readonly asset: string;
  /** In current reports. */
  readonly stated: readonly UnitsOfDay[];
  /** In balance sheets. */
  readonly filed: readonly UnitsOfDay[];
  readonly width: number;
};

/**
 * Coins of one issuer as current reports state them, as steps, beside those of its balance sheets, as points (V49a). The scale
 * starts at zero; more than 35 days without a report are a gap. Width in px.
 */
export function unitsHistory({ ticker, asset, stated, filed, width }: Units): Chart {
  const dates = [...new Set([...stated, ...filed].map(({ date }) => date))].toSorted(compareText);
  const on = (days: readonly UnitsOfDay[], day: string) =>
    days.findLast(({ date }) => date === day)?.units ?? null;
  const days = dates.map((date) => ({ date, stated: on(stated, date), filed: on(filed, date) }));
  const shared = {
    id: 'units-history',
    title: `Coins of ${ticker}, ${asset}`,
    table: figureTable({
      caption: `Coins of ${ticker} by day, ${asset}`,
      rows: days,
      columns: [
        { words: 'Day', of: 'date' },
        { figures: 'Stated', of: 'stated', as: countText },
        { figures: 'Filed', of: 'filed', as: countText },
      ],
    }),
  };
  const [last, sheet] = [stated.at(-1), filed.at(-1)];
  if (days.length < 2) {
    const only = last ?? sheet;
    const words =
      only === undefined
        ? 'No report and no filing says how many coins there are.'
        : `${countText(only.units)} ${asset} on ${only.date}. One day is no history.`;
    return emptyChart(shared, width, {
      finding: `No history of the coins of ${ticker}`,
      sentence: asset,
      words,
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
    desc: `Coins stated ${last === undefined ? 'none' : `${countText(last.units)} on ${last.date}`}; as filed ${filedWords}. Days of ${dates[0] ?? ''} to ${dates.at(-1) ?? ''}.`,
    scene: draw({ stated, filed }, width * 100),
  };
}

function draw({ stated, filed }: Pick<Units, 'stated' | 'filed'>, width: Cpx) {
  const units = [...stated, ...filed].map((day) => day.units);
  const line = (days: readonly UnitsOfDay[]) => ({
    days: days.map(({ date, units: value }) => ({ date, value })),
    text: countText,
  });
  return datedPlot({
    ...zeroScale(units, { most: 6, least: 1, text: countText }),
    width,
    lines: [
      { name: 'filed', isMain: stated.length === 0, ...line(filed), dots: { fill: 'quiet' } },
      {
        ...{ name: 'stated', isMain: true, isStepped: true, ...line(stated) },
        paint: { stroke: 'text', strokeWidth: 175 },
      },
    ],
    note: 'Coins. Line: stated in current reports. Points: balance sheets.',
  });
}
