import type { RiskDistribution } from '../../../data/contract/payloads/universe/riskDistribution.ts';
import { type RiskTier, riskTiers } from '../../../data/contract/values/enums.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { SceneItem } from '../scene/scene.ts';
import { measureText } from '../type/measureText.ts';
import { type Chart, emptyChart, figureTable, sceneOf } from './chart.ts';
import { bar, centredOn, label, styles, upright } from './chartPen.ts';
import { countText, percentText } from './figures.ts';
import { tierMark, tierRoles } from './tierMark.ts';

const row: Cpx = 2_700;
const barHeight: Cpx = 1_600;
const gap: Cpx = 120;
/** Up to this many issuers each has a square of its own. */
const mostUnits = 40;

type Tiers = {
  readonly live: RiskDistribution;
  readonly filing: RiskDistribution | null;
  readonly width: number;
};

/**
 * Issuers by risk tier (V42): a row a tier, live counts as bars, a tick where the filings alone give another count.
 * `live` and `filing` are the two forms of one slice (R04); width in px.
 */
export function tierBars({ live, filing, width }: Tiers): Chart {
  const { total, source_date, basis } = live.meta;
  const named = { id: 'tier-bars', title: `Issuers by risk tier, ${source_date}` };
  const caption = `Issuers by risk tier in the slice of ${source_date}`;
  // shares of nothing are no figures
  if (total === 0)
    return emptyChart({ ...named, table: { caption, columns: [], rows: [] } }, width, {
      finding: 'No issuer in the slice',
      sentence: 'A tier needs a filing in force.',
      words: `No issuer has a filing in force on ${source_date}.`,
    });
  const figures = riskTiers.map((tier) => ({
    tier,
    ...live[tier],
    filed: filing === null ? null : filing[tier].count,
  }));
  const differs = figures.some(({ count, filed }) => filed !== null && filed !== count);
  return {
    ...named,
    finding: findingOf(live),
    sentence: sentenceOf(live, filing),
    desc: `${figures
      .map(({ tier, count, percentage, filed }) => {
        const byFilings = filed === null ? '' : `, by the filings alone ${countText(filed)}`;
        return `${tier} ${countText(count)} (${percentText(percentage)})${byFilings}`;
      })
      .join('; ')}. ${countText(total)} issuers in the slice of ${source_date}.`,
    scene: draw({ figures, width: width * 100, differs }),
    table: figureTable({
      caption,
      unit: 'issuers and percent',
      rows: figures,
      columns: [
        { words: 'Tier', of: 'tier' },
        basis === 'live'
          ? { figures: 'At live prices', of: 'count', name: 'issuers_live', as: countText }
          : { figures: 'By the filings', of: 'count', name: 'issuers', as: countText },
        { figures: 'Share', of: 'percentage', name: 'percent', as: percentText },
        ...(filing === null ? [] : [filedColumn]),
      ],
    }),
  };
}

const filedColumn = {
  ...{ figures: 'By the filings alone', name: 'issuers_by_filing', as: countText },
  of: ({ filed }: Figure) => filed,
};

type Figure = { tier: RiskTier; count: number; percentage: number; filed: number | null };

