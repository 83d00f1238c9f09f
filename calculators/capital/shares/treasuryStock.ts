import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { divide, exactly, multiply, rounded, subtract, one as whole } from '../../exact/fraction.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { absentFigure, type Figure, figureOf } from '../figure.ts';
import type { Instruments, Shares } from '../parts.ts';
import { convertibles } from './dilution.ts';

/** Shares that a close adds (M18.47), part by part, and the debt that converts with them. */
export type TreasuryStock = {
  readonly prefunded: Figure;
  readonly warrants: Figure;
  readonly options: Figure;
  readonly units: Figure;
  readonly converts: Figure;
  /** Outstanding and all of them; null with the part that is missing. */
  readonly shares: Figure;
  /** Principal of the notes that are in the money. */
  readonly convertedPrincipal: Figure;
};

const digits = 4;

/** The treasury-stock method at a close. @param close in dollars a share, above zero */
export function treasuryStock(
  shares: Shares,
  { close, instruments }: { readonly close: ExactDecimal; readonly instruments: Instruments | null },
): TreasuryStock {
  const open = shares.warrants.filter(({ count }) => count.value === null || count.value.sign > 0);
  const prefunded = partOf(
    open
      .filter(({ isPrefunded }) => isPrefunded)
      .map(({ count, exercisePrice }) => ({
        count,
        // paid for already where no price is filed
        price: exercisePrice.value === null && exercisePrice.reason === 'not_filed' ? free : exercisePrice,
      })),
    { close, total: shares.prefunded },
  );
  const warrants = partOf(
    open
      .filter(({ isPrefunded }) => !isPrefunded)
      .map(({ count, exercisePrice }) => ({ count, price: exercisePrice })),
    { close, total: shares.warrantsTotal },
  );
  const options = partOf(shares.optionGroups, { close, total: shares.options });
  const units = shares.restrictedUnits;
  const { converts, convertedPrincipal } = notesAt(shares, { close, instruments });
  const parts = { options, units, warrants, prefunded, converts };
  return { ...parts, shares: sumAt(shares, parts), convertedPrincipal };
}

const free: Figure = figureOf(ExactDecimal.zero, { basis: 'paid', facts: [] });

/** n·(1 − K/S) of every group in the money; the groups have to be all there is. */
function partOf(
  groups: readonly { readonly count: Figure; readonly price: Figure }[],
  { close, total }: { readonly close: ExactDecimal; readonly total: Figure },
): Figure {
  if (total.value === null) return total;
  const counts = groups.flatMap(({ count }) => (count.value === null ? [] : [count.value]));
  if (total.value.sign > 0 && !sumOf(counts).equals(total.value))
    return absentFigure('missing', { part: 'exercise price' });
  const added: ExactDecimal[] = [];
  for (const { count, price } of groups) {
    if (count.value === null || count.value.sign === 0) continue;
    if (price.value === null)
      return absentFigure('missing', {
        part: price.reason === 'not_applicable' ? 'price in dollars' : 'exercise price',
      });
    if (close.compare(price.value) <= 0) continue;
    const share = subtract(whole, divide(exactly(price.value), exactly(close)));
    added.push(rounded(multiply(exactly(count.value), share), digits));
  }
  const facts = groups.flatMap(({ count, price }) => [...count.facts, ...price.facts]);
  return figureOf(sumOf(added), { basis: 'treasury_stock_method', facts, status: total.status });
}

function notesAt(
  shares: Shares,
  { close, instruments }: { readonly close: ExactDecimal; readonly instruments: Instruments | null },
): Pick<TreasuryStock, 'converts' | 'convertedPrincipal'> {
  const notes = instruments === null ? [] : convertibles(instruments);
  const missing = absentFigure('missing', { part: 'conversion price' });
  if (notes.length === 0) {
    const { convertibleShares } = shares;
    return {
      converts: convertibleShares.value === null ? convertibleShares : missing,
      convertedPrincipal: none,
    };
  }
  const inTheMoney: { readonly shares: ExactDecimal; readonly principal: ExactDecimal | null }[] = [];
  for (const note of notes) {
    // the quarter's incremental shares are the one note's (RIOT)
    const count = note.conversionShares.value ?? (notes.length === 1 ? shares.convertibleShares.value : null);
    const price = note.conversionPrice.value ?? impliedPrice(note.principal, count);
    if (price === null || count === null) return { converts: missing, convertedPrincipal: missing };
    if (close.compare(price) > 0) inTheMoney.push({ shares: count, principal: note.principal.value });
  }
  const facts = notes.flatMap(({ conversionShares, conversionPrice }) => [
    ...conversionShares.facts,
    ...conversionPrice.facts,
  ]);
  const status = 'stated';
  const converts: Figure = figureOf(sumOf(inTheMoney.map((note) => note.shares)), {
    basis: 'in_the_money',
    facts,
    status,
  });
  const principals = inTheMoney.flatMap(({ principal }) => (principal === null ? [] : [principal]));
  const isWhole = principals.length === inTheMoney.length;
  return {
    converts,
    convertedPrincipal: isWhole
      ? figureOf(sumOf(principals), { basis: 'in_the_money', facts, status })
      : absentFigure('missing', { part: 'principal' }),
  };
}

/** What a note owes over the shares it becomes (MSTR files a maximum of shares and no price for its older notes). */
function impliedPrice({ value }: Figure, count: ExactDecimal | null): ExactDecimal | null {
  return value === null || count === null || count.sign <= 0
    ? null
    : rounded(divide(exactly(value), exactly(count)), digits);
}

const none: Figure = figureOf(ExactDecimal.zero, { basis: 'no_converts', facts: [] });

/** A part that is missing from what is fully diluted is missing here; one that the filing does not mention stays out. */
function sumAt(shares: Shares, parts: Readonly<Record<string, Figure>>): Figure {
  const { outstanding, fullyDiluted } = shares;
  if (outstanding.value === null) return absentFigure('missing', { part: 'outstanding' });
  if (fullyDiluted.value === null && fullyDiluted.reason === 'missing') {
    return absentFigure('missing', fullyDiluted.part === undefined ? {} : { part: fullyDiluted.part });
  }
  const values: ExactDecimal[] = [outstanding.value];
  for (const [name, part] of Object.entries(parts)) {
    if (part.value !== null) values.push(part.value);
    else if (part.reason !== 'not_filed') return absentFigure('missing', { part: name });
  }
  const facts = [outstanding, ...Object.values(parts)].flatMap((part) => part.facts);
  const status = fullyDiluted.value === null ? 'partial' : fullyDiluted.status;
  return figureOf(sumOf(values), { basis: 'treasury_stock_method', facts, status });
}
