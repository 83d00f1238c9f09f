import type { Ledger } from '../port/ledger.ts';
import type { Steps } from '../steps/steps.ts';
import { overview } from './operatorReads.ts';
import {
  claimOf,
  journalOf,
  queuedMicro,
  receiptOf,
  receiptOfTransfer,
  undeliveredClaim,
} from './receiptReads.ts';

type PortReads = Pick<
  Ledger,
  'findClaim' | 'findUndelivered' | 'findReceipt' | 'findTransfer' | 'journal' | 'queuedExposure' | 'overview'
>;

/** The reads of the port over an adapter's way to run them. `totalMicro` is what all payers have queued. */
export function portReads({
  read,
  totalMicro = () => read(queuedMicro(null)),
}: {
  read: <T>(steps: Steps<T>) => Promise<T>;
  totalMicro?: () => Promise<number>;
}): PortReads {
  return {
    findClaim: (claimKey) => read(claimOf(claimKey)),
    findUndelivered: (asked) => read(undeliveredClaim(asked)),
    findReceipt: (receiptId) => read(receiptOf(receiptId)),
    findTransfer: (id) => read(receiptOfTransfer(id)),
    journal: (receiptId) => read(journalOf(receiptId)),
    queuedExposure: async (payerIdentity) => ({
      payerMicro: await read(queuedMicro(payerIdentity)),
      totalMicro: await totalMicro(),
    }),
    overview: () => read(overview()),
  };
}