function draw({ figures, width, differs }: { figures: readonly Figure[]; width: Cpx; differs: boolean }) {
  const most = Math.max(1, ...figures.map(({ count, filed }) => Math.max(count, filed ?? 0)));
  const left = 1_900 + Math.max(...figures.map(({ tier }) => measureText(tier, styles.base))) + 800;
  const ends = figures.map(({ count, percentage }) => ({
    count: measureText(countText(count), styles.strong),
    share: measureText(percentText(percentage), styles.small),
  }));
  const widest = Math.max(...ends.map(({ count, share }) => count + 500 + share));
  const unit = Math.floor((width - widest - 600 - left) / most);
  // a fraction of a unit is lost by rounding down only where units are shown
  const x = (count: number): Cpx =>
    left + (most <= mostUnits ? count * unit : Math.round((count * (width - widest - 600 - left)) / most));
  const items = figures.flatMap(({ tier, count, percentage, filed }, i): SceneItem[] => {
    const y = i * row + row / 2;
    const end = x(Math.max(count, filed === null || filed === count ? 0 : filed)) + 600;
    return [
      tierMark({ tier, x: 700, y, r: 480 }),
      label({ text: tier, x: 1_900, y, style: styles.base, colour: 'text' }),
      ...bars({ tier, count, x, y, unit: most <= mostUnits ? unit : null }),
      ...(filed === null || filed === count ? [] : [tick(x(filed), y)]),
      label({ text: countText(count), x: end, y, style: styles.strong }),
      label({
        text: percentText(percentage),
        x: end + (ends[i]?.count ?? 0) + 500,
        baseline: centredOn(y, styles.base),
      }),
    ];
  });
  const bottom = figures.length * row;
  const note: SceneItem[] = differs
    ? [
        tick(700, bottom + 1_100, 700),
        label({ text: 'by the filings alone; bars count live prices', x: 1_900, y: bottom + 1_100 }),
      ]
    : [];
  return sceneOf({ width, height: bottom + (differs ? 2_200 : 200), items: [...items, ...note] });
}

type Bars = Pick<Figure, 'tier' | 'count'> & { x: (count: number) => Cpx; y: Cpx; unit: Cpx | null };

function bars({ tier, count, x, y, unit }: Bars): SceneItem[] {
  const [top, h] = [y - barHeight / 2, barHeight];
  const base = upright(x(0), [top, top + h], { stroke: 'line' });
  if (count === 0) return [base];
  const role = tierRoles[tier];
  const boxes =
    unit === null
      ? [{ x: x(0), y: top, w: x(count) - x(0), h }]
      : Array.from({ length: count }, (_, k) => ({ x: x(k), y: top, w: unit - gap, h }));
  return boxes.map((box) =>
    tier === 'UNCLASSIFIED'
      ? bar(
          { x: box.x + 50, y: box.y + 50, w: box.w - 100, h: box.h - 100 },
          { fill: 'ground', stroke: role },
        )
      : bar(box, { fill: role }),
  );
}

const tick = (x: Cpx, y: Cpx, half: Cpx = 1_150): SceneItem =>
  upright(x, [y - half, y + half], { stroke: 'text', strokeWidth: 150 });

function findingOf(shown: RiskDistribution): string {
  const { CRITICAL, UNCLASSIFIED, meta } = shown;
  const prices = meta.basis === 'live' ? 'at live prices' : 'by their filings';
  // not to be classified is not to be sound
  if (UNCLASSIFIED.count === meta.total)
    return meta.total === 1 ? 'The one issuer cannot be classified' : 'No issuer can be classified';
  if (meta.total === 1) return `The one issuer is ${tierOfOne(shown)} ${prices}`;
  if (CRITICAL.count === 0) return `None of ${countText(meta.total)} issuers is CRITICAL ${prices}`;
  const verb = CRITICAL.count === 1 ? 'is' : 'are';
  return `${countText(CRITICAL.count)} of ${countText(meta.total)} issuers ${verb} CRITICAL ${prices}`;
}

function sentenceOf(shown: RiskDistribution, filing: RiskDistribution | null): string {
  if (shown.meta.total === 1) return `By its filing it is ${tierOfOne(filing ?? shown)}.`;
  const [without, critical] = [shown.UNCLASSIFIED.count, filing?.CRITICAL.count ?? null];
  const rest = without === 0 ? 'all can be classified' : `${countText(without)} cannot be classified`;
  if (critical === null) return without === 0 ? 'All can be classified.' : `${rest}.`;
  const filed = critical === 0 ? 'none' : countText(critical);
  return `By the filings alone ${filed} would be CRITICAL; ${rest}.`;
}

/** The tier that the issuer of a slice of one has. */
export function tierOfOne(counts: RiskDistribution): RiskTier {
  return riskTiers.find((tier) => counts[tier].count > 0) ?? 'UNCLASSIFIED';
}
