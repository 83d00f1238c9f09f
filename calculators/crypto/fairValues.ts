import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { readsAsCoins } from '../assets/classifyCoins.ts';
import { daysCovered } from '../exact/civilDate.ts';
import { closeTo } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { InstanceFact } from '../filing/xbrlFiling.ts';
import { flowConcepts } from '../fundamentals/conceptPrecedence.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { CryptoInputs } from './cryptoHoldings.ts';

/**
 * True when the filing measures its coins at fair value: its fiscal year begins after the adoption day, or it states
 * that very amount as a fair value of coins at the period end (M2.1, M2.1c). Early adopters are known by the latter; coins
 * at cost less impairment are stated with another fair value, or with none.
 */
export function measuredAtFairValue(
  { sheet, filing, parameters }: Pick<CryptoInputs, 'sheet' | 'filing' | 'parameters'>,
  amount: ExactDecimal,
): boolean {
  if (adoptedFairValue(sheet, parameters)) return true;
  return (
    amount.sign > 0 && statedFairValues({ sheet, filing, parameters }).some((value) => value.equals(amount))
  );
}

/** Statement flows run from the start of the fiscal year; a disclosure may cover any twelve months. */
const statementFlows: readonly string[] = Object.values(flowConcepts).flat();

/**
 * The first day of the fiscal year a filing's period lies in: where its longest statement flow of at most a
 * year begins. null when the filing states no such flow to the period end.
 */
export function fiscalYearStart(sheet: FactSheet, { flowDays }: Parameters): string | null {
  const starts = sheet.facts
    .filter((fact) => fact.end === sheet.period && statementFlows.includes(qualifiedName(fact)))
    .map((fact) => fact.start)
    .filter((start) => start !== null)
    .filter((start) => start < sheet.period && daysCovered(start, sheet.period) <= flowDays.annualMax);
  return starts.sort()[0] ?? null;
}

/** True when the period is measured at fair value because its fiscal year begins after the adoption day (M2.1). */
function adoptedFairValue(sheet: FactSheet, parameters: Parameters): boolean {
  const start = fiscalYearStart(sheet, parameters);
  return start !== null && start > parameters.fairValueAdoption;
}

/**
 * Fair values of coins that a filing states for the whole entity at the period end: by tag, by a name of its own, as the
 * levels of the fair-value hierarchy (M2.1c, M2.4c). Prices of one coin and amounts written down are none.
 */
export function statedFairValues({
  sheet,
  filing,
  parameters,
}: Pick<CryptoInputs, 'sheet' | 'filing' | 'parameters'>): readonly ExactDecimal[] {
  const stated = (filing?.facts ?? []).filter(
    (fact) =>
      fact.unit === 'USD' &&
      fact.start === null &&
      fact.end === sheet.period &&
      fact.value !== null &&
      !/per(bitcoin|ether|coin|token|unit)/i.test(fact.concept) &&
      !fact.dimensions.some(({ member }) => /nonrecurring/i.test(member)) &&
      namesCoins(fact, parameters.concepts),
  );
  const named = stated.flatMap(({ concept, value, dimensions }) =>
    value !== null && dimensions.length === 0 && /fair_?value/i.test(concept) ? [value] : [],
  );
  return [...(fairValueTotal(sheet, parameters)?.totals ?? []), ...named, ...levelSums(stated)];
}

function namesCoins({ concept, dimensions }: InstanceFact, concepts: Concepts): boolean {
  const members = dimensions.filter(({ typed }) => !typed).map(({ member }) => member);
  return [concept, ...members].some((name) => readsAsCoins(name, concepts));
}

