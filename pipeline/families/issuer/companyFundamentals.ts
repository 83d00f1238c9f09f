import {
  type CompanyFundamentals,
  companyFundamentals as payload,
} from '../../../data/contract/payloads/issuer/companyFundamentals.ts';
import { variantOf } from '../../../data/contract/payloads/stored.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import type { Artifact } from '../../release/artifact.ts';
import { rowStore } from '../../release/rowStore.ts';
import { singleArtifact } from '../../release/validated.ts';
import { family } from '../family.ts';

const { object, rows } = payload.stored;

/** Filed figures: one object for each choice of optional parts, or one row without them. */
export const companyFundamentals = family({
  id: 'company fundamentals',
  needs: 'slice',
  parts: [
    {
      stored: object,
      make: ({ sourceDate, slice }) =>
        slice.issuers.flatMap(({ issuer, fundamentals }) =>
          objectsOf(fundamentals, { slice: sourceDate, cik: issuer.cik }),
        ),
    },
    {
      stored: rows,
      make: ({ sourceDate, slice }) =>
        rowStore({
          store: rows,
          parts: { slice: sourceDate },
          rows: slice.issuers
            .toSorted((a, b) => compareText(a.issuer.cik, b.issuer.cik))
            .map(({ fundamentals }) => withoutSegments(withoutRelatedParties(fundamentals))),
          meta: {},
        }),
    },
  ],
});

function objectsOf(full: CompanyFundamentals, parts: { slice: string; cik: string }): Artifact[] {
  const chosen = (flags: readonly string[], value: CompanyFundamentals) => {
    const variant = variantOf(object, (flag) => flags.includes(flag));
    return singleArtifact(object, { parts: { ...parts, variant }, value });
  };
  return [
    chosen([], withoutSegments(withoutRelatedParties(full))),
    chosen(['include_related_party'], withoutSegments(full)),
    chosen(['include_segments'], withoutRelatedParties(full)),
    chosen(['include_segments', 'include_related_party'], full),
  ];
}

/** The variant without a flag says `available: false` with an empty array (I4.R08.3). */
function withoutSegments(full: CompanyFundamentals): CompanyFundamentals {
  return { ...full, segment_data: { available: false, segments: [] } };
}

function withoutRelatedParties(full: CompanyFundamentals): CompanyFundamentals {
  return { ...full, related_party_transactions: { available: false, transactions: [] } };
}
