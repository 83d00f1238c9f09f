import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { directoryStore } from '../../data/store/directoryStore.ts';
import type { Store } from '../../data/store/storePort.ts';
import type { StoreEffects } from '../effects.ts';
import { withNightlyLock } from '../nightly/nightlyLock.ts';
import { stopIfAsked } from '../nightly/nightStep.ts';
import type { DataLayout } from '../nightly/plan/dataLayout.ts';
import { copyBeside } from './copyBeside.ts';
import { copyStores } from './copyStores.ts';
import type { Lease } from './lease.ts';
import { withPublicationLease } from './publicationLease.ts';
import { restoreDamaged } from './restoreDamaged.ts';
import { readStoreState } from './storedDocuments.ts';
import { sweepStored } from './sweepStored.ts';

type Publishing = {
  readonly layout: DataLayout;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly effects: StoreEffects;
  readonly signal: AbortSignal;
};

/**
 * Runs a command that changes releases. Where `II_STORE` names another store than the local one, the command runs with the
 * right to publish into it (STORE ST16): what is new there is pulled first, and what this store lost is brought back, and what the command left here is pushed
 * after it, also when it fails: nights before it may stand.
 *
 * @throws IssuerError `locked` while another machine publishes, and what `act` throws
 */
export async function withPublishing<T>(
  request: Publishing,
  act: (restored: readonly string[]) => Promise<T>,
): Promise<T> {
  const { environment, effects, signal, layout } = request;
  const address = environment['II_STORE'] ?? '';
  if (address === '') return act([]);
  // a night without a bucket loads nothing of it
  const { openStore } = await import('../../data/store/openStore.ts');
  const store = openStore({ address, environment, signal });
  try {
    return await withPublicationLease({ store, environment, ...effects }, async (lease) => {
      const restored = await withNightlyLock({ path: layout.lock, effects }, () => catchUp(request, store));
      const outcome = await act(restored).catch(async (error: unknown) => {
        await afterFailure(request, { store, lease, error });
        throw error;
      });
      await publish(request, { store, lease });
      return outcome;
    });
  } finally {
    store.close();
  }
}

async function catchUp({ layout, effects, signal }: Publishing, store: Store): Promise<readonly string[]> {
  const restored = await restoreDamaged({ ...effects, paths: layout.artifacts, store });
  for (const message of restored) effects.log({ level: 'warn', step: 'copy', message });
  const { copied } = await copyStores({
    paths: layout.artifacts,
    store,
    direction: 'pull',
    dryRun: false,
    effects,
    stopIfAsked: () => stopIfAsked(signal),
    beforePointers: async () => undefined,
  });
  if (copied === null) return restored;
  const message = `${copied.releases.length} releases of ${store.address} were pulled`;
  effects.log({ level: 'info', step: 'copy', message });
  return restored;
}

async function publish(
  { layout, effects, signal }: Publishing,
  { store, lease }: { store: Store; lease: Lease },
): Promise<void> {
  await withNightlyLock({ path: layout.lock, effects }, async () => {
    const paths = layout.artifacts;
    const { copied } = await copyStores({
      paths,
      store,
      direction: 'push',
      dryRun: false,
      effects,
      stopIfAsked: () => stopIfAsked(signal),
      beforePointers: () => lease.assertHeld(),
    });
    const from = directoryStore({ root: paths.root, keepOpen: 4 });
    const scratch = join(paths.root, 'transfer');
    try {
      await copyBeside({ from, to: store });
      const state = await readStoreState(from);
      const swept = await sweepStored({
        from,
        to: store,
        state,
        scratch,
        now: effects.clock.now(),
      });
      const done =
        copied === null ? 'nothing new' : `${copied.releases.length} releases, ${copied.bytes} bytes`;
      const gone = swept.packs.length === 0 ? '' : `; ${swept.packs.length} packs removed`;
      effects.log({ level: 'info', step: 'copy', message: `published to ${store.address}: ${done}${gone}` });
    } finally {
      from.close();
      await rm(scratch, { recursive: true, force: true });
    }
  });
}

/** Of two failures the first is the one to report. */
async function afterFailure(
  request: Publishing,
  { store, lease, error }: { store: Store; lease: Lease; error: unknown },
): Promise<void> {
  const code = error instanceof IssuerError ? error.code : null;
  if (code === 'interrupted' || code === 'locked') return;
  // a night that lacks something is a night; that it is nowhere to be seen is worse
  if (code === 'degraded') return publish(request, { store, lease });
  await publish(request, { store, lease }).catch((second: unknown) => {
    const reason = second instanceof Error ? second.message : String(second);
    request.effects.log({ level: 'warn', step: 'copy', message: `nothing was published: ${reason}` });
  });
}
