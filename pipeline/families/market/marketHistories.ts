import { marketFieldMap } from '../../../data/contract/payloads/market/marketFieldMap.ts';
import { perpConstituents } from '../../../data/contract/payloads/market/perpConstituents.ts';
import { perpFactors } from '../../../data/contract/payloads/market/perpFactors.ts';
import { bucketLengths } from '../../../data/contract/values/enums.ts';
import { streamMarket } from '../../marketRelease/streamMarket.ts';
import type { StreamedFamily } from '../streamedFamily.ts';

/** Every bucket of every product up to the slice, and its constituents by date. */
export const marketHistories: StreamedFamily = {
  id: 'market histories',
  stored: [
    ...bucketLengths.flatMap((length) => [perpFactors.stored[length], marketFieldMap.stored[length]]),
    perpConstituents.stored.history,
  ],
  write: streamMarket,
};
