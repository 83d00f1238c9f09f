import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { StatedFact } from '../crypto/statedFacts.ts';
import { absolute } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { Dimension, InstanceFact } from '../filing/xbrlFiling.ts';

/** An amount and what it was rounded by: the true one lies within `half` of it on both sides (M1.8). */
export type Rounded = { readonly value: ExactDecimal; readonly half: ExactDecimal };

type FiledNumber = { readonly value: ExactDecimal } & Pick<InstanceFact, 'decimals'>;

/** A filed number with half a unit of its last stated decimal; one that states none is exact. */
export function roundedOf({ value, decimals }: FiledNumber): Rounded {
  const isStated = typeof decimals === 'number' && Number.isInteger(decimals) && Math.abs(decimals) < 100;
  return { value, half: isStated ? ExactDecimal.parse(`5e${-decimals - 1}`) : ExactDecimal.zero };
}

/** A sum is as uncertain as all its parts together. */
export function roundedSum(parts: readonly Rounded[]): Rounded {
  return { value: sumOf(parts.map(({ value }) => value)), half: sumOf(parts.map(({ half }) => half)) };
}

/** True where the intervals of two amounts meet. */
export function agree(a: Rounded, b: Rounded): boolean {
  return absolute(a.value.minus(b.value)).compare(a.half.plus(b.half)) <= 0;
}

/** Amounts of the whole entity at the period end. */
export function wholeInstants(
  facts: readonly StatedFact[],
  { period, currency }: { readonly period: string; readonly currency: string },
): readonly StatedFact[] {
  return facts.filter(
    ({ start, end, unit, dimensions }) =>
      start === null && end === period && unit === currency && dimensions.length === 0,
  );
}

/** Axes and members of a fact as one text, in one order. */
export function membersKey(dimensions: readonly Dimension[]): string {
  return dimensions
    .map(({ axis, member }) => `${axis}=${member}`)
    .sort(compareText)
    .join(' ');
}
