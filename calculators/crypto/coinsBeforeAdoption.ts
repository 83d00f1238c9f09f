import { qualifiedName } from '../filing/factSheet.ts';
import type { FiledFact } from '../filing/rows.ts';
import type { TrailFact, TrailRoot, TrailRung } from '../trail/resolutionTrail.ts';
import type { CoinFact } from './coinFacts.ts';
import type { CryptoHoldings } from './cryptoHoldings.ts';
import type { CryptoInputs } from './cryptoInputs.ts';
import { adoptionDateValue, unitsAtClose } from './intangibleCoins.ts';

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
