import type { AlphaSignals } from '../../../data/contract/payloads/issuer/alphaSignals.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { SceneItem } from '../scene/scene.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { measureText } from '../type/measureText.ts';
import { type Chart, emptyChart, figureTable, sceneOf } from './chart.ts';
import { bar, centredOn, label, legendLines, shortened, styles, swatch, upright } from './chartPen.ts';
import { capital, countText } from './figures.ts';

export type AlphaRow = Pick<AlphaSignals, 'ticker' | 'alpha_score' | 'alpha_score_breakdown'>;
type Part = keyof AlphaRow['alpha_score_breakdown'];

const mostRows = 5;
const parts: readonly { part: Part; name: string; role: ColourRole }[] = [
  { part: 'debt_cleanliness', name: 'debt', role: 'series-a' },
  { part: 'stress_resilience', name: 'resilience', role: 'series-c' },
  { part: 'regime_fit', name: 'regime', role: 'series-b' },
  { part: 'treasury_strength', name: 'treasury', role: 'series-d' },
];
const row: Cpx = 2_900;
const barHeight: Cpx = 1_600;

type Board = { readonly rows: readonly AlphaRow[]; readonly sourceDate: string; readonly width: number };

/** The first rows of the board (V48): a bar of four parts that count a quarter each (M5.1), the score at its end. Width in px. */
export function alphaBars({ rows, sourceDate, width }: Board): Chart {
  const shown = rows.slice(0, mostRows);
  const [first] = shown;
  const head = {
    id: 'alpha-bars',
    title: `Alpha board, ${sourceDate}`,
    table: figureTable({
      caption: `Parts of the alpha score, 0 to 100 each, and the score; slice of ${sourceDate}`,
      unit: 'points, 0 to 100',
      rows: shown,
      columns: [
        { words: 'Issuer', of: 'ticker' },
        ...parts.map(({ part, name }) => ({
          ...{ figures: capital(name), name: part, as: countText },
          of: ({ alpha_score_breakdown: points }: AlphaRow) => points[part],
        })),
        { figures: 'Score', of: 'alpha_score', as: countText },
      ],
    }),
  };
  if (first === undefined)
    return emptyChart(head, width, {
      finding: 'No issuer on the board',
      sentence: 'A place needs proven figures and a known tier.',
      words: 'The board is empty today.',
    });
  return {
    ...head,
    finding: `${first.ticker} leads the board with ${countText(first.alpha_score)} of 100`,
    sentence: 'Debt, resilience, fit to the regime and treasury count a quarter each.',
    desc: `${shown
      .map(
        ({ ticker, alpha_score, alpha_score_breakdown }) =>
          `${ticker} ${countText(alpha_score)} (${parts
            .map(({ part, name }) => `${name} ${countText(alpha_score_breakdown[part])}`)
            .join(', ')})`,
      )
      .join('; ')}. Slice of ${sourceDate}.`,
    scene: draw({ rows: shown, width: width * 100 }),
  };
}

function draw({ rows, width }: { rows: readonly AlphaRow[]; width: Cpx }) {
  const names = rows.map(({ ticker }) => shortened(ticker, { most: 6_000, style: styles.strong }));
  const left = Math.max(...names.map((name) => measureText(name, styles.strong))) + 1_000;
  const right = width - measureText('100', styles.strong) - 800;
  const x = (points: number): Cpx => left + Math.round((points * (right - left)) / 100);
  const head = legendLines(
    parts.map(({ name, role }) => ({ name, sample: swatch(role) })),
    { left, width, y: 900, step: 1_800, gap: 1_200 },
  );
  const top = head.end + 1_100;
  const items = rows.flatMap(({ alpha_score, alpha_score_breakdown }, i): SceneItem[] => {
    const y = top + i * row + row / 2;
    const [from, h] = [y - barHeight / 2, barHeight];
    const baseline = centredOn(y, styles.strong);
    let sum = 0;
    const bars = parts.flatMap(({ part, role }): SceneItem[] => {
      const start = x(sum);
      sum += alpha_score_breakdown[part] / 4;
      const w = x(sum) - start - 100;
      return w > 0 ? [bar({ x: start, y: from, w, h }, { fill: role })] : [];
    });
    return [
      label({ text: names[i] ?? '', x: 0, baseline, style: styles.strong }),
      upright(left, [from, from + h], { stroke: 'line' }),
      ...bars,
      label({ text: countText(alpha_score), x: x(sum) + 500, baseline, style: styles.strong }),
    ];
  });
  return sceneOf({ width, height: top + rows.length * row + 200, items: [...head.items, ...items] });
}
