import { marketFieldMap } from '../../../data/contract/payloads/market/marketFieldMap.ts';
import { perpConstituents } from '../../../data/contract/payloads/market/perpConstituents.ts';
import { perpFactors } from '../../../data/contract/payloads/market/perpFactors.ts';
import { perpRankings as payload } from '../../../data/contract/payloads/market/perpRankings.ts';
import { bucketLengths } from '../../../data/contract/values/enums.ts';
import { fieldMapOf } from '../../marketRelease/fieldMapOf.ts';
import { latestOf } from '../../marketRelease/marketContext.ts';
import { pointViolations, rankingViolations, rowViolations } from '../../marketRelease/marketViolations.ts';
import { rankingMeta, rankingRows } from '../../marketRelease/rankingRows.ts';
import { streamMarket } from '../../marketRelease/streamMarket.ts';
import { rowStore } from '../../release/rowStore.ts';
import { singleArtifact } from '../../release/validated.ts';
import { family, type StreamedFamily } from '../family.ts';

const { rows } = payload.stored;

/** Products by pressure, of each bucket length, and what is known of them. */
export const perpRankings = family({
  id: 'perp rankings',
  needs: 'market',
  parts: [
    {
      stored: rows,
      make: (market) =>
        bucketLengths.flatMap((length) =>
          rowStore({
            store: rows,
            parts: { slice: market.facts.sourceDate, bucket_length: length },
            rows: rankingRows(market, length),
            meta: rankingMeta(market, length),
          }),
        ),
    },
  ],
  violations: (market) => [...rowViolations(market), ...rankingViolations(market)],
});

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

/** Every bucket of every product up to the slice, and its constituents by date. */
export const marketHistories: StreamedFamily = {
  id: 'market histories',
  stored: [
    ...bucketLengths.flatMap((length) => [perpFactors.stored[length], marketFieldMap.stored[length]]),
    perpConstituents.stored.history,
  ],
  write: streamMarket,
};
