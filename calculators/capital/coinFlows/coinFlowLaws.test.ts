import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { type CoinFiling, coinFilings } from '../../../fixtures/builders/coinTables.ts';
import { registryParameters as parameters } from '../../../fixtures/builders/registryParameters.ts';
import { statedFacts } from '../../crypto/statedFacts.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { PriceRow } from '../../filing/rows.ts';
import type { InstanceFact } from '../../filing/xbrlFiling.ts';
import { priceBook } from '../../prices/priceBook.ts';
import type { CoinFlows } from '../parts.ts';
import { resolveCoinFlows } from './resolveCoinFlows.ts';

const closes: readonly PriceRow[] = ['BTC', 'ETH', 'SOL'].flatMap((asset) => {
  const path = new URL(`../../../fixtures/tables/prices/${asset}.csv`, import.meta.url);
  return parse<Readonly<Record<string, string>>>(readFileSync(path), { columns: true }).map(
    ({ date = '', close = '', source = '' }) => ({ date, asset, close: Number(close), source }),
  );
});
const filings = coinFilings();
const thousand = ExactDecimal.parse('1000');

function flowsOf(filing: CoinFiling, rows: readonly PriceRow[] = closes): CoinFlows {
  const { facts: instance, holdings, mix } = filing;
  const facts = statedFacts(instance, parameters.concepts);
  return resolveCoinFlows({
    filing,
    facts,
    instance,
    holdings,
    mix,
    prices: priceBook(rows, parameters),
    parameters,
  });
}

function isMoney({ unit }: Pick<InstanceFact, 'unit'>): boolean {
  return /^[A-Z]{3}$/.test(unit);
}

/** The same filing in thousandths of its currency. */
function scaled(filing: CoinFiling): CoinFiling {
  const { holdings } = filing;
  return {
    ...filing,
    holdings: {
      ...holdings,
      amount: holdings.amount.times(thousand),
      carried: holdings.carried.times(thousand),
      roots: holdings.roots.map((root) => ({ ...root, value: root.value.times(thousand) })),
    },
    mix: filing.mix.map(({ asset, amount }) => ({ asset, amount: amount.times(thousand) })),
    facts: filing.facts.map((fact) =>
      isMoney(fact) && fact.value !== null
        ? {
            ...fact,
            value: fact.value.times(thousand),
            decimals: typeof fact.decimals === 'number' ? fact.decimals - 3 : fact.decimals,
          }
        : fact,
    ),
  };
}

describe.each(filings)('laws of the coins of $stem', (filing) => {
  const { flows, stocks } = flowsOf(filing);

  it('opening, rows and residual are closing to the unit', () => {
    for (const { opening, rows, residual, closing } of flows) {
      expect(`${sumOf([opening, ...rows.map(({ amount }) => amount), residual])}`).toBe(`${closing}`);
    }
  });

  it('pledged, restricted and free coins are those held', () => {
    for (const { units, pledged, restricted, free } of stocks) {
      if (units.value === null || free.value === null) continue;
      const parts = [pledged, restricted, free].flatMap(({ value }) => value ?? []);
      expect(`${sumOf(parts)}`).toBe(`${units.value}`);
    }
  });

  it('the order of facts changes nothing', () => {
    expect(flowsOf({ ...filing, facts: filing.facts.toReversed() })).toEqual({ flows, stocks, notes: [] });
  });

  it('money times a thousand changes amounts alone', () => {
    const large = flowsOf(
      scaled(filing),
      closes.map((row) => ({ ...row, close: row.close * 1000 })),
    );
    const amounts = (found: CoinFlows, factor: ExactDecimal) =>
      found.flows.map(({ measure, status, opening, rows, closing, residual, notes }) => [
        status,
        ...[opening, ...rows.map(({ amount }) => amount), closing, residual].map(
          (amount) => `${measure === 'value' ? amount.times(factor) : amount}`,
        ),
        ...notes,
      ]);
    expect(amounts(large, ExactDecimal.parse('1'))).toEqual(amounts({ flows, stocks, notes: [] }, thousand));
    const counts = ({ stocks: found }: CoinFlows) =>
      found.map(({ units, pledged, free }) => [units, pledged, free].map(({ value }) => `${value}`));
    expect(counts(large)).toEqual(counts({ flows, stocks, notes: [] }));
    const costs = (found: CoinFlows, factor: ExactDecimal) =>
      found.stocks.map(({ costBasis, unrealisedGain, freeValue }) =>
        [costBasis, unrealisedGain]
          .map(({ value }) => `${value?.times(factor)}`)
          .concat(String(freeValue.value === null)),
      );
    expect(costs(large, ExactDecimal.parse('1'))).toEqual(costs({ flows, stocks, notes: [] }, thousand));
  });
});
