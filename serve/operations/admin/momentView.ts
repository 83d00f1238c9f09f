import type { Ready } from '../../../data/contract/emit/operations.ts';
import type { Ledger } from '../../ledger/port/ledger.ts';
import type { ComposedPayments } from '../../payments/composePayments.ts';
import type { ArtifactStore } from '../../store/artifactStore.ts';
import type { Readings } from './collectReadings.ts';
import { type OperatorView, partOf } from './operatorView.ts';

/**
 * The operator's view of this moment beside readings that may be minutes old: whether calls can be served, ledger, store
 * and providers say how they do at each request, so that a page never calls ready what has gone away since.
 */
export async function momentView(
  readings: Readings,
  {
    store,
    ledger,
    payments,
    ready,
    nowMs,
  }: {
    store: Pick<ArtifactStore, 'lastRun' | 'remote'>;
    ledger: Pick<Ledger, 'health'>;
    payments: Pick<ComposedPayments, 'breakers' | 'signatures'>;
    ready(): Promise<Ready>;
    nowMs(): number;
  },
): Promise<OperatorView> {
  const [served, lastRun, health] = await Promise.all([
    partOf(ready),
    partOf(() => store.lastRun()),
    partOf(() => ledger.health()),
  ]);
  return {
    ...readings,
    atMs: nowMs(),
    ready: served,
    lastRun,
    health,
    breakers: payments.breakers(),
    remote: store.remote(),
    signatures: payments.signatures,
  };
}
