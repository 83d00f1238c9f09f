import { companyRows as rows } from '../../contract/payloads/companies.ts';
import { liveRoutes } from '../../contract/routes/routes.ts';
import { companyRows } from '../compute/companyRows.ts';
import { rowStore } from '../release/rowStore.ts';
import { family } from './family.ts';
import type { SliceFacts } from './familyContexts.ts';

/** The universe with its coverage (I4.F08.2). */
export const companies = family({
  id: 'companies',
  needs: 'slice',
  parts: [
    {
      stored: rows,
      make: (facts) =>
        rowStore({ store: rows, parts: { slice: facts.sourceDate }, rows: rowsOf(facts), meta: {} }),
    },
  ],
});

function rowsOf({ sourceDate, slice, issuers, history }: SliceFacts) {
  const lastSourceDates = new Map<string, string>();
  for (const past of history) for (const cik of past.ciks) lastSourceDates.set(cik, past.sourceDate);
  const covered = new Set(slice.issuers.map(({ issuer }) => issuer.cik));
  const unranked = new Set(slice.unranked.keys());
  return companyRows({ issuers, covered, unranked, sourceDate, lastSourceDates, routes: liveRoutes });
}
