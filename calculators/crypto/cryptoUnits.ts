import type { CryptoUnitsBasis } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { assetOf } from '../assets/classifyCoins.ts';
import { closeTo } from '../exact/decimals.ts';
import { divide, doubleOf, exactly, quotient } from '../exact/fraction.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { Issuer } from '../filing/rows.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { CoinMix } from '../prices/coinMix.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { CoinFact, CoinFacts } from './coinFacts.ts';
import type { CryptoHoldings, CryptoInputs } from './cryptoHoldings.ts';
import { type PriceCheck, priceCheck } from './priceCheck.ts';

/** Coins and how they were found (M2.12). */
export type CryptoUnits = {
  readonly basis: CryptoUnitsBasis;
  readonly bitcoin: number | null;
  readonly ethereum: number | null;
  /** Reported quantities by asset; empty where coins are estimated or not known. */
  readonly reported: Readonly<Record<string, number>>;
  /** Day of the close that coins were estimated with. */
  readonly referencePriceDate: string | null;
  /** A quantity was filed that no close explains (M2.9). */
  readonly rejected: boolean;
  /** Scale corrections, units of measure, partial quantities (M2.9, M2.11). */
  readonly notes: readonly string[];
};

type Held = Pick<CryptoInputs, 'issuer' | 'sheet' | 'facts' | 'prices' | 'parameters'> & {
  readonly holdings: CryptoHoldings;
};

/**
 * Coins by accepted quantities of the instance, else estimated from fair value and the close of the period end
 * (M2.11, M2.12).
 *
 * Quantities of companyfacts are never published as reported: there is no split, and a visible quantity is often
 * a sum over coins (BMNR), machines or branches (M2.7). They only serve the price check.
 */
export function cryptoUnits(held: Held): CryptoUnits {
  const { amount, measurement } = held.holdings;
  if (measurement === null || amount.sign <= 0) return withoutUnits('unavailable');
  if (measurement === 'carrying_lower_bound') return withoutUnits('carrying_value_lower_bound');
  const primaryAsset = curatedAsset(held.issuer);
  const { facts, prices, parameters } = held;
  const reported =
    facts === null
      ? null
      : reportedCoins({ facts, amount, period: held.sheet.period, primaryAsset, prices, parameters });
  const isDisclosed = measurement === 'fair_value_disclosed';
  if (reported?.kind === 'complete') {
    const units = reportedUnits(reported);
    return isDisclosed ? { ...units, basis: measurement } : units;
  }
  if (isDisclosed) return { ...withoutUnits(measurement), notes: reported?.notes ?? [] };
  return { ...estimatedUnits(held, reported), notes: reported?.notes ?? [] };
}

function reportedUnits({ coins, notes }: ReportedCoins): CryptoUnits {
  return {
    basis: 'reported_quantity',
    bitcoin: coins.get('BTC')?.toNumber() ?? null,
    ethereum: coins.get('ETH')?.toNumber() ?? null,
    reported: Object.fromEntries([...coins].map(([asset, quantity]) => [asset, quantity.toNumber()])),
    referencePriceDate: null,
    rejected: false,
    notes,
  };
}

function estimatedUnits(held: Held, reported: ReportedCoins | null): Omit<CryptoUnits, 'notes'> {
  const asset = curatedAsset(held.issuer);
  if (asset === null || isMixed(held, asset)) return withoutUnits('mixed_unallocated');
  const close = held.prices.close(asset, held.sheet.period);
  const rejected =
    reported === null
      ? close !== null && hasUnexplainedQuantity(held, close.close)
      : reported.kind === 'rejected';
  if (asset !== 'BTC' && asset !== 'ETH') return { ...withoutUnits('fair_value_implied_other'), rejected };
  if (close === null) return withoutUnits('unavailable');
  const coins = estimate(doubleOf(divide(exactly(held.holdings.amount), exactly(close.close))));
  return {
    basis: asset === 'BTC' ? 'fair_value_implied_btc' : 'fair_value_implied_eth',
    bitcoin: asset === 'BTC' ? coins : null,
    ethereum: asset === 'ETH' ? coins : null,
    reported: {},
    referencePriceDate: close.date,
    rejected,
  };
}

/**
 * True when the instance splits C and the curated asset is too small a part of it to stand for the whole (M2.11). Where
 * the fair values are not split, coins under the tag for users' coins say so, if together they are C.
 */
