import { describe, expect, it } from 'vitest';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import {
  type SharedInstance,
  sharedCloses,
  sharedInputs,
  sharedInstances,
} from '../../fixtures/builders/sharedInstances.ts';
import type { Capital } from '../capital/capital.ts';
import { positionIssuer } from '../position/positionIssuer.ts';
import { type PriceBook, priceBook } from '../prices/priceBook.ts';
import { capitalOn } from '../slice/capitalOn.ts';

const parameters = registryParameters;

type OfIssuer = { readonly cik: string; readonly capital: Capital };

async function capitalsOf(of: readonly SharedInstance[], prices: PriceBook): Promise<OfIssuer[]> {
  const capitals: OfIssuer[] = [];
  for (const one of of) {
    const position = positionIssuer(await sharedInputs(one), { sourceDate: one.filed, prices, parameters });
    const capital = capitalOn(position, { sourceDate: one.period, prices, liveCoins: null });
    capitals.push({ cik: one.cik, capital });
  }
  return capitals;
}

const owing = ({ instruments }: Capital) => instruments.found.filter(({ state }) => state === 'outstanding');

/** How many issuers a part of the capital is known of. */
const parts: Readonly<Record<string, (capital: Capital) => boolean>> = {
  shares: ({ shares }) => shares.perShare.value !== null,
  coinsPerShare: ({ nav }) => nav[0]?.coinsPerShare.some(({ perShare }) => perShare.value !== null) === true,
  instruments: (capital) => owing(capital).length > 0,
  proven: (capital) =>
    owing(capital).some(({ principal }) => principal.value !== null && principal.status === 'proven'),
  runway: ({ runway }) => runway.monthlyOperatingCash.value !== null,
  flowsThatClose: ({ coinFlows }) => coinFlows.flows.some(({ status }) => status === 'proven'),
  conversionPrices: ({ instruments }) =>
    instruments.found.some(({ conversionPrice }) => conversionPrice.value !== null),
  preferred: ({ preferred }) => preferred.classes.length > 0,
  maturityDates: ({ instruments }) =>
    instruments.found.some(({ maturityDate }) => maturityDate.value !== null),
  ladders: ({ maturities }) => maturities.total !== null,
  waterfalls: ({ claims }) => claims.some(({ lens }) => lens === 'coins_only'),
};

describe('capital of the filings beside the project (M18)', () => {
  it('is known in some filing of so many of fifteen issuers, and keeps its laws in all 74', async (ctx) => {
    const instances = sharedInstances();
    if (instances === null) return ctx.skip('no ../shared/data/edgar/instances');
    const capitals = await capitalsOf(instances, priceBook(sharedCloses('prices'), parameters));
    const counts = Object.entries(parts).map(([name, isKnown]) => {
      const known = capitals.filter(({ capital }) => isKnown(capital));
      return [name, new Set(known.map(({ cik }) => cik)).size];
    });
    expect(Object.fromEntries(counts)).toEqual({
      shares: 15,
      coinsPerShare: 13,
      instruments: 12,
      proven: 6,
      runway: 14,
      flowsThatClose: 13,
      conversionPrices: 6,
      preferred: 7,
      maturityDates: 7,
      ladders: 6,
      waterfalls: 13,
    });
    for (const { capital } of capitals) {
      const { claims, maturities } = capital;
      for (const { pool, lines } of claims) {
        const paid = lines.reduce((total, line) => total + (line.paid?.toNumber() ?? 0), 0);
        expect(Math.abs(paid - pool.toNumber())).toBeLessThan(0.01);
        expect(lines.every(({ recovery }) => recovery === null || (recovery >= 0 && recovery <= 1))).toBe(
          true,
        );
      }
      if (maturities.status === 'proven') expect(maturities.coverageOfDebt).toBeGreaterThan(0.9);
    }
  });
});
