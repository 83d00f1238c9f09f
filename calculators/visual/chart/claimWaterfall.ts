import type { Cpx, Rect } from '../geometry/rect.ts';
import type { SceneItem } from '../scene/scene.ts';
import { type Chart, emptyChart, figureTable, noteLines, sceneOf } from './chart.ts';
import { bar, label, shortened, styles, upright } from './chartPen.ts';
import { fixed, ratioPercentText, usdText } from './figures.ts';
import { linearScale } from './scales.ts';

/** One class of claimants after a fall; `paid` null outside the pool. */
export type PaidClass = {
  readonly class: string;
  readonly claim: number;
  readonly paid: number | null;
  readonly recovery: number | null;
};

const rowHeight: Cpx = 4_400;
const words: Readonly<Record<string, string>> = {
  secured_by_coins: 'secured by coins',
  secured_by_other_assets: 'secured by other assets',
  unsecured_convertible: 'convertible notes',
  unsecured: 'other unsecured debt',
  debt_not_itemised: 'debt not itemised',
  other_liabilities: 'other liabilities',
};

type Claims = {
  readonly ticker: string;
  /** Balance-sheet date. */
  readonly period: string;
  /** 0.5 is a fall of half. */
  readonly shock: number;
  readonly pool: number;
  /** In the order of payment, without common. */
  readonly classes: readonly PaidClass[];
  readonly residual: number;
  readonly isLowerBound: boolean;
  readonly width: number;
};

/** From the coins after a fall to common shares, a row a class in the order of payment (V72). Width in px. */
export function claimWaterfall(claims: Claims): Chart {
  const { ticker, period, shock, pool, classes, residual, isLowerBound, width } = claims;
  const fall = `${fixed(shock * 100, 0)}\u00a0%`;
  const owed = classes.filter(({ claim }) => claim > 0);
  const left = residual === 0 ? 'nothing' : usdText(residual);
  const rows = [
    { name: `coins after a fall of ${fall}`, from: 0, to: pool, claim: null, text: usdText(pool) },
    ...stepsOf(owed, pool),
    { name: 'left for common', from: 0, to: residual, claim: null, text: left },
  ];
  const shared = {
    id: 'claim-waterfall',
    title: `Who is paid first at ${ticker}`,
    table: figureTable({
      caption: `Claims on ${ticker} after a fall of coins of ${fall}, as filed for ${period}`,
      rows: owed,
      columns: [
        { words: 'Class', of: ({ class: of }) => claimClassName(of) },
        { figures: 'Claim', of: 'claim', as: usdText },
        { figures: 'Paid', of: 'paid', as: usdText, none: 'outside the pool' },
        { figures: 'Recovery', of: 'recovery', as: ratioPercentText, none: 'not known' },
      ],
    }),
  };
  if (owed.length === 0)
    return emptyChart(shared, width, {
      finding: `No claims on ${ticker} before common`,
      sentence: `As filed for ${period}; a claim that is not filed as a fact is not seen.`,
      words: `The coins of ${ticker} after a fall of ${fall} are ${usdText(pool)}; the filing states no claim before common.`,
    });
  const short = owed.find(({ recovery }) => recovery !== null && recovery < 1);
  const finding =
    short === undefined
      ? `By its filing the coins of ${ticker} cover every claim in the pool after a fall of ${fall}`
      : `By its filing the coins of ${ticker} pay ${ratioPercentText(short.recovery ?? 0)} of ${owedName(short.class)} after a fall of ${fall}`;
  const bound = isLowerBound
    ? ' Coins are known at cost less impairment alone: recoveries are lower bounds.'
    : '';
  return {
    ...shared,
    finding,
    sentence: `As filed for ${period}: coins alone pay, at book values, without costs and without an order by court.${bound}`,
    desc: `Coins after the fall ${usdText(pool)}; ${owed
      .map(
        ({ class: of, claim, paid, recovery }) =>
          `${claimClassName(of)}: claim ${usdText(claim)}, ${paid === null ? 'outside the pool' : `paid ${usdText(paid)}`}${recovery === null ? '' : `, recovery ${ratioPercentText(recovery)}`}`,
      )
      .join('; ')}; left for common ${left}.`,
    scene: draw(rows, width * 100),
  };
}

type Step = {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** What is owed to it; null for the first and the last row. */
  readonly claim: number | null;
  readonly text: string;
};

function stepsOf(classes: readonly PaidClass[], pool: number): Step[] {
  let left = pool;
  return classes.map(({ class: of, claim, paid, recovery }) => {
    const name = claimClassName(of);
    if (paid === null) return { name, from: 0, to: 0, claim, text: `${usdText(claim)}, outside the pool` };
    const to = left;
    left = Math.max(0, left - paid);
    const share = recovery === null ? '' : `, ${ratioPercentText(recovery)}`;
    return { name, from: left, to, claim, text: `${usdText(paid)} of ${usdText(claim)}${share}` };
  });
}

function draw(rows: readonly Step[], width: Cpx) {
  const most = Math.max(
    1,
    ...rows.map(({ from, to, claim }) => Math.max(to, claim === null ? 0 : from + claim)),
  );
  const x = linearScale({ from: 0, to: most, at: 0, end: width });
  const items = rows.flatMap(({ name, from, to, claim, text }, i): SceneItem[] => {
    const top = 400 + i * rowHeight;
    const isEnd = claim === null;
    const [start, end] = [x(from), x(to)];
    const said = label({
      text,
      x: width,
      baseline: top + 1_300,
      align: 'end',
      style: styles.base,
      colour: 'text',
    });
    const called = label({
      text: shortened(name, { most: Math.max(0, width - said.width - 800), style: styles.base }),
      x: 0,
      baseline: top + 1_300,
      style: styles.base,
    });
    const owed =
      claim === null || claim === 0
        ? []
        : [bar(stripe({ from: x(from), to: x(Math.min(most, from + claim)), top, width }), outline)];
    return [
      called,
      said,
      ...owed,
      end > start
        ? bar(stripe({ from: start, to: end, top, width }), { fill: isEnd ? 'series-a' : 'series-b' })
        : upright(start, [top + 1_900, top + 3_400], {
            stroke: isEnd ? 'series-a' : 'series-b',
            strokeWidth: 150,
          }),
    ];
  });
  const note = noteLines('US dollars. Outlined: what the class is owed; filled: what it gets.', {
    top: 400 + rows.length * rowHeight - 600,
    width,
  });
  return sceneOf({ width, height: note.bottom + 200, items: [...items, ...note.items] });
}

const outline = { fill: 'ground', stroke: 'series-b', strokeWidth: 100 } as const;

/** A bar of a row inside the picture: an amount that is next to nothing is a thin one, at the right end too. */
function stripe({ from, to, top, width }: { from: Cpx; to: Cpx; top: Cpx; width: Cpx }): Rect {
  const w = Math.max(75, to - from);
  return { x: Math.min(from, width - w), y: top + 1_900, w, h: 1_500 };
}

function owedName(of: string): string {
  const name = claimClassName(of);
  return name.startsWith('secured') ? `debt ${name}` : name;
}

/** A class of claimants in words. */
export function claimClassName(of: string): string {
  // a class called as a member of every object has no word here
  return (Object.hasOwn(words, of) ? words[of] : undefined) ?? of.replaceAll('_', ' ');
}
