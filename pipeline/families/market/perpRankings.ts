import { perpRankings as payload } from '../../../data/contract/payloads/market/perpRankings.ts';
import { bucketLengths } from '../../../data/contract/values/enums.ts';
import { rankingViolations, rowViolations } from '../../marketRelease/marketViolations.ts';
import { rankingMeta, rankingRows } from '../../marketRelease/rankingRows.ts';
import { rowStore } from '../../release/rowStore.ts';
import { family } from '../family.ts';

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
