import { modelCard as stored } from '../../../data/contract/payloads/reports/modelCard.ts';
import { family } from '../family.ts';

/** The model card as a file of the release. */
export const modelCard = family({
  id: 'model card',
  needs: 'night',
  parts: [
    {
      stored,
      make: ({ sourceDate, modelCard: text }) => [
        {
          key: stored.key({ slice: sourceDate }),
          mediaType: stored.mediaType,
          bytes: new TextEncoder().encode(text),
          coded: false,
        },
      ],
    },
  ],
});
