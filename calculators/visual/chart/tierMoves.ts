import type { RiskTierMove } from '../../../data/contract/payloads/universe/dailyChanges.ts';
import type { RiskTier } from '../../../data/contract/values/enums.ts';
import { tierDirection, tierMoveWords } from '../../../data/contract/values/tierMove.ts';
import type { Cpx } from '../geometry/rect.ts';
import { pointAt } from '../geometry/segment.ts';
import type { SceneItem } from '../scene/scene.ts';
import { measureText } from '../type/measureText.ts';
import { type Chart, figureTable, sceneOf } from './chart.ts';
import { label, level, polygon, shortened, styles, upright } from './chartPen.ts';
import { countText } from './figures.ts';
import { tierMark } from './tierMark.ts';

const mostRows = 12;
const order = ['UNCLASSIFIED', 'LOW', 'MODERATE', 'HIGH', 'CRITICAL'] as const satisfies readonly RiskTier[];
/** Five names side by side have no room for the longest. */
const axisNames: Readonly<Record<RiskTier, string>> = {
  UNCLASSIFIED: 'UNCLASS.',
  LOW: 'LOW',
  MODERATE: 'MODERATE',
  HIGH: 'HIGH',
  CRITICAL: 'CRITICAL',
};
const row: Cpx = 2_700;
const top: Cpx = 2_500;

type Moves = { readonly moves: readonly RiskTierMove[]; readonly sourceDate: string; readonly width: number };

/** Issuers whose tier differs from the slice before (V44): an arrow each, beyond twelve a matrix of counts. Width in px. */
export function tierMoves({ moves, sourceDate, width }: Moves): Chart {
  const table = figureTable({
    caption: `Issuers whose tier changed with the slice of ${sourceDate}`,
    unit: 'tier by the filings',
    rows: moves,
    columns: [
      { words: 'Issuer', of: 'ticker' },
      { of: 'cik' },
      { words: 'Name', of: 'entity_name' },
      { words: 'From', of: 'prior_tier' },
      { words: 'To', of: 'new_tier' },
      { of: 'direction' },
    ],
  });
  const head = { id: 'tier-moves', title: `Tier moves, ${sourceDate}`, table };
  if (moves.length === 0) {
    const desc = 'No issuer changed its tier.';
    return {
      ...head,
      finding: 'No tier moves',
      sentence: 'Tiers are compared with those of the slice before.',
      desc,
      scene: noMoves(desc, width * 100),
    };
  }
  const issuers = moves.length === 1 ? 'issuer' : 'issuers';
  return {
    ...head,
    finding: `${countText(moves.length)} ${issuers} changed tier`,
    sentence: `${tierMoveWords(moves)}.`,
    desc: `${moves
      .map(({ ticker, prior_tier, new_tier }) => `${ticker} from ${prior_tier} to ${new_tier}`)
      .join(', ')}. Slice of ${sourceDate}.`,
    scene: moves.length <= mostRows ? arrows(moves, width * 100) : matrix(moves, width * 100),
  };
}

function places(left: Cpx, width: Cpx): (tier: RiskTier) => Cpx {
  const half = (tier: RiskTier): Cpx => Math.ceil(measureText(axisNames[tier], styles.small) / 2);
  const [first, last] = [left + half('UNCLASSIFIED'), width - half('CRITICAL')];
  return (tier) => first + Math.round((order.indexOf(tier as (typeof order)[number]) * (last - first)) / 4);
}

function axis(x: (tier: RiskTier) => Cpx): SceneItem[] {
  return order.map((tier) => label({ text: axisNames[tier], x: x(tier), baseline: 1_300, align: 'middle' }));
}

function noMoves(words: string, width: Cpx) {
  const text = label({
    text: words,
    x: Math.floor(width / 2),
    baseline: top + 2_000,
    style: styles.base,
    align: 'middle',
  });
  return sceneOf({ width, height: top + 3_000, items: [...axis(places(5_000, width)), text] });
}

function arrows(moves: readonly RiskTierMove[], width: Cpx) {
  const names = moves.map(({ ticker }) => shortened(ticker, { most: 6_000, style: styles.strong }));
  const x = places(Math.max(...names.map((name) => measureText(name, styles.strong))) + 600, width);
  const bottom = top + moves.length * row;
  const lines = order.map((tier) => upright(x(tier), [top - 500, bottom], { stroke: 'line' }));
  const rows = moves.flatMap(({ prior_tier, new_tier }, i): SceneItem[] => {
    const y = top + i * row + row / 2;
    const [from, to] = [x(prior_tier), x(new_tier)];
    const ahead = Math.sign(to - from);
    const back = to - ahead * 1_600;
    const name = names[i] ?? '';
    return [
      label({ text: name, x: 0, y, style: styles.strong }),
      level(y, [from, to - ahead * 1_300], {
        stroke: 'text',
        strokeWidth: 150,
        dash: tierDirection(prior_tier, new_tier) === null ? [400, 300] : [],
      }),
      polygon([pointAt(to - ahead * 800, y), pointAt(back, y - 420), pointAt(back, y + 420)], {
        fill: 'text',
      }),
      tierMark({ tier: prior_tier, x: from, y, r: 420, hollow: true }),
      tierMark({ tier: new_tier, x: to, y, r: 560 }),
    ];
  });
  return sceneOf({ width, height: bottom + 300, items: [...axis(x), ...lines, ...rows] });
}

function matrix(moves: readonly RiskTierMove[], width: Cpx) {
  const left = 2_000 + Math.max(...order.map((tier) => measureText(tier, styles.base))) + 600;
  const x = places(left, width);
  const froms = order.toReversed().filter((tier) => moves.some(({ prior_tier }) => prior_tier === tier));
  const rows = froms.flatMap((from, i): SceneItem[] => {
    const y = top + i * row + row / 2;
    return [
      level(y - row / 2, [0, width], { stroke: 'line', strokeWidth: 75 }),
      tierMark({ tier: from, x: 700, y, r: 420, hollow: true }),
      label({ text: from, x: 2_000, y, style: styles.base, colour: 'text' }),
      ...order.flatMap((to): SceneItem[] => {
        const count = moves.filter(
          ({ prior_tier, new_tier }) => prior_tier === from && new_tier === to,
        ).length;
        if (count === 0) return [];
        return [
          tierMark({ tier: to, x: x(to) - 700, y, r: 480 }),
          label({ text: countText(count), x: x(to) + 100, y, style: styles.strong }),
        ];
      }),
    ];
  });
  const note = top + froms.length * row + 1_500;
  return sceneOf({
    width,
    height: note + 500,
    items: [
      ...axis(x),
      ...rows,
      label({ text: 'from the tier of the row to that of the column', x: 0, baseline: note }),
    ],
  });
}
