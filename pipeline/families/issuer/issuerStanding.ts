import type { Slice } from '../../../calculators/composeSlice.ts';
import { calculationHistory } from '../../../data/contract/payloads/issuer/calculationHistory.ts';
import { coreHistory } from '../../../data/contract/payloads/issuer/coreHistory.ts';
import { covenantStress as covenantPayload } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { issuerFieldMap } from '../../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { peerRanking } from '../../../data/contract/payloads/issuer/peerRanking.ts';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { facilityViolations } from '../../compute/facilityInvariants.ts';
import { fieldMapArtifacts } from '../../compute/fieldMapArtifacts.ts';
import { covenantViolations, screenViolations } from '../../compute/sliceInvariants.ts';
import { peerRankingViolations, standingViolations } from '../../compute/standingInvariants.ts';
import { streamHistory } from '../../history/streamHistory.ts';
import { rowStore } from '../../release/rowStore.ts';
import { singleArtifact } from '../../release/validated.ts';
import { family, type StreamedFamily } from '../family.ts';

/** The covenant row of each issuer, alone and as rows of the screen. */
export const covenantStress = family({
  id: 'covenant stress',
  needs: 'slice',
  isPerIssuer: true,
  parts: [
    {
      stored: covenantPayload.stored.object,
      make: ({ sourceDate, slice }) =>
        slice.issuers.map(({ issuer, stress }) =>
          singleArtifact(covenantPayload.stored.object, {
            parts: { slice: sourceDate, cik: issuer.cik },
            value: stress,
          }),
        ),
    },
    {
      stored: covenantPayload.stored.rows,
      make: ({ sourceDate, slice }) =>
        rowStore({
          store: covenantPayload.stored.rows,
          parts: { slice: sourceDate },
          rows: slice.covenantRows,
          beside: ({ cik }) => ({ unranked_reason: slice.unranked.get(cik) ?? null }),
          meta: {},
        }),
    },
  ],
  violations: ({ slice }) => [
    ...slice.covenantRows.flatMap(covenantViolations),
    ...slice.covenantRows.flatMap(standingViolations),
    ...slice.covenantRows.flatMap(facilityViolations),
    ...screenViolations(slice.covenantRows),
    ...differences(slice),
  ],
});

/** One number, one source: the issuer's own artifact and its row of the screen are the same. */
function differences({ issuers, covenantRows }: Slice): string[] {
  const screened = new Map(covenantRows.map((row) => [row.cik, canonicalJson(row)]));
  return issuers
    .filter(({ issuer, stress }) => screened.get(issuer.cik) !== canonicalJson(stress))
    .map(({ stress }) => `${stress.ticker}: the screen and the issuer's artifact differ`);
}

export const peerRankings = family({
  id: 'peer rankings',
  needs: 'slice',
  parts: [
    {
      stored: peerRanking.stored.object,
      make: ({ sourceDate, slice }) =>
        slice.peerRankings.map((value) =>
          singleArtifact(peerRanking.stored.object, { parts: { slice: sourceDate, cik: value.cik }, value }),
        ),
    },
    {
      stored: peerRanking.stored.rows,
      make: ({ sourceDate, slice }) =>
        rowStore({
          store: peerRanking.stored.rows,
          parts: { slice: sourceDate },
          rows: slice.peerRankings.toSorted((a, b) => compareText(a.cik, b.cik)),
          meta: {},
        }),
    },
  ],
  violations: ({ slice }) => peerRankingViolations(slice.peerRankings),
});

export const issuerFieldMaps = family({
  id: 'issuer field maps',
  needs: 'night',
  parts: [
    {
      stored: [issuerFieldMap.stored.object, issuerFieldMap.stored.points],
      make: (night) => fieldMapArtifacts({ ...night, covenantRows: night.slice.covenantRows }),
    },
  ],
});

/** What each promoted slice said of each issuer. */
export const histories: StreamedFamily = {
  id: 'histories',
  stored: [coreHistory.stored.history, calculationHistory.stored.history],
  write: streamHistory,
};
