import { type MarketRegime, marketRegimes } from '../../../data/contract/values/enums.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { SceneItem } from '../scene/scene.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { measureText } from '../type/measureText.ts';
import { type Chart, column, emptyChart, sceneOf } from './chart.ts';
import { bar, centredOn, label, level, styles } from './chartPen.ts';
import { countText } from './figures.ts';
import { linearScale } from './scales.ts';
import { dayNumber, monthAxis, monthTicks } from './timeAxis.ts';

/** The market regime of a day; null where it has none (M3.21). */
export type RegimeDay = { readonly date: string; readonly regime: MarketRegime | null };

// from calm to danger, as the rows stand
const regimes: Readonly<Record<MarketRegime, { level: number; name: string; role: ColourRole }>> = {
  bullish_low_vol: { level: 0, name: 'bullish, low volatility', role: 'regime-bullish-low' },
  bullish_rising_vol: { level: 1, name: 'bullish, rising volatility', role: 'regime-bullish-rising' },
  neutral: { level: 2, name: 'neutral', role: 'regime-neutral' },
  bearish_falling_vol: { level: 3, name: 'bearish, falling volatility', role: 'regime-bearish-falling' },
  bearish_high_vol: { level: 4, name: 'bearish, high volatility', role: 'regime-bearish-high' },
  high_synchronization_risk: { level: 5, name: 'high synchronization risk', role: 'regime-synchronized' },
};
const row: Cpx = 1_900;

/** The market regime of consecutive days, ascending (V45): a row a regime that occurred, a block a run. Width in px. */
export function regimeStrip({ days, width }: { days: readonly RegimeDay[]; width: number }): Chart {
  const used = marketRegimes
    .filter((regime) => days.some((day) => day.regime === regime))
    .sort((a, b) => regimes[a].level - regimes[b].level);
  const counts = used.map((regime) => ({
    regime,
    count: days.filter((day) => day.regime === regime).length,
  }));
  const blank = days.filter(({ regime }) => regime === null).length;
  const table: Chart['table'] = {
    caption: `Days of each market regime, last ${countText(days.length)} days`,
    columns: [column.words('Regime'), column.figures('Days'), column.words('Last')],
    rows: [
      ...counts.map(({ regime, count }) => [
        regimes[regime].name,
        countText(count),
        days.findLast((day) => day.regime === regime)?.date ?? '',
      ]),
      ...(blank > 0
        ? [['none', countText(blank), days.findLast(({ regime }) => regime === null)?.date ?? '']]
        : []),
    ],
    raw: {
      columns: ['day', 'regime'],
      rows: days.map(({ date, regime }) => [date, regime]),
      unit: 'market regime of a day',
    },
  };
  const head = { id: 'regime-strip', title: `Market regime, last ${countText(days.length)} days`, table };
  const last = days.at(-1);
  if (last === undefined || used.length === 0) {
    const words = 'Too few closes for a regime.';
    return emptyChart({
      ...head,
      finding: 'No market regime',
      sentence: 'A regime needs 91 daily closes.',
      words,
      width,
    });
  }
  const told = counts.map(({ regime, count }) => `${regimes[regime].name} ${countText(count)}`).join(', ');
  return {
    ...head,
    finding: findingOf(days),
    sentence: sentenceOf(last.regime),
    desc: `On ${last.date}: ${last.regime === null ? 'none' : regimes[last.regime].name}. Days: ${told}${blank > 0 ? `, none ${countText(blank)}` : ''}.`,
    scene: draw({ days, used, width: width * 100 }),
  };
}

function findingOf(days: readonly RegimeDay[]): string {
  const today = days.at(-1)?.regime ?? null;
  if (today === null) return 'No market regime today';
  const other = days.findLastIndex(({ regime }) => regime !== today);
  const name = `${regimes[today].name.slice(0, 1).toUpperCase()}${regimes[today].name.slice(1)}`;
  const since = days[other + 1]?.date ?? '';
  return other === -1 ? `${name} since ${since} or longer` : `${name} since ${since}`;
}

function sentenceOf(regime: MarketRegime | null): string {
  switch (regime) {
    case null:
      return 'The closes of today are too few for one.';
    case 'high_synchronization_risk':
      return 'Coins fall together while volatility rises.';
    case 'bullish_low_vol':
      return 'Coins rise and volatility does not.';
    case 'bullish_rising_vol':
      return 'Coins rise and so does volatility.';
    case 'bearish_falling_vol':
      return 'Coins fall while volatility eases.';
    case 'bearish_high_vol':
      return 'Coins fall and volatility does not ease.';
    case 'neutral':
      return 'Coins have no clear direction.';
  }
}

function draw({
  days,
  used,
  width,
}: {
  days: readonly RegimeDay[];
  used: readonly MarketRegime[];
  width: Cpx;
}) {
  const today = days.at(-1)?.regime ?? null;
  const left = Math.max(...used.map((regime) => measureText(regimes[regime].name, styles.smallStrong))) + 900;
  const numbers = days.map(({ date }) => dayNumber(date));
  const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
  const x = linearScale({ from, to: to + 1, at: left, end: width });
  const bottom = 300 + used.length * row;
  const rows = used.flatMap((regime, i): SceneItem[] => {
    const y = 300 + i * row + row / 2;
    const { name, role } = regimes[regime];
    const isToday = regime === today;
    const style = isToday ? styles.smallStrong : styles.small;
    return [
      level(y, [left, width], { stroke: 'line', strokeWidth: 75 }),
      label({ text: name, x: 0, baseline: centredOn(y, style), style, colour: isToday ? 'text' : 'quiet' }),
      ...runsOf(days, regime).map(([start, end]) => {
        const w = Math.max(150, x(end + 1) - x(start) - 40);
        return bar({ x: Math.min(x(start), width - w), y: y - 650, w, h: 1_300 }, { fill: role });
      }),
    ];
  });
  return sceneOf({
    width,
    height: bottom + monthAxis.height,
    items: [...monthTicks({ from, to, x, top: 300, bottom, width }), ...rows],
  });
}

/** First and last day number of each run of consecutive days with the regime. */
function runsOf(days: readonly RegimeDay[], regime: MarketRegime): [number, number][] {
  const runs: [number, number][] = [];
  for (const day of days) {
    if (day.regime !== regime) continue;
    const number = dayNumber(day.date);
    const last = runs.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}