function isMixed({ holdings, facts, parameters }: Held, asset: string): boolean {
  const { amount } = holdings;
  if (facts === null) return false;
  const own = { facts: { ...facts, valuesByMember: facts.operatorValues }, amount, parameters };
  const split = memberMix({ facts, amount, parameters }) ?? memberMix(own);
  if (split === null) return false;
  const part = split.find((held) => held.asset === asset)?.amount;
  return part === undefined || !closeTo(part, amount, parameters.unitsCompleteness);
}

/** True when quantities are filed for the period and none of them prices the holdings, scaled or not (M2.9). */
function hasUnexplainedQuantity({ holdings, sheet, parameters }: Held, close: number): boolean {
  const quantities = sheet.facts.filter(
    (fact) => fact.concept === 'CryptoAssetNumberOfUnits' && fact.start === null && fact.end === sheet.period,
  );
  const checks = quantities.map((fact) =>
    priceCheck({ fairValue: holdings.amount, quantity: fact.value, close, parameters }),
  );
  return checks.length > 0 && checks.every((check) => check.verdict === 'reject');
}

/** Six significant digits, as many as the closes support. */
function estimate(coins: number): number {
  return Number(coins.toPrecision(6));
}

function withoutUnits(basis: CryptoUnitsBasis): CryptoUnits {
  return {
    basis,
    bitcoin: null,
    ethereum: null,
    reported: {},
    referencePriceDate: null,
    rejected: false,
    notes: [],
  };
}

/** The one asset the table of companies gives for an issuer; null when it is not known or mixed. */
export function curatedAsset({ primaryAsset }: Issuer): string | null {
  return primaryAsset === 'mixed' ? null : primaryAsset;
}

/** Quantities of the instance that passed the price check, by asset (M2.9–M2.11). */
type ReportedCoins = {
  readonly kind: 'complete' | 'partial' | 'rejected' | 'none';
  readonly coins: ReadonlyMap<string, ExactDecimal>;
  readonly notes: readonly string[];
};

type Counted = {
  readonly facts: CoinFacts;
  /** C at the period end. */
  readonly amount: ExactDecimal;
  readonly period: string;
  /** The curated asset, for quantities that name none; null when it is unknown or mixed. */
  readonly primaryAsset: string | null;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
};

type Accepted = {
  readonly asset: string;
  readonly check: Exclude<PriceCheck, { verdict: 'reject' }>;
  readonly fact: CoinFact;
};

/**
 * Chooses the quantities that explain C: single assets against their own fair values when there are several, else
 * a whole-entity quantity against C, else the one asset that is split out (M2.7–M2.11).
 *
 * A sum over assets is never tried against one price while its parts are filed (T09), and an asset with two
 * different quantities proves nothing (NXTT 2025-03-31 files nine odd ones).
 */
function reportedCoins(held: Counted): ReportedCoins {
  const { facts } = held;
  const considered = [...facts.quantities, ...facts.quantitiesByAsset];
  if (considered.length === 0 || held.amount.sign <= 0) return { kind: 'none', coins: new Map(), notes: [] };
  const split = splitCoins(held);
  if (split.length > 1 && explains(split, held)) return reported('complete', split, held.parameters);
  const whole = assetsSplit(facts).size > 1 ? null : wholeCoins(held);
  if (whole !== null) return reported('complete', [whole], held.parameters);
  if (split.length > 0)
    return reported(explains(split, held) ? 'complete' : 'partial', split, held.parameters);
  const { concepts } = held.parameters;
  const notes = considered.flatMap((fact) =>
    unitNotes(fact, { asset: fact.asset ?? held.primaryAsset, concepts }),
  );
  return { kind: 'rejected', coins: new Map(), notes };
}

/**
 * Fair values by member, when they explain C: the mix of holdings (M2.7); null otherwise. A member that names no
 * known asset keeps its own name, has no close and the volatility of other assets (GAME 2025-09-30).
 */
export function memberMix(held: Pick<Counted, 'facts' | 'amount' | 'parameters'>): CoinMix | null {
  const values = memberValues(held);
  const sum = sumOf([...values.values()]);
  if (sum.sign <= 0 || !isWithin(sum, held.amount, held.parameters)) return null;
  return [...values].filter(([, amount]) => amount.sign > 0).map(([asset, amount]) => ({ asset, amount }));
}

