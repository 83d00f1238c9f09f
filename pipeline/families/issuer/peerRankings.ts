import { peerRanking } from '../../../data/contract/payloads/issuer/peerRanking.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { singleArtifact } from '../../compute/singleArtifact.ts';
import { peerRankingViolations } from '../../compute/standingInvariants.ts';
import { rowStore } from '../../release/rowStore.ts';
import { family } from '../family.ts';

const { object, rows } = peerRanking.stored;

export const peerRankings = family({
  id: 'peer rankings',
  needs: 'slice',
  parts: [
    {
      stored: object,
      make: ({ sourceDate, slice }) =>
        slice.peerRankings.map((value) =>
          singleArtifact(object, { parts: { slice: sourceDate, cik: value.cik }, value }),
        ),
    },
    {
      stored: rows,
      make: ({ sourceDate, slice }) =>
        rowStore({
          store: rows,
          parts: { slice: sourceDate },
          rows: slice.peerRankings.toSorted((a, b) => compareText(a.cik, b.cik)),
          meta: {},
        }),
    },
  ],
  violations: ({ slice }) => peerRankingViolations(slice.peerRankings),
});
