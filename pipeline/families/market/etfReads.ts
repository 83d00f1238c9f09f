import { etfAudit } from '../../../data/contract/payloads/market/etfAudit.ts';
import { etfPressureState } from '../../../data/contract/payloads/market/etfPressureState.ts';
import { bucketLengths } from '../../../data/contract/values/enums.ts';
import { auditOf } from '../../marketRelease/auditOf.ts';
import { type LatestFacts, latestOf, type MarketContext } from '../../marketRelease/marketContext.ts';
import { pressureStateOf } from '../../marketRelease/productRead.ts';
import type { Artifact } from '../../release/artifact.ts';
import { singleArtifact } from '../../release/validated.ts';
import { family } from '../family.ts';

/** The pressure read of each product and its audit, where it has a bucket and a registry. */
export const etfReads = family({
  id: 'etf reads',
  needs: 'market',
  parts: [
    {
      stored: etfPressureState.stored.object,
      make: (market) =>
        ofEachRead(market, (read, parts) =>
          singleArtifact(etfPressureState.stored.object, { parts, value: pressureStateOf(market, read) }),
        ),
    },
    {
      stored: etfAudit.stored.object,
      make: (market) =>
        ofEachRead(market, (read, parts) =>
          singleArtifact(etfAudit.stored.object, { parts, value: auditOf(market, read) }),
        ),
    },
  ],
});

type Parts = { readonly slice: string; readonly product: string; readonly bucket_length: string };

function ofEachRead(market: MarketContext, make: (read: LatestFacts, parts: Parts) => Artifact): Artifact[] {
  return bucketLengths.flatMap((length) =>
    latestOf(market.facts, length)
      .filter(({ version }) => version !== null)
      .map((read) =>
        make(read, {
          slice: market.facts.sourceDate,
          product: read.product.product,
          bucket_length: length,
        }),
      ),
  );
}