function assetsSplit({ quantitiesByAsset }: CoinFacts): ReadonlySet<string | null> {
  return new Set(quantitiesByAsset.map(({ asset }) => asset));
}

function splitCoins(held: Counted): Accepted[] {
  const quantities = Map.groupBy(held.facts.quantitiesByAsset, (fact) => fact.asset ?? '');
  const values = memberValues(held);
  return [...quantities].flatMap(([asset, found]): Accepted[] => {
    const [fact, ...others] = found;
    if (fact === undefined || others.some((other) => !other.value.equals(fact.value))) return [];
    const fairValue = values.get(asset) ?? (quantities.size === 1 ? held.amount : null);
    const check = fairValue === null ? null : checked(held, { fairValue, quantity: fact.value, asset });
    return check === null ? [] : [{ asset, check, fact }];
  });
}

function wholeCoins(held: Counted): Accepted | null {
  for (const fact of held.facts.quantities) {
    const asset = fact.asset ?? held.primaryAsset;
    if (asset === null) continue;
    const check = checked(held, { fairValue: held.amount, quantity: fact.value, asset });
    if (check !== null) return { asset, check, fact };
  }
  return null;
}

function checked(
  { prices, period, parameters }: Counted,
  { fairValue, quantity, asset }: { fairValue: ExactDecimal; quantity: ExactDecimal; asset: string },
): Accepted['check'] | null {
  const close = prices.close(asset, period);
  if (close === null) return null;
  const check = priceCheck({ fairValue, quantity, close: close.close, parameters });
  return check.verdict === 'reject' ? null : check;
}

/** Of the fair-value concepts the one whose members come closest to C; a footnote's members stay out (T10). */
function memberValues({
  facts,
  amount,
  parameters,
}: Pick<Counted, 'facts' | 'amount' | 'parameters'>): ReadonlyMap<string, ExactDecimal> {
  const byConcept = [...Map.groupBy(facts.valuesByMember, (fact) => fact.concept).values()].map((found) => {
    const byAsset = Map.groupBy(found, ({ asset, fact }) => asset ?? fact.dimensions[0]?.member ?? '');
    return new Map(
      [...byAsset].flatMap(([asset, [fact, ...others]]): [string, ExactDecimal][] =>
        fact === undefined || others.length > 0 ? [] : [[asset, fact.value]],
      ),
    );
  });
  const sums = byConcept.map((values) => ({ values, sum: sumOf([...values.values()]) }));
  const explaining = sums.find(({ sum }) => isWithin(sum, amount, parameters));
  const largest = sums.toSorted((a, b) => b.sum.compare(a.sum))[0];
  return (explaining ?? largest)?.values ?? new Map();
}

function explains(accepted: readonly Accepted[], { prices, period, amount, parameters }: Counted): boolean {
  const worth = accepted.map(({ asset, check }) => {
    const close = prices.close(asset, period);
    return check.quantity.times(ExactDecimal.fromNumber(close?.close ?? 0));
  });
  return isWithin(sumOf(worth), amount, parameters);
}

/** Within a factor of 1 + limit either way (M2.11). */
function isWithin(
  sum: ExactDecimal,
  amount: ExactDecimal,
  { unitsCompleteness: limit }: Parameters,
): boolean {
  if (sum.sign <= 0 || amount.sign <= 0) return false;
  return Math.abs(Math.log(doubleOf(quotient(sum, amount)))) <= Math.log(1 + limit);
}

function reported(
  kind: 'complete' | 'partial',
  accepted: readonly Accepted[],
  { concepts }: Parameters,
): ReportedCoins {
  return {
    kind,
    coins: new Map(accepted.map(({ asset, check }) => [asset, check.quantity])),
    notes: [
      ...accepted.flatMap(({ check }) =>
        check.verdict === 'scale' ? [`unit_scale_corrected:10^${check.power}`] : [],
      ),
      ...accepted.flatMap(({ asset, fact }) => unitNotes(fact, { asset, concepts })),
      ...(kind === 'partial' ? ['units_partial'] : []),
    ],
  };
}

/** A unit of measure that does not name the coin is noted; it is no evidence either way (M2.9). */
function unitNotes(
  { unit }: CoinFact,
  { asset, concepts }: { readonly asset: string | null; readonly concepts: Concepts },
): string[] {
  return asset !== null && assetOf(unit, concepts) === asset ? [] : [`unit_of_measure:${unit}`];
}
