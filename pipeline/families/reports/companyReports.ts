import type { IssuerResult } from '../../../calculators/composeSlice.ts';
import { companyReport } from '../../../data/contract/payloads/reports/companyReport.ts';
import { eachOrLeftOut, orLeftOut } from '../../compute/leftOut.ts';
import { type ReportSubject, reportArtifacts, reportKeys } from '../../compute/reportArtifacts.ts';
import { sliceStatus } from '../../history/sliceHistory.ts';
import { type Artifact, artifactBytes } from '../../release/artifact.ts';
import { family, type MadeArtifacts } from '../family.ts';
import type { NightFacts } from '../familyContexts.ts';

/**
 * What is stored of each report; its legs are artifacts of families before it. An issuer's reports are excluded together
 * where one cannot be made: another variant would answer for it (M6.6c, I4.R29.2b).
 */
export const companyReports = family({
  id: 'company reports',
  needs: 'night',
  parts: [
    {
      stored: companyReport.stored.object,
      make: (night, made) => {
        const subjects = night.slice.issuers.map((one) => subjectOf(one, night));
        const ciks = new Set(subjects.map(({ stress }) => stress.cik));
        const keys = subjects.flatMap((subject) => reportKeys(night.sourceDate, subject));
        return orLeftOut({ what: 'every company report', keys }, async () => {
          const release = {
            ...night,
            sliceStatus: sliceStatus({ ...night, ciks }),
            made: await withBytes(made),
          };
          const reportsOf = reportArtifacts(release);
          return eachOrLeftOut(
            subjects,
            (subject) => ({
              what: `the company report of ${subject.stress.ticker}`,
              keys: reportKeys(night.sourceDate, subject),
            }),
            reportsOf,
          );
        });
      },
    },
  ],
});

/** Points of earlier nights stand in their releases; a report of all of them is hashed with their bytes. */
async function withBytes(made: MadeArtifacts): Promise<ReadonlyMap<string, Artifact>> {
  const read = new Map<string, Artifact>();
  for (const [key, artifact] of made) {
    const { mediaType } = artifact;
    const isRead = 'standing' in artifact;
    read.set(key, isRead ? { key, mediaType, bytes: await artifactBytes(artifact), coded: false } : artifact);
  }
  return read;
}

function subjectOf({ issuer, stress, fundamentals }: IssuerResult, night: NightFacts): ReportSubject {
  const { readiness, unranked, alphaSignals, peerRankings } = night.slice;
  const signals = alphaSignals.find(({ cik }) => cik === issuer.cik);
  return {
    stress,
    fundamentals,
    unranked: unranked.get(issuer.cik) ?? null,
    computedAt: {
      readiness: readiness.latest_computed_at_utc,
      company_fundamentals: fundamentals.provenance.computed_at_utc,
      alpha_signals: signals?.provenance.computed_at_utc ?? null,
      peer_ranking: peerRankings.find(({ cik }) => cik === issuer.cik)?.computed_at_utc ?? null,
      covenant_stress: stress.computed_at_utc ?? null,
      spectra_field_map: night.asOf,
      capital: stress.computed_at_utc ?? null,
    },
  };
}
