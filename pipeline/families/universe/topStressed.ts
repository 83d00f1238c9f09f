import { topStressed as payload } from '../../../data/contract/payloads/universe/topStressed.ts';
import { rankedCountViolations } from '../../compute/countInvariants.ts';
import { rankingViolations } from '../../compute/sliceInvariants.ts';
import { rowStore } from '../../release/rowStore.ts';
import { family } from '../family.ts';

const { rows } = payload.stored;

export const topStressed = family({
  id: 'top stressed',
  needs: 'slice',
  parts: [
    {
      stored: rows,
      make: ({ sourceDate, slice }) =>
        rowStore({
          store: rows,
          parts: { slice: sourceDate },
          rows: slice.topStressed,
          meta: { excluded_unclassified: slice.excludedUnclassified },
        }),
    },
  ],
  violations: ({ slice }) => [
    ...rankingViolations(slice.topStressed),
    ...rankedCountViolations({
      rows: slice.covenantRows.length,
      ranked: slice.topStressed.length,
      excludedUnclassified: slice.excludedUnclassified,
    }),
  ],
});
