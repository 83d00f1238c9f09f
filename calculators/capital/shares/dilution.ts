import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { absentFigure, type Figure, figureOf } from '../figure.ts';
import type { Instrument, Instruments } from '../parts.ts';
import { ofShortest } from './shareCounts.ts';
import { type FactIndex, statedValue } from './statedFigure.ts';

/** One part of the diluted count; a part that the filing neither counts nor hints at stays out, and the sum says so. */
export type DilutionPart = {
  readonly name: string;
  readonly count: Figure;
  /** The filing shows that there is some. */
  readonly isHinted: boolean;
  /** The count as filed where it cannot be one. */
  readonly slipped?: string;
};

/** Notes that convert into shares and are outstanding (M18.46). */
export function convertibles(instruments: Instruments): readonly Instrument[] {
  return instruments.found.filter(
    ({ kind, state, conversionPrice, conversionShares }) =>
      state === 'outstanding' &&
      (kind === 'convertible_note' || conversionPrice.value !== null || conversionShares.value !== null),
  );
}

/**
 * Shares that outstanding notes convert into: the sum of the notes', or where a note files no price the quarter's
 * incremental shares (RIOT). Antidilutive amounts are averages and count nothing (MSTR 141,000 of 534,160).
 */
export function convertibleShares({
  index,
  period,
  instruments,
}: {
  readonly index: FactIndex;
  readonly period: string;
  /** null where the instruments are not known. */
  readonly instruments: Instruments | null;
}): DilutionPart {
  const incremental = ofShortest(
    index('IncrementalCommonSharesAttributableToConversionOfDebtSecurities').filter(
      ({ start, end, value }) => start !== null && end === period && value.sign > 0,
    ),
  );
  const notes = instruments === null ? [] : convertibles(instruments);
  const shares = notes.map(({ conversionShares }) => conversionShares);
  const isHinted = notes.length > 0 || incremental.length > 0;
  const known = shares.flatMap(({ value }) => (value === null ? [] : [value]));
  if (shares.length > 0 && known.length === shares.length) {
    const facts = shares.flatMap((one) => one.facts);
    const isProven = notes.every(
      ({ principal }) => principal.value !== null && principal.status === 'proven',
    );
    const status = isProven ? 'proven' : 'stated';
    return {
      name: 'converts',
      count: figureOf(sumOf(known), { basis: 'conversion_shares', facts, status }),
      isHinted,
    };
  }
  const count = statedValue(incremental, 'incremental');
  const isBelow = count.value !== null && count.value.compare(sumOf(known)) < 0;
  const missing = absentFigure('missing', { part: 'conversion price', facts: incremental });
  if (count.value !== null && !isBelow) return { name: 'converts', count, isHinted };
  return { name: 'converts', count: isHinted ? missing : absentFigure('not_filed'), isHinted };
}

/** Outstanding and every part exercised; null with the part that is missing. */
export function sumOfParts(
  outstanding: Figure,
  { parts, basis }: { readonly parts: readonly DilutionPart[]; readonly basis: string },
): Figure {
  if (outstanding.value === null) return absentFigure('missing', { part: 'outstanding' });
  const missing = parts.find(({ count, isHinted }) => count.value === null && isHinted);
  if (missing !== undefined) return absentFigure('missing', { part: missing.name });
  const counted = parts.flatMap(({ count }) => (count.value === null ? [] : [count]));
  if (parts.length > 0 && counted.length === 0) return absentFigure('not_filed');
  const values: ExactDecimal[] = [outstanding.value, ...counted.map(({ value }) => value)];
  const isWhole = counted.length === parts.length;
  const isProven = [outstanding, ...counted].every((one) => one.status === 'proven');
  return figureOf(sumOf(values), {
    basis,
    facts: [outstanding, ...counted].flatMap((one) => one.facts),
    status: isWhole ? (isProven ? 'proven' : 'stated') : 'partial',
  });
}
