import { marketFieldMap } from '../../../data/contract/payloads/market/marketFieldMap.ts';
import { bucketLengths } from '../../../data/contract/values/enums.ts';
import { singleArtifact } from '../../compute/singleArtifact.ts';
import { fieldMapOf } from '../../marketRelease/fieldMapOf.ts';
import { latestOf } from '../../marketRelease/marketContext.ts';
import { pointViolations } from '../../marketRelease/marketViolations.ts';
import { family } from '../family.ts';

const { object } = marketFieldMap.stored;

/** All members of the field map of each product but its points, which are a history. */
export const marketFieldMaps = family({
  id: 'market field maps',
  needs: 'market',
  parts: [
    {
      stored: object,
      make: (market) =>
        bucketLengths.flatMap((length) =>
          latestOf(market.facts, length).map((latest) => {
            const product = latest.product.product;
            const parts = { slice: market.facts.sourceDate, product, bucket_length: length };
            return singleArtifact(object, { parts, value: fieldMapOf(market, latest) });
          }),
        ),
    },
  ],
  violations: pointViolations,
});
