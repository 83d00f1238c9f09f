import type { CovenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import type { RiskTier } from '../../../data/contract/values/enums.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { SceneItem } from '../scene/scene.ts';
import { measureText } from '../type/measureText.ts';
import { type Chart, emptyChart, figureTable, noteLines, sceneOf } from './chart.ts';
import {
  bar,
  centredOn,
  circle,
  fallbackWidth,
  type LegendEntry,
  label,
  legendLines,
  level,
  shortened,
  styles,
  upright,
} from './chartPen.ts';
import { keepApart } from './endLabels.ts';
import { countText, ratioText, stressText } from './figures.ts';
import { logScale, roundMarks, roundSpan, type Scale } from './scales.ts';
import { type StressBands, tierBandsOf } from './stressHistory.ts';
import { tierMark } from './tierMark.ts';

/** What the ladder reads of an issuer (R11). */
export type LadderRow = Pick<
  CovenantStress,
  | 'ticker'
  | 'risk_tier'
  | 'stress_30pct'
  | 'stress_50pct'
  | 'stress_70pct'
  | 'live_risk_tier'
  | 'live_stress_30pct'
  | 'live_stress_50pct'
  | 'live_stress_70pct'
  | 'filing_age_days'
>;

/** Most rows the ladder draws. */
export const ladderRows = 12;

const row: Cpx = 2_500;
const top: Cpx = 3_900;
/** Above it the picture names an issuer's balance sheet as old (METHODOLOGY M1.60). */
const oldDays = 135;
/** Numbers beside each other read as a row of figures when they stand nearer. */
const numbersApart: Cpx = 1_000;

type Ladder = {
  readonly rows: readonly LadderRow[];
  readonly bands: StressBands;
  readonly sourceDate: string;
  readonly width: number;
};

/**
 * The most stressed issuers on a logarithmic axis (V43), in the order given (I2.49): whiskers from a fall of 30 to one
 * of 70 percent, the tier's shape at 50, a ring for 50 at the filing. Issuers without debt have no rung. Width in px.
 */
export function stressLadder({ rows, bands, sourceDate, width }: Ladder): Chart {
  const rungs = rows.map(rungOf);
  const indebted = rungs.filter(({ at50 }) => at50 > 0);
  const shown = indebted.slice(0, ladderRows);
  const head = {
    id: 'stress-ladder',
    title: `Stress ladder, ${sourceDate}`,
    table: tableOf(shown, sourceDate),
  };
  if (shown.length === 0)
    return emptyChart(head, width, {
      finding: 'No reading of stress',
      sentence: 'A place on the ladder needs proven debt, proven coins and their prices.',
      words: 'No issuer with debt has a value today.',
    });
  return {
    ...head,
    ...findingOf(indebted, { bands, shown: shown.length }),
    desc: `Debt over coins after a fall of 50\u00a0%: ${shown
      .map(({ ticker, at50, tier }) => `${ticker} ${stressText(at50)} ${tier}`)
      .join(', ')}. Slice of ${sourceDate}.`,
    scene: draw({ rungs: shown, bands, width: width * 100 }),
  };
}

/** What a fall by half does to those with debt; figures are of the night's prices where there are any. */
function findingOf(
  indebted: readonly Rung[],
  { bands, shown }: { bands: StressBands; shown: number },
): Pick<Chart, 'finding' | 'sentence'> {
  const uncovered = indebted.filter(({ at50 }) => at50 > 1).length;
  const over = indebted.filter(({ at50 }) => at50 >= bands.covenant).length;
  const covenant = ratioText(bands.covenant);
  const issuers = (count: number) => `${countText(count)} ${count === 1 ? 'issuer' : 'issuers'}`;
  const of =
    shown < indebted.length
      ? `${issuers(indebted.length)} with debt, the ${countText(shown)} most stressed shown`
      : `${issuers(indebted.length)} with debt`;
  const exceed = over === 0 ? 'none would' : indebted.length === 1 ? 'it would' : `${countText(over)} would`;
  return {
    finding:
      uncovered > 0
        ? `At half price the coins of ${issuers(uncovered)} no longer cover ${uncovered === 1 ? 'its' : 'their'} debt`
        : 'At half price coins still cover all debt',
    sentence: `${of}; ${exceed} reach or exceed the reference covenant of ${covenant} after a fall of 50\u00a0%.`,
  };
}

type Rung = {
  readonly ticker: string;
  readonly tier: RiskTier;
  readonly isLive: boolean;
  readonly at30: number;
  readonly at50: number;
  readonly at70: number;
  /** At the filing, after a fall of 50 percent. */
  readonly filed: number;
  /** Days from the balance sheet to the slice; null where the row does not say. */
  readonly ageDays: number | null;
};

function rungOf(issuer: LadderRow): Rung {
  const { live_stress_30pct: live30, live_stress_50pct: live50, live_stress_70pct: live70 } = issuer;
  const ageDays = issuer.filing_age_days ?? null;
  const shared = { ticker: issuer.ticker, filed: issuer.stress_50pct, ageDays };
  if (live50 === null || live50 === undefined) {
    const { stress_30pct: at30, stress_50pct: at50, stress_70pct: at70, risk_tier: tier } = issuer;
    return { ...shared, tier, isLive: false, at30, at50, at70 };
  }
  const tier = issuer.live_risk_tier ?? 'UNCLASSIFIED';
  return { ...shared, tier, isLive: true, at30: live30 ?? live50, at50: live50, at70: live70 ?? live50 };
}

function draw({ rungs, bands, width }: { rungs: readonly Rung[]; bands: StressBands; width: Cpx }) {
  const names = rungs.map(({ ticker }) => shortened(ticker, { most: 6_000, style: styles.strong }));
  const left =
    Math.max(1_500, ...names.map((name) => Math.round(fallbackWidth * measureText(name, styles.strong)))) +
    1_000;
  const right =
    width - Math.max(...rungs.map(({ at50 }) => measureText(stressText(at50), styles.strong))) - 1_000;
  const [from, to] = domain(rungs, bands);
  const x = logScale({ from, to, at: left, end: right });
  const axis = { x, from, to, bands };
  const bottom = top + rungs.length * row;
  const hasLive = rungs.some(({ isLive }) => isLive);
  const legend = legendLines(legendOf(hasLive, new Set(rungs.map(({ tier }) => tier))), {
    ...{ left: 0, width, y: bottom + 1_500, step: 1_900, gap: 1_200, stretch: fallbackWidth },
  });
  const note = noteLines(
    `Debt ÷ coins after the fall; ${ratioText(bands.critical)} = debt equals coins. Logarithmic scale${rungs.some(({ at30, filed }) => Math.min(at30, filed) < from) ? `; what is below ${ratioText(from)} stands at its end` : ''}.${oldWords(rungs)}`,
    { top: legend.end + 800, width },
  );
  const items = [
    ...bandItems(axis, bottom),
    ...scaleLabels(axis, width),
    ...rungs.flatMap((rung, i) =>
      rungItems({ rung, name: names[i] ?? '', x, y: top + i * row + row / 2, width }),
    ),
    ...legend.items,
    ...note.items,
  ];
  return sceneOf({ width, height: note.bottom + 200, items });
}

function oldWords(rungs: readonly Rung[]): string {
  const old = rungs.flatMap(({ ticker, ageDays }) =>
    ageDays === null || ageDays <= oldDays ? [] : [`${ticker} ${countText(ageDays)} days`],
  );
  return old.length === 0 ? '' : ` Old balance sheets: ${old.join(', ')}.`;
}

function domain(rungs: readonly Rung[], { moderate, critical }: StressBands): [number, number] {
  const values = rungs
    .flatMap(({ at30, at50, at70, filed }) => [at30, at50, at70, filed])
    .filter((v) => v > 0);
  return roundSpan([0.2, 2, Math.min(moderate, ...values) / 1.15, Math.max(critical, ...values) * 1.1]);
}

type Axis = { x: Scale; from: number; to: number; bands: StressBands };

function bandItems({ x, from, to, bands }: Axis, bottom: Cpx) {
  const y = top - 600;
  return [
    ...tierBandsOf(bands, { from, to }).map(({ fill, from: low, to: high }) =>
      bar({ x: x(low), y, w: x(high) - x(low), h: bottom - y }, { fill }),
    ),
    ...[bands.moderate, bands.critical].map((value) => upright(x(value), [y, bottom], { stroke: 'line' })),
    upright(x(bands.covenant), [300, bottom], { stroke: 'text', dash: [300, 200] }),
  ];
}

function scaleLabels({ x, from, to, bands }: Axis, width: Cpx) {
  const baseline = top - 1_100;
  const covenant = `${ratioText(bands.covenant)} reference covenant`;
  const fits = x(bands.covenant) + 500 + measureText(covenant, styles.small) <= width;
  const thresholds = [
    label({ text: ratioText(bands.moderate), x: x(bands.moderate) + 200, baseline, align: 'end' }),
    label({ text: ratioText(bands.critical), x: x(bands.critical) - 200, baseline }),
  ];
  const isEnd = (value: number): number => Number(value === from || value === to);
  const others = roundMarks({ from, to })
    .filter(({ value }) => value !== bands.moderate && value !== bands.critical)
    // the ends of the axis first
    .sort((a, b) => isEnd(b.value) - isEnd(a.value) || a.value - b.value)
    .map(({ value, text }) => label({ text, x: x(value), baseline, align: 'middle' }));
  return [
    label({
      text: covenant,
      x: x(bands.covenant) + (fits ? 500 : -500),
      baseline: 1_300,
      colour: 'text',
      align: fits ? 'start' : 'end',
    }),
    ...keepApart([...thresholds, ...others], numbersApart),
  ];
}

function rungItems({ rung, name, x, y, width }: { rung: Rung; name: string; x: Scale; y: Cpx; width: Cpx }) {
  const { at30, at50, at70, filed, tier, isLive } = rung;
  const baseline = centredOn(y, styles.strong);
  return [
    label({ text: name, x: 0, baseline, style: styles.strong }),
    ...whisker(x(at30), x(at70), y),
    ...(isLive ? [ring(x(filed), y)] : []),
    tierMark({ tier, x: x(at50), y, r: 560 }),
    label({ text: stressText(at50), x: width, baseline, style: styles.strong, align: 'end' }),
  ];
}

function whisker(from: Cpx, to: Cpx, y: Cpx): SceneItem[] {
  const stroke = { stroke: 'quiet', strokeWidth: 125 } as const;
  const end = (x: Cpx): SceneItem => upright(x, [y - 450, y + 450], stroke);
  return [level(y, [from, to], stroke), end(from), end(to)];
}

const ring = (x: Cpx, y: Cpx): SceneItem =>
  circle({ x, y, r: 330 }, { fill: 'ground', stroke: 'quiet', strokeWidth: 150 });

function legendOf(hasLive: boolean, tiers: ReadonlySet<RiskTier>): LegendEntry[] {
  const fall = 'coins \u221230\u00a0%, \u221250\u00a0%, \u221270\u00a0%';
  return [
    {
      ...{ lead: 3_300, name: hasLive ? `live: ${fall}` : `at the filing: ${fall}` },
      sample: (x, y) => whisker(x + 300, x + 2_700, y),
    },
    ...(hasLive
      ? [
          {
            ...{ lead: 1_500, name: 'at the filing, \u221250\u00a0%' },
            sample: (x: Cpx, y: Cpx) => [ring(x + 600, y)],
          },
        ]
      : []),
    ...legendTiers
      .filter((tier) => tiers.has(tier))
      .map((tier) => ({
        lead: 1_500,
        name: tier,
        sample: (x: Cpx, y: Cpx) => [tierMark({ tier, x: x + 600, y, r: 480 })],
      })),
  ];
}

const legendTiers: readonly RiskTier[] = ['CRITICAL', 'HIGH', 'MODERATE', 'LOW', 'UNCLASSIFIED'];

function tableOf(rungs: readonly Rung[], sourceDate: string): Chart['table'] {
  const isMixed = rungs.some(({ isLive }) => isLive !== rungs[0]?.isLive);
  const prices = isMixed || rungs[0] === undefined ? '' : rungs[0].isLive ? ' at live prices' : ' as filed';
  return figureTable<Rung>({
    caption: `Debt over coins${prices} after falls of the coins, slice of ${sourceDate}; age of the balance sheet`,
    unit: 'debt over coins, ratio; days',
    rows: rungs,
    columns: [
      { words: 'Issuer', of: 'ticker' },
      { words: 'Tier', of: 'tier' },
      {
        ...(isMixed && { words: 'Prices', text: ({ isLive }: Rung) => (isLive ? 'live' : 'filed') }),
        ...{ of: ({ isLive }) => (isLive ? 'live' : 'filing'), name: 'prices' },
      },
      { figures: '\u221230\u00a0%', of: 'at30', name: 'stress_30pct', as: stressText },
      { figures: '\u221250\u00a0%', of: 'at50', name: 'stress_50pct', as: stressText },
      { figures: '\u221270\u00a0%', of: 'at70', name: 'stress_70pct', as: stressText },
      { figures: 'Filed \u221250\u00a0%', of: 'filed', name: 'filed_stress_50pct', as: stressText },
      { figures: 'Age, days', of: 'ageDays', name: 'filing_age_days', as: countText, none: '–' },
    ],
  });
}
