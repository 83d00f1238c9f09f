import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { CryptoHoldings } from '../../crypto/cryptoHoldings.ts';
import { agreedValue, isQuantity, localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { Facilities } from '../../facilities/facility.ts';
import { isPledgedCoins, isRestrictedCoins, isSubject } from '../../facilities/loanFacts.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import type { CoinMix } from '../../prices/coinMix.ts';
import type { PriceBook } from '../../prices/priceBook.ts';
import { absentFigure, capitalFact } from '../absentFigure.ts';
import type { Figure } from '../figure.ts';
import type { CoinFlow } from './coinFlows.ts';

export type StockInputs = {
  readonly period: string;
  readonly facts: readonly StatedFact[];
  readonly holdings: Pick<CryptoHoldings, 'amount' | 'carried' | 'measurement' | 'roots'>;
  readonly mix: CoinMix;
  /** The only coin held, whose members need not be named. */
  readonly sole: string | null;
  /** The coin that is nearly all of the holdings: what names none is of it. */
  readonly main: string | null;
  readonly flows: readonly CoinFlow[];
  readonly facilities: Pick<Facilities, 'found'>;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
};

/** Pledged coins (M16.7): of the loans found, else as the facts state them; a stock filed on a duration is read at its end. */
export function pledgedOf(asset: string, { period, facts, facilities, main }: StockInputs): Figure {
  const secured = facilities.found.filter(
    ({ isSubsequent, asOf, collateral }) =>
      !isSubsequent && asOf === period && collateral !== null && (collateral.asset ?? main) === asset,
  );
  const counted = secured.flatMap(({ collateral }) => (collateral?.units == null ? [] : [collateral]));
  if (counted.length > 0 && counted.length === secured.length) {
    const used = new Set(
      counted.flatMap(({ facts: stated }) => stated.map(({ concept, date }) => `${concept} ${date}`)),
    );
    const stated = facts.filter(
      ({ concept, end, unit }) => used.has(`${concept} ${end}`) && isQuantity({ unit }),
    );
    const units = sumOf(counted.map(({ units: pledged }) => pledged ?? ExactDecimal.zero));
    return { value: units, status: 'stated', basis: 'facilities', facts: stated.map(capitalFact) };
  }
  const pledges = facts.filter(
    (fact) =>
      fact.end === period &&
      isQuantity(fact) &&
      isPledgedCoins(fact) &&
      fact.value.sign >= 0 &&
      (fact.asset ?? main) === asset,
  );
  return agreedOrSummed(pledges, 'pledged');
}

/** Coins that cannot be sold, pledged ones among them. */
export function restrictedOf(asset: string, { period, facts, main }: StockInputs): Figure {
  const found = facts.filter(
    (fact) =>
      fact.end === period &&
      isQuantity(fact) &&
      (isRestrictedCoins(fact) || (fact.isOfCoins && /Locked/.test(localName(fact.concept)))) &&
      !/Unrestricted|Unlocked/.test(localName(fact.concept)) &&
      !isPledgedCoins(fact) &&
      (fact.asset ?? main) === asset,
  );
  return agreedOrSummed(found, 'restricted');
}

/** The figure of the whole entity; without one the sum over the members, each number of a name once. */
function agreedOrSummed(facts: readonly StatedFact[], basis: string): Figure {
  if (facts.length === 0) return absentFigure('not_filed');
  const whole = facts.filter(({ dimensions }) => !dimensions.some(isSubject));
  if (whole.length > 0) {
    const agreed = agreedValue(whole);
    if (agreed === null) return absentFigure('conflict', { part: basis, facts });
    return { value: agreed, status: 'stated', basis, facts: whole.map(capitalFact) };
  }
  const once = new Map(facts.map((fact) => [`${subjectWords(fact)} ${fact.value}`, fact]));
  const parts = [...once.values()];
  const isTwofold = new Set(parts.map(subjectWords)).size < parts.length;
  if (isTwofold) return absentFigure('conflict', { part: basis, facts });
  return {
    value: sumOf(parts.map(({ value }) => value)),
    status: 'stated',
    basis,
    facts: parts.map(capitalFact),
  };
}

/** The members a fact is about, without the small words that make two spellings of one note (FLD). */
function subjectWords({ dimensions }: StatedFact): string {
  return dimensions
    .filter(isSubject)
    .map(({ member }) => localName(member).replace(/And|Member$/g, ''))
    .sort()
    .join(' ');
}

/** What was pledged, in money, as it stands in the balance sheet; a claim to coins that left it is no part of them. */
export function pledgedAmount({ period, facts }: StockInputs): Figure {
  const found = facts.filter(
    (fact) =>
      fact.start === null &&
      fact.end === period &&
      fact.unit === 'USD' &&
      fact.dimensions.length === 0 &&
      fact.namesCoins &&
      (isPledgedCoins(fact) || isRestrictedValue(fact)) &&
      !/Receivable/.test(fact.concept),
  );
  if (found.length === 0) return absentFigure('not_filed');
  const agreed = agreedValue(found);
  if (agreed === null) return absentFigure('conflict', { part: 'pledged', facts: found });
  return { value: agreed, status: 'stated', basis: 'pledged', facts: found.map(capitalFact) };
}

function isRestrictedValue({ concept }: StatedFact): boolean {
  return /FairValueRestricted/.test(localName(concept));
}

export function stakedOf(asset: string, { period, facts, main }: StockInputs): Figure {
  const found = facts.filter(
    (fact) =>
      fact.start === null &&
      fact.end === period &&
      isQuantity(fact) &&
      (fact.asset ?? main) === asset &&
      [fact.concept, ...fact.dimensions.map(({ member }) => member)].some((name) =>
        /Stak/.test(localName(name)),
      ),
  );
  if (found.length === 0) return absentFigure('not_filed');
  const agreed = agreedValue(found);
  if (agreed === null) return absentFigure('conflict', { part: 'staked', facts: found });
  return { value: agreed, status: 'stated', basis: 'staked', facts: found.map(capitalFact) };
}
