import { readiness as readinessPayload } from '../../../data/contract/payloads/universe/readiness.ts';
import { riskDistribution as distributionPayload } from '../../../data/contract/payloads/universe/riskDistribution.ts';
import { topStressed as topStressedPayload } from '../../../data/contract/payloads/universe/topStressed.ts';
import {
  distributionViolations,
  rankedCountViolations,
  readinessCountViolations,
} from '../../compute/countInvariants.ts';
import { rankingViolations } from '../../compute/sliceInvariants.ts';
import { towerViolations } from '../../compute/standingInvariants.ts';
import { rowStore } from '../../release/rowStore.ts';
import { singleArtifact } from '../../release/validated.ts';
import { family } from '../family.ts';

export const topStressed = family({
  id: 'top stressed',
  needs: 'slice',
  parts: [
    {
      stored: topStressedPayload.stored.rows,
      make: ({ sourceDate, slice }) =>
        rowStore({
          store: topStressedPayload.stored.rows,
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

export const readiness = family({
  id: 'readiness',
  needs: 'slice',
  parts: [
    {
      stored: readinessPayload.stored.object,
      make: ({ sourceDate, slice, coverageWindows }) => {
        const windows = coverageWindows === undefined ? {} : { coverage_windows: [...coverageWindows] };
        const value = { ...slice.readiness, ...windows };
        return [singleArtifact(readinessPayload.stored.object, { parts: { slice: sourceDate }, value })];
      },
    },
  ],
  violations: ({ slice }) => [
    ...towerViolations(slice.readiness),
    ...readinessCountViolations(slice.readiness, { rows: slice.covenantRows.length }),
  ],
});

/** Tiers counted on filing values, and on live ones beside them. */
export const riskDistribution = family({
  id: 'risk distribution',
  needs: 'slice',
  parts: [
    {
      stored: distributionPayload.stored.object,
      make: ({ sourceDate, slice: { riskDistribution: counted } }) => [
        singleArtifact(distributionPayload.stored.object, {
          parts: { slice: sourceDate },
          value: counted.filing,
        }),
        singleArtifact(distributionPayload.stored.object, {
          parts: {
            slice: sourceDate,
            variant: distributionPayload.stored.object.variants['basis=live'] ?? '',
          },
          value: counted.live,
        }),
      ],
    },
  ],
  violations: ({ slice }) =>
    [slice.riskDistribution.filing, slice.riskDistribution.live].flatMap((counted) =>
      distributionViolations(counted, slice.covenantRows),
    ),
});