/** Sums over the levels of the hierarchy, one a concept and what else it is broken down by. */
function levelSums(stated: readonly InstanceFact[]): ExactDecimal[] {
  const byLevel = stated.flatMap((fact) => {
    const level = fact.dimensions.find(({ member }) => isLevel(member));
    if (level === undefined) return [];
    const others = fact.dimensions.filter((dimension) => dimension !== level);
    const group = [fact.concept, ...others.map(({ axis, member }) => `${axis}=${member}`).sort()].join(' ');
    return [{ group, level: level.member, value: fact.value }];
  });
  return [...Map.groupBy(byLevel, ({ group }) => group).values()].map((found) =>
    sumOf(
      [...new Map(found.map(({ level, value }) => [level, value])).values()].filter(
        (value) => value !== null,
      ),
    ),
  );
}

/** `us-gaap:FairValueInputsLevel1Member`, or a filer's own `clsk:Level1Member`. */
function isLevel(member: string): boolean {
  return /:(FairValueInputs)?Level[123]Member$/.test(member);
}

/** The fair value of coins by the tags of ASU 2023-08. */
export type FairValueTotal = {
  readonly amount: ExactDecimal;
  /** The tags it is the sum of. */
  readonly concepts: readonly string[];
  /** Every total that is filed, the chosen one among them (M2.4b). */
  readonly totals: readonly ExactDecimal[];
};

/**
 * The first of current + noncurrent, unrestricted + restricted, and the plain total that is filed (M2.4).
 *
 * Two readings of the same lines are distinguished first. When current + noncurrent equals the unrestricted part
 * and a restricted part is filed, the balance-sheet lines leave the restricted coins out, so the second total
 * is the whole (RIOT 2025-09-30: 1,823,630 K of 2,200,053 K; pledged coins stay the issuer's, M2.2). And a
 * total that is another one rounded gives way to the finer figure (LITS: 99,400,000 and 99,369,000).
 */
export function fairValueTotal(sheet: FactSheet, parameters: Parameters): FairValueTotal | null {
  const restricted = sheet.positive('us-gaap:CryptoAssetFairValueRestricted');
  const unrestricted = sheet.amount('us-gaap:CryptoAssetFairValueUnrestricted');
  const lines = sum(sheet, 'CryptoAssetFairValueCurrent', 'CryptoAssetFairValueNoncurrent');
  const leavesOutRestricted =
    restricted !== null && unrestricted !== null && lines?.amount.equals(unrestricted) === true;
  const totals = [
    leavesOutRestricted ? null : lines,
    sum(sheet, 'CryptoAssetFairValueUnrestricted', 'CryptoAssetFairValueRestricted'),
    sum(sheet, 'CryptoAssetFairValue'),
  ].filter((total) => total !== null);
  // a filed zero beside a positive figure is a line without coins, not the total
  const first = totals.find((total) => total.amount.sign > 0) ?? totals[0];
  if (first === undefined) return null;
  const finest = totals.find((other) => isRounded(first.amount, other.amount, parameters)) ?? first;
  return { ...finest, totals: totals.map(({ amount }) => amount) };
}

/** True when `coarse` is `fine` rounded to the last nonzero digit of `coarse`, and so near that they are one amount (M2.15). */
export function isRounded(
  coarse: ExactDecimal,
  fine: ExactDecimal,
  { identityTolerance }: Parameters,
): boolean {
  if (!closeTo(coarse, fine, identityTolerance)) return false;
  if (coarse.equals(fine) || coarse.sign === 0 || coarse.scale > 0) return false;
  const zeros = /0*$/.exec(coarse.toString())?.[0].length ?? 0;
  const unit = ExactDecimal.parse(`1${'0'.repeat(zeros)}`);
  const shrunk = fine.times(ExactDecimal.parse(`1e-${zeros}`)).rounded(0);
  return shrunk.times(unit).equals(coarse);
}

function sum(
  sheet: FactSheet,
  ...names: readonly string[]
): Pick<FairValueTotal, 'amount' | 'concepts'> | null {
  const filed = names.flatMap((name) => {
    const amount = sheet.amount(`us-gaap:${name}`);
    return amount === null ? [] : [{ concept: `us-gaap:${name}`, amount }];
  });
  if (filed.length === 0) return null;
  return {
    amount: sumOf(filed.map(({ amount }) => amount)),
    concepts: filed.map(({ concept }) => concept),
  };
}
