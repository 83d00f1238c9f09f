import type { Slice } from '../../../calculators/composeSlice.ts';
import { covenantStress as payload } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { facilityViolations } from '../../compute/facilityInvariants.ts';
import { singleArtifact } from '../../compute/singleArtifact.ts';
import { covenantViolations, screenViolations } from '../../compute/sliceInvariants.ts';
import { standingViolations } from '../../compute/standingInvariants.ts';
import { rowStore } from '../../release/rowStore.ts';
import { family } from '../family.ts';

const { object, rows } = payload.stored;

/** The covenant row of each issuer, alone and as rows of the screen. */
export const covenantStress = family({
  id: 'covenant stress',
  needs: 'slice',
  isPerIssuer: true,
  parts: [
    {
      stored: object,
      make: ({ sourceDate, slice }) =>
        slice.issuers.map(({ issuer, stress }) =>
          singleArtifact(object, { parts: { slice: sourceDate, cik: issuer.cik }, value: stress }),
        ),
    },
    {
      stored: rows,
      make: ({ sourceDate, slice }) =>
        rowStore({
          store: rows,
          parts: { slice: sourceDate },
          rows: slice.covenantRows,
          beside: ({ cik }) => ({ unrankedReason: slice.unranked.get(cik) ?? null }),
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
