import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { localName } from '../../crypto/statedFacts.ts';
import { absolute } from '../../exact/decimals.ts';
import { divide, exactly, quotient, rounded } from '../../exact/fraction.ts';

import { absentFigure, type Figure } from '../figure.ts';
import type { DebtGroup } from './debtGroups.ts';
import { saysNothing } from './debtMembers.ts';
import type { Instrument } from './instrument.ts';
import { newestValue } from './instrumentTerms.ts';

const priceName = 'DebtInstrumentConvertibleConversionPrice1';
const ratioName = /^(DebtInstrumentConvertibleConversionRatio1|\w*SharesIssuablePer\w*)$/;
const maximumName = /(MaximumShares\w*Convert|Convert\w*MaximumShares|MaximumNumberOfShares\w*Convert)/;
const base = ExactDecimal.parse('1000');
const tolerance = ExactDecimal.parse('2');

/** Conversion price, ratio and shares of a group (M18.23). */
export function conversionOf(
  { facts, members }: Pick<DebtGroup, 'facts' | 'members'>,
  {
    period,
    currency,
    principal,
  }: { readonly period: string; readonly currency: string; readonly principal: Figure },
): Pick<Instrument, 'conversionPrice' | 'conversionShares' | 'notes'> {
  const own = facts.filter(({ end, dimensions }) => end <= period && !saysNothing(dimensions));
  const named = own.filter(({ concept }) => localName(concept) === priceName);
  const prices = named.filter(({ unit, value }) => unit === `${currency}/shares` && value.sign > 0);
  const price = newestValue(prices, members);
  const ratios = own.filter(
    ({ concept, unit, value }) =>
      ratioName.test(localName(concept)) && /^(pure|shares)$/.test(unit) && value.sign > 0,
  );
  const ratio = newestValue(ratios, members);
  const isMatched =
    price.value === null || ratio.value === null || isThousand(price.value.times(ratio.value));
  const maximum = newestValue(
    own.filter(({ concept, unit }) => unit === 'shares' && maximumName.test(localName(concept))),
    members,
  );
  const notes = [
    ...(isMatched ? [] : ['conversion_mismatch']),
    ...(price.value === null && price.reason === 'conflict' ? ['conversion_price_conflict'] : []),
    ...(prices.length === 0 && named.length > 0 ? ['conversion_price_in_other_currency'] : []),
  ];
  return {
    conversionPrice: price,
    conversionShares: sharesOf({
      price,
      ratio: isMatched ? ratio : absentFigure('conflict'),
      maximum,
      principal,
    }),
    notes,
  };
}

/** A bond of 1,000: the price times the shares it buys, within 0.2 %. */
function isThousand(product: ExactDecimal): boolean {
  return absolute(product.minus(base)).compare(tolerance) <= 0;
}

function sharesOf({
  price,
  ratio,
  maximum,
  principal,
}: {
  readonly price: Figure;
  readonly ratio: Figure;
  readonly maximum: Figure;
  readonly principal: Figure;
}): Figure {
  if (maximum.value !== null) return { ...maximum, basis: 'filed_maximum' };
  if (price.value === null && ratio.value === null) return absentFigure('not_filed');
  if (principal.value === null) return absentFigure('missing', { part: 'principal' });
  // a ratio is per 1,000 only where the price bears it out
  if (ratio.value !== null && price.value !== null) {
    const shares = rounded(divide(exactly(principal.value.times(ratio.value)), exactly(base)), 1);
    return {
      value: shares,
      status: principal.status,
      basis: 'ratio',
      facts: [...principal.facts, ...ratio.facts],
    };
  }
  if (price.value === null) return absentFigure('missing', { part: 'conversion_price' });
  const shares = rounded(quotient(principal.value, price.value), 1);
  return {
    value: shares,
    status: principal.status,
    basis: 'price',
    facts: [...principal.facts, ...price.facts],
  };
}
