import { calculationHistory } from '../../../data/contract/payloads/issuer/calculationHistory.ts';
import { coreHistory } from '../../../data/contract/payloads/issuer/coreHistory.ts';
import { streamHistory } from '../../history/streamHistory.ts';
import type { StreamedFamily } from '../family.ts';

/** What each promoted slice said of each issuer. */
export const histories: StreamedFamily = {
  id: 'histories',
  stored: [coreHistory.stored.history, calculationHistory.stored.history],
  write: streamHistory,
};
