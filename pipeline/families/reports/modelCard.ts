import { modelCard as stored } from '../../../data/contract/payloads/reports/modelCard.ts';
import { bytesArtifact } from '../../release/validated.ts';
import { family } from '../family.ts';

/** The model card as a file of the release. */
export const modelCard = family({
  id: 'model card',
  needs: 'night',
  parts: [
    {
      stored,
      make: ({ sourceDate, modelCard: bytes }) => [
        bytesArtifact(stored, { parts: { slice: sourceDate }, bytes }),
      ],
    },
  ],
});
