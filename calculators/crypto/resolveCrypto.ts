import { ExactDecimal } from '../../contract/exactDecimal.ts';
import { addDays } from '../civilDate.ts';
import type { FactSheet } from '../factSheet.ts';
import type { Parameters } from '../parameters.ts';
import type { FiledFact, Issuer } from '../rows.ts';
import { intangibleCoins } from './cryptoDictionary.ts';
import { fairValueTotal } from './fairValueTotals.ts';
import { adoptedFairValue } from './fiscalYearStart.ts';

/** The coins of one filing in USD at its period end, exact. */
export type CryptoHoldings = {
  /** C; zero when the filing states none. */
  readonly amount: ExactDecimal;
  /** C_bs, the amount inside the filed balance sheet (M3.12). */
  readonly carried: ExactDecimal;
  /** What the amount measures; null when the filing states no coins. */
  readonly measurement: 'fair_value' | 'carrying_lower_bound' | null;
  /** Two fair-value totals are too far apart (M2.5): quality Low. */
  readonly disagreement: boolean;
};

/** Resolves coins from whole-entity facts: fair-value tags, then the intangible line (M2.4–M2.6). */
export function resolveCrypto(o: {
  issuer: Issuer;
  sheet: FactSheet;
  /** Facts of later filings known on the slice's date, for the adoption-date value (M2.6 a). */
  supporting: readonly FiledFact[];
  parameters: Parameters;
}): CryptoHoldings {
  const fair = fairValueTotal(o.sheet, o.parameters);
  if (fair !== null) {
    return {
      amount: fair.amount,
      carried: fair.amount,
      measurement: 'fair_value',
      disagreement: fair.disagreement,
    };
  }
  const carried = coinsAmongIntangibles(o.issuer, o.sheet, o.parameters);
  if (carried === null) return none;
  if (adoptedFairValue(o.sheet, o.parameters)) {
    return { amount: carried, carried, measurement: 'fair_value', disagreement: false };
  }
  const adopted = adoptionDateValue(o.sheet, o.supporting);
  return {
    amount: adopted ?? carried,
    carried,
    measurement: adopted === null ? 'carrying_lower_bound' : 'fair_value',
    disagreement: false,
  };
}

const none: CryptoHoldings = {
  amount: ExactDecimal.zero,
  carried: ExactDecimal.zero,
  measurement: null,
  disagreement: false,
};

/**
 * The intangible line of an issuer that tags no `CryptoAsset*` fact and whose curated treasury asset is known,
 * when it is a large enough share of assets (M2.6). Brands of other companies sit under the same concept.
 */
function coinsAmongIntangibles(
  issuer: Issuer,
  sheet: FactSheet,
  parameters: Parameters,
): ExactDecimal | null {
  if (issuer.primaryAsset === null || issuer.primaryAsset === 'mixed') return null;
  if (sheet.facts.some((fact) => fact.concept.startsWith('CryptoAsset'))) return null;
  const [coins, assets] = [sheet.positive(intangibleCoins), sheet.positive('us-gaap:Assets')];
  if (coins === null || assets === null) return null;
  const floor = assets.times(ExactDecimal.fromNumber(parameters.intangibleShareOfAssets));
  return coins.compare(floor) >= 0 ? coins : null;
}

/** The fair value on adoption: the same concept dated the day after the period, in a filing known by now (M2.6 a). */
function adoptionDateValue(sheet: FactSheet, supporting: readonly FiledFact[]): ExactDecimal | null {
  const day = addDays(sheet.period, 1);
  const values = [...sheet.facts, ...supporting]
    .filter((fact) => `${fact.taxonomy}:${fact.concept}` === intangibleCoins)
    .filter((fact) => fact.unit === 'USD' && fact.start === null && fact.end === day)
    .map((fact) => fact.value);
  const [first] = values;
  // two vintages that differ are a contradiction, not a choice (M1.8)
  return first !== undefined && values.every((value) => value.equals(first)) ? first : null;
}
