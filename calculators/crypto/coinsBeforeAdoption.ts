import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { namesAnyCoins } from '../assets/classifyCoins.ts';
import { addDays } from '../exact/civilDate.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { FiledFact } from '../filing/rows.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { TrailFact, TrailPrice, TrailRoot, TrailRung } from '../trail/resolutionTrail.ts';
import type { CoinFact, CoinFacts } from './coinFacts.ts';
import type { CryptoHoldings, CryptoInputs } from './cryptoHoldings.ts';
import { boundedPriceCheck } from './priceCheck.ts';

/**
 * The intangible line of an issuer that tags no `CryptoAsset*` fact and whose curated treasury asset is known,
 * when it is a large enough share of assets (M2.6). Brands of other companies sit under the same concept, so an instance
 * that is at hand has to name coins somewhere.
 */
export function coinsAmongIntangibles({
  issuer,
  sheet,
  filing,
  parameters,
}: Pick<CryptoInputs, 'issuer' | 'sheet' | 'filing' | 'parameters'>): ExactDecimal | null {
  if (issuer.primaryAsset === null || issuer.primaryAsset === 'mixed') return null;
  if (sheet.facts.some((fact) => fact.concept.startsWith('CryptoAsset'))) return null;
  const [coins, assets] = [
    sheet.positive(parameters.concepts.intangibleCoins),
    sheet.positive('us-gaap:Assets'),
  ];
  if (coins === null || assets === null) return null;
  const floor = assets.times(ExactDecimal.fromNumber(parameters.intangibleShareOfAssets));
  const isNamed = filing === null || namesAnyCoins({ sheet, filing, concepts: parameters.concepts });
  return isNamed && coins.compare(floor) >= 0 ? coins : null;
}

/** The fair value on adoption: the same concept dated the day after the period, in a filing known by now (M2.6 a). */
function adoptionDateValue(
  sheet: FactSheet,
  { supporting, parameters }: { supporting: readonly FiledFact[]; parameters: Parameters },
): { readonly value: ExactDecimal; readonly fact: FiledFact } | null {
  const day = addDays(sheet.period, 1);
  const found = [...sheet.facts, ...supporting]
    .filter((fact) => `${fact.taxonomy}:${fact.concept}` === parameters.concepts.intangibleCoins)
    .filter((fact) => fact.unit === 'USD' && fact.start === null && fact.end === day);
  const [first] = found;
  // two vintages that differ are a contradiction, not a choice (M1.8)
  if (first === undefined || !found.every((fact) => fact.value.equals(first.value))) return null;
  return { value: first.value, fact: first };
}

/** A filed quantity at the close of the period end (M2.6 b), whole USD (M0.4). */
type UnitsAtClose = {
  readonly value: ExactDecimal;
  readonly quantity: CoinFact;
  readonly coins: ExactDecimal;
  readonly price: TrailPrice;
};

/** The first whole-entity quantity of the curated asset that agrees with the carrying value as a lower bound (M2.6 b). */
function unitsAtClose({
  carried,
  asset,
  facts,
  period,
  prices,
  parameters,
}: {
  carried: ExactDecimal;
  asset: string | null;
  facts: CoinFacts | null;
  period: string;
  prices: PriceBook;
  parameters: Parameters;
}): UnitsAtClose | null {
  const close = asset === null || asset === 'mixed' ? null : prices.close(asset, period);
  if (close === null) return null;
  for (const quantity of facts?.quantities ?? []) {
    if (quantity.asset !== null && quantity.asset !== asset) continue;
    const check = boundedPriceCheck({
      fairValue: carried,
      quantity: quantity.value,
      close: close.close,
      parameters,
    });
    if (check.verdict === 'reject') continue;
    const { date, source } = close;
    return {
      value: check.quantity.times(ExactDecimal.fromNumber(close.close)).rounded(0),
      quantity,
      coins: check.quantity,
      price: { kind: 'price', asset: close.asset, date, close: close.close, source },
    };
  }
  return null;
}

/** Coins at cost less impairment: the adoption-date value, units at the close, else the lower bound (M2.6). */
export function coinsBeforeAdoption(inputs: CryptoInputs, holdings: CryptoHoldings): CryptoHoldings {
  const { sheet, facts, prices, parameters, supporting, issuer } = inputs;
  const adopted = adoptionDateValue(sheet, { supporting, parameters });
  if (adopted !== null) {
    const reason = `fair value dated ${adopted.fact.end}, filed ${adopted.fact.filed}`;
    return {
      ...holdings,
      amount: adopted.value,
      rungs: [...holdings.rungs, { rung: 'adoption_date_value', taken: true, reason }],
      roots: holdings.roots.map(
        (root): TrailRoot => ({
          ...root,
          value: adopted.value,
          rung: 'adoption_date_value',
          reason,
          children: [rowFact(adopted.fact)],
        }),
      ),
    };
  }
  const none: TrailRung = {
    rung: 'adoption_date_value',
    taken: false,
    reason: 'no fact dated the day after the period is known by now',
  };
  const units = unitsAtClose({
    carried: holdings.carried,
    asset: issuer.primaryAsset,
    facts,
    prices,
    parameters,
    period: sheet.period,
  });
  if (units === null) {
    const reason = 'no quantity of the instance agrees with the carrying value';
    return {
      ...holdings,
      measurement: 'carrying_lower_bound',
      rungs: [...holdings.rungs, none, { rung: 'units_at_close', taken: false, reason }],
    };
  }
  const reason = `${units.coins} ${units.price.asset} at ${units.price.close}`;
  return {
    ...holdings,
    amount: units.value,
    measurement: 'units_at_close',
    rungs: [...holdings.rungs, none, { rung: 'units_at_close', taken: true, reason }],
    roots: holdings.roots.map(
      (root): TrailRoot => ({
        ...root,
        value: units.value,
        rung: 'units_at_close',
        reason,
        children: [quantityFact(units.quantity, root.children), units.price],
      }),
    ),
  };
}

function rowFact(fact: FiledFact): TrailFact {
  const { unit, start, end, value, accession } = fact;
  return {
    kind: 'fact',
    concept: qualifiedName(fact),
    value,
    weight: 1,
    unit,
    start,
    end,
    accession,
    context: null,
    dimensions: [],
    decimals: null,
    origin: 'companyfacts',
  };
}

/** The quantity, filed in the same accession as the line it values. */
function quantityFact({ concept, value, unit, fact }: CoinFact, line: TrailRoot['children']): TrailFact {
  const { contextId, start, end, dimensions, decimals } = fact;
  const accession = line.find((source) => source.kind === 'fact')?.accession ?? '';
  return {
    kind: 'fact',
    concept,
    value,
    weight: 1,
    unit,
    start,
    end,
    accession,
    context: contextId,
    dimensions,
    decimals,
    origin: 'instance',
  };
}
