import type { MarketRegime } from '../../../data/contract/values/enums.ts';
import { dayNumber } from '../../../data/contract/values/instant.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { SceneItem } from '../scene/scene.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { measureText } from '../type/measureText.ts';
import { type Chart, emptyChart, figureTable, sceneOf } from './chart.ts';
import { bar, centredOn, label, level, styles } from './chartPen.ts';
import { capital, countText } from './figures.ts';
import { runsOf } from './runsOf.ts';
import { linearScale } from './scales.ts';
import { monthAxis, monthTicks } from './timeAxis.ts';

/** The market regime of a day; null where it has none (M3.21). */
export type RegimeDay = { readonly date: string; readonly regime: MarketRegime | null };

// from calm to danger, as the rows stand
const regimes: Readonly<Record<MarketRegime, { name: string; role: ColourRole }>> = {
  bullish_low_vol: { name: 'bullish, low volatility', role: 'regime-bullish-low' },
  bullish_rising_vol: { name: 'bullish, rising volatility', role: 'regime-bullish-rising' },
  neutral: { name: 'neutral', role: 'regime-neutral' },
  bearish_falling_vol: { name: 'bearish, falling volatility', role: 'regime-bearish-falling' },
  bearish_high_vol: { name: 'bearish, high volatility', role: 'regime-bearish-high' },
  high_synchronization_risk: { name: 'high synchronization risk', role: 'regime-synchronized' },
};
const sentences: Readonly<Record<MarketRegime, string>> = {
  bullish_low_vol: 'Coins rise and volatility does not.',
  bullish_rising_vol: 'Coins rise and so does volatility.',
  neutral: 'Coins have no clear direction.',
  bearish_falling_vol: 'Coins fall while volatility eases.',
  bearish_high_vol: 'Coins fall and volatility does not ease.',
  high_synchronization_risk: 'Coins fall together while volatility rises.',
};
/** A regime as words: `high synchronization risk`. */
export const regimeName = (regime: MarketRegime): string => regimes[regime].name;
const row: Cpx = 1_900;

/** The market regime of consecutive days, ascending (V45): a row a regime that occurred, a block a run. Width in px. */
export function regimeStrip({ days, width }: { days: readonly RegimeDay[]; width: number }): Chart {
  const used = (Object.keys(regimes) as MarketRegime[]).filter((regime) =>
    days.some((day) => day.regime === regime),
  );
  const counted = [...used, ...(days.some(({ regime }) => regime === null) ? [null] : [])].map((regime) => {
    const found = days.filter((day) => day.regime === regime);
    const name = regime === null ? 'none' : regimes[regime].name;
    return { name, count: found.length, last: found.at(-1)?.date ?? '' };
  });
  const table = {
    ...figureTable({
      caption: `Days of each market regime, last ${countText(days.length)} days`,
      rows: counted,
      columns: [
        { words: 'Regime', of: 'name' },
        { figures: 'Days', of: 'count', as: countText },
        { words: 'Last', of: 'last' },
      ],
    }),
    raw: {
      columns: ['day', 'regime'],
      rows: days.map(({ date, regime }) => [date, regime]),
      unit: 'market regime of a day',
    },
  };
  const head = { id: 'regime-strip', title: `Market regime, last ${countText(days.length)} days`, table };
  const last = days.at(-1);
  if (last === undefined || used.length === 0)
    return emptyChart(head, width, {
      finding: 'No market regime',
      sentence: 'A regime needs 91 daily closes.',
      words: 'Too few closes for a regime.',
    });
  const told = counted.map(({ name, count }) => `${name} ${countText(count)}`).join(', ');
  return {
    ...head,
    finding: findingOf(days),
    sentence: last.regime === null ? 'The closes of today are too few for one.' : sentences[last.regime],
    desc: `On ${last.date}: ${last.regime === null ? 'none' : regimes[last.regime].name}. Days: ${told}.`,
    scene: draw({ days, used, width: width * 100 }),
  };
}

function findingOf(days: readonly RegimeDay[]): string {
  const today = days.at(-1)?.regime ?? null;
  if (today === null) return 'No market regime today';
  const other = days.findLastIndex(({ regime }) => regime !== today);
  const name = capital(regimes[today].name);
  const since = days[other + 1]?.date ?? '';
  return other === -1 ? `${name} since ${since} or longer` : `${name} since ${since}`;
}

type Drawing = { days: readonly RegimeDay[]; used: readonly MarketRegime[]; width: Cpx };

function draw({ days, used, width }: Drawing) {
  const today = days.at(-1)?.regime ?? null;
  const left = Math.max(...used.map((regime) => measureText(regimes[regime].name, styles.smallStrong))) + 900;
  const numbers = days.map(({ date }) => dayNumber(date));
  const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
  const x = linearScale({ from, to: to + 1, at: left, end: width });
  const daysOf = (regime: MarketRegime) =>
    days.map((one) => ({ day: dayNumber(one.date), value: one.regime === regime ? 1 : null }));
  const bottom = 300 + used.length * row;
  const rows = used.flatMap((regime, i): SceneItem[] => {
    const y = 300 + i * row + row / 2;
    const { name, role } = regimes[regime];
    const isToday = regime === today;
    const style = isToday ? styles.smallStrong : styles.small;
    return [
      level(y, [left, width], { stroke: 'line', strokeWidth: 75 }),
      label({ text: name, x: 0, baseline: centredOn(y, style), style, colour: isToday ? 'text' : 'quiet' }),
      ...runsOf(daysOf(regime), 1).map((run) => {
        const [start, end] = [run[0]?.day ?? from, run.at(-1)?.day ?? to];
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
