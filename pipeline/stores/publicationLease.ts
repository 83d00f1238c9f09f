import type { Store } from '../../data/store/storePort.ts';
import type { Clock, Log } from '../effects.ts';
import { bucketLease } from './bucketLease.ts';
import type { Lease } from './lease.ts';

/**
 * Runs `act` with the right to publish into a store: the advisory lock of the ledger's database where that is PostgreSQL
 * (`II_LEDGER`), else `publisher.json` of the store itself, put under a condition, with an end.
 *
 * @throws IssuerError `locked` while another machine has it
 */
export async function withPublicationLease<T>(
  {
    store,
    environment,
    clock,
    log,
  }: {
    store: Store;
    environment: Readonly<Record<string, string | undefined>>;
    clock: Clock;
    log: Log;
  },
  act: (lease: Lease) => Promise<T>,
): Promise<T> {
  const ledger = environment['II_LEDGER'] ?? environment['DATABASE_URL'] ?? '';
  const lease = /^postgres(ql)?:\/\//.test(ledger)
    ? await (await import('./postgresLease.ts')).postgresLease({ connection: ledger, subject: store.address })
    : await bucketLease({ store, clock });
  try {
    return await act(lease);
  } finally {
    await lease.release().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      log({
        level: 'warn',
        step: 'copy',
        message: `the lease of ${store.address} ends by itself: ${reason}`,
      });
    });
  }
}
