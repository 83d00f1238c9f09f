import { registrants as stored } from '../../../data/contract/payloads/universe/companies.ts';
import { cikPattern, tickerPattern } from '../../../data/contract/values/primitives.ts';
import { singleArtifact } from '../../compute/singleArtifact.ts';
import { family } from '../family.ts';
import type { NightFacts } from '../familyContexts.ts';

/** Registrants outside the universe (I7.6); none where the inputs name none. */
export const registrants = family({
  id: 'registrants',
  needs: 'night',
  parts: [
    {
      stored,
      make: (night) => {
        const outside = outsideOf(night);
        if (outside.length === 0) return [];
        const value = { source_date: night.sourceDate, registrants: outside };
        return [singleArtifact(stored, { parts: { slice: night.sourceDate }, value })];
      },
    },
  ],
});

// what cannot be asked for (a CIK or ticker of another form) would only stop the night
function outsideOf({ issuers, registrants: known }: NightFacts) {
  const universe = new Set(issuers.map(({ cik }) => cik));
  return known
    .filter(({ cik }) => cikPattern.test(cik) && !universe.has(cik))
    .map(({ cik, name, tickers }) => ({
      cik,
      name,
      tickers: tickers.filter((ticker) => tickerPattern.test(ticker)),
    }));
}
