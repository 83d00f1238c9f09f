import { coverageWindow } from '../../calculators/market/readings/coverageWindow.ts';
import type { CoverageWindow } from '../../data/contract/payloads/universe/readiness.ts';
import { bucketLengths } from '../../data/contract/values/enums.ts';
import { endOfSlice, type MarketContext } from './marketContext.ts';

/** What the stored rows of every product cover, in the order of the registry, a window a length (I2.46). */
export function coverageWindows({ facts, held }: MarketContext): CoverageWindow[] {
  const { parameters, products } = facts;
  return products.flatMap(({ product: { product }, byLength }) =>
    bucketLengths.map((bucketLength) =>
      coverageWindow({
        product,
        bucketLength,
        held: held(product, bucketLength),
        latest: byLength[bucketLength].latest,
        at: endOfSlice(facts),
        parameters,
      }),
    ),
  );
}
