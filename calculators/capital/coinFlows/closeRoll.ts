import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';

/** An amount and how finely it is filed. */
export type Rounded = { readonly amount: ExactDecimal; readonly decimals: number | 'INF' | null };

/** One row that may belong to the sum. */
export type RollRow = Rounded & {
  /** A gain may stand with the other sign than its name says. */
  readonly canFlip: boolean;
};

/** Which rows close a roll: those excluded, the gain with its sign changed, the gain taken in from outside. */
export type Closing = {
  readonly dropped: readonly number[];
  readonly flipped: number | null;
  readonly gain: { readonly index: number; readonly isNegated: boolean } | null;
};

/** Rows that may be excluded (M18.71). */
const greatestDrop = 4;
/** Above this many rows only the sum itself, and the sum less one row, is tried. */
export const greatestSearch = 20;
/** A set that a search finds is evidence only where so many sets would rarely close by accident. */
const greatestChance = 0.001;

type Scaled = { readonly amount: bigint; readonly tolerance: bigint };

/**
 * The one set of rows that carries `opening` to `closing` within the rounding of all of them (M18.71): as few excluded as
 * possible, one gain with its sign changed at most; null where none closes, or where more than one of that size does.
 */
export function closeRoll({
  opening,
  closing,
  rows,
  gains = [],
}: {
  readonly opening: Rounded;
  readonly closing: Rounded;
  readonly rows: readonly RollRow[];
  /** Gains whose names do not speak of coins; where given, exactly one of them has to enter. */
  readonly gains?: readonly Rounded[];
}): Closing | 'ambiguous' | null {
  const all = [opening, closing, ...rows, ...gains];
  const scale = Math.max(...all.map(({ amount, decimals }) => Math.max(amount.scale, fineness(decimals))));
  const scaled = (value: Rounded): Scaled => inHalves(value, scale);
  const [from, to] = [scaled(opening), scaled(closing)];
  const amounts = rows.map((row) => ({ ...scaled(row), canFlip: row.canFlip }));
  const outside = gains.map(scaled);
  const searched: Search = {
    difference: to.amount - from.amount - amounts.reduce((sum, { amount }) => sum + amount, 0n),
    tolerance: from.tolerance + to.tolerance + amounts.reduce((sum, { tolerance }) => sum + tolerance, 0n),
    rows: amounts,
    gains: outside,
    // one unit of the finest filed amount, in halves
    unit: 2n,
  };
  const deepest = rows.length > greatestSearch ? 1 : greatestDrop;
  for (let size = 0; size <= Math.min(deepest, rows.length); size += 1) {
    const { exact, near } = closingsOf(searched, size);
    // a set that closes to the last digit stands before those that need the rounding (CLSK: 171,459 beside 171,462)
    const [only, second] = exact.length > 0 ? exact : near;
    if (second !== undefined) return 'ambiguous';
    if (only === undefined) continue;
    const tolerance = exact.length > 0 ? 0n : searched.tolerance;
    return isEvidence(only, { ...searched, tolerance }) ? only : 'ambiguous';
  }
  return null;
}

type Search = {
  readonly difference: bigint;
  readonly tolerance: bigint;
  readonly rows: readonly (Scaled & { readonly canFlip: boolean })[];
  readonly gains: readonly Scaled[];
  readonly unit: bigint;
};

/** Closings with exactly `size` rows excluded, two of a kind at most: a second one settles that none counts. */
function closingsOf(
  { difference, tolerance, rows, gains }: Search,
  size: number,
): { readonly exact: readonly Closing[]; readonly near: readonly Closing[] } {
  const exact: Closing[] = [];
  const near: Closing[] = [];
  const dropped: number[] = [];
  const take = (
    { left, width }: { left: bigint; width: bigint },
    { flipped = null, gain = null }: { flipped?: number | null; gain?: Closing['gain'] },
  ): boolean => {
    if ((left < 0n ? -left : left) > width) return false;
    const found = left === 0n ? exact : near;
    if (found.length < 2) found.push({ dropped: [...dropped], flipped, gain });
    return true;
  };
  const flippable = rows.flatMap(({ canFlip }, index) => (canFlip ? [index] : []));
  const tryGains = (left: bigint, width: bigint) => {
    for (const [index, gain] of gains.entries()) {
      const wider = width + gain.tolerance;
      take({ left: left - gain.amount, width: wider }, { gain: { index, isNegated: false } });
      take({ left: left + gain.amount, width: wider }, { gain: { index, isNegated: true } });
    }
  };
  const tryRows = (left: bigint, width: bigint) => {
    if (take({ left, width }, {})) return;
    for (const index of flippable) {
      const row = rows[index];
      if (row === undefined || dropped.includes(index)) continue;
      take({ left: left + 2n * row.amount, width }, { flipped: index });
    }
  };
  const choose = (from: number, left: bigint, width: bigint) => {
    if (exact.length > 1) return;
    if (dropped.length === size) {
      if (gains.length > 0) tryGains(left, width);
      else tryRows(left, width);
      return;
    }
    for (let index = from; index < rows.length; index += 1) {
      const row = rows[index];
      if (row === undefined) continue;
      dropped.push(index);
      choose(index + 1, left + row.amount, width - row.tolerance);
      dropped.pop();
    }
  };
  choose(0, difference, tolerance);
  return { exact, near };
}

/** A plain sum needs no luck; of sets that a search tries, hardly one may be expected to close by accident. */
function isEvidence({ dropped, flipped, gain }: Closing, { rows, gains, tolerance, unit }: Search): boolean {
  if (dropped.length === 0 && flipped === null && gain === null) return true;
  const flips = rows.filter(({ canFlip }) => canFlip).length;
  const sets = choices(rows.length, dropped.length) * (gains.length > 0 ? 2 * gains.length : 1 + flips);
  const spread = rows.reduce((sum, { amount }) => sum + (amount < 0n ? -amount : amount), 0n);
  return sets * Number(2n * tolerance + unit) <= greatestChance * 2 * Number(spread);
}

function choices(from: number, size: number): number {
  let count = 1;
  for (let step = 0; step < size; step += 1) count = (count * (from - step)) / (step + 1);
  return count;
}

/** Decimals beyond the point; a fact that states none is exact. */
function fineness(decimals: Rounded['decimals']): number {
  return typeof decimals === 'number' ? Math.min(Math.max(decimals, 0), 20) : 0;
}

/** In halves of the last digit, so that half a unit of rounding stays whole. */
function inHalves({ amount, decimals }: Rounded, scale: number): Scaled {
  const units = amount.units * 10n ** BigInt(scale - amount.scale);
  const isRounded = typeof decimals === 'number' && decimals > -20 && decimals <= scale;
  return { amount: 2n * units, tolerance: isRounded ? 10n ** BigInt(scale - decimals) : 0n };
}
