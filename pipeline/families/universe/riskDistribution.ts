import { riskDistribution as payload } from '../../../data/contract/payloads/universe/riskDistribution.ts';
import { distributionViolations } from '../../compute/countInvariants.ts';
import { singleArtifact } from '../../compute/singleArtifact.ts';
import { family } from '../family.ts';

const { object } = payload.stored;

/** Tiers counted on filing values, and on live ones beside them. */
export const riskDistribution = family({
  id: 'risk distribution',
  needs: 'slice',
  parts: [
    {
      stored: object,
      make: ({ sourceDate, slice: { riskDistribution: counted } }) => [
        singleArtifact(object, { parts: { slice: sourceDate }, value: counted.filing }),
        singleArtifact(object, {
          parts: { slice: sourceDate, variant: object.variants['basis=live'] ?? '' },
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
