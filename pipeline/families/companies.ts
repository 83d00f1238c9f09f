import { companyRowOf, companyRows as rows } from '../../contract/payloads/companies.ts';
import { liveRoutes } from '../../contract/routes/routes.ts';
import { payloadModes } from '../../contract/values/enums.ts';
import { companyRows } from '../compute/companyRows.ts';
import { rowStore } from '../release/rowStore.ts';
import { family } from './family.ts';
import type { SliceFacts } from './familyContexts.ts';

/** The universe with its coverage, in both modes (I4.F08.2). */
export const companies = family({
  id: 'companies',
  needs: 'slice',
  parts: [
    {
      stored: rows,
      make: (facts) => {
        const found = rowsOf(facts);
        return payloadModes.flatMap((mode) =>
          rowStore({
            store: rows,
            parts: { slice: facts.sourceDate, mode },
            rows: found.map((row) => companyRowOf(mode, row)),
            beside: (_, i) => found[i] as (typeof found)[number],
            meta: {},
          }),
        );
      },
    },
  ],
});

function rowsOf({ sourceDate, slice, issuers, history }: SliceFacts) {
  const lastSourceDates = new Map<string, string>();
  for (const past of history) for (const cik of past.ciks) lastSourceDates.set(cik, past.sourceDate);
  const covered = new Map(
    slice.issuers.map(({ issuer, stress, assessed }) => [
      issuer.cik,
      {
        period: assessed.position.filing.period,
        filing_age_days: assessed.position.ageDays,
        quality_flag: stress.quality_flag,
        treasury_relevance: stress.treasury_relevance ?? null,
      },
    ]),
  );
  const unranked = new Set(slice.unranked.keys());
  return companyRows({ issuers, covered, unranked, sourceDate, lastSourceDates, routes: liveRoutes });
}
