import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { datetime } from '../../data/contract/values/primitives.ts';
import type { Store } from '../../data/store/storePort.ts';
import type { Clock, Effects } from '../effects.ts';
import { isGone, type LockHolder, lockHolder, thisRun } from '../nightly/lockHolder.ts';
import type { Lease } from './postgresLease.ts';
import { parsed } from './storedDocuments.ts';

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
  }: Effects & { store: Store; environment: Readonly<Record<string, string | undefined>> },
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

/** `publisher.json`: who may publish, and until when. */
const publisher = z.strictObject({
  schema_id: z.literal('publisher_lease.v1'),
  /** Of this one lease: a process may take several. */
  id: z.uuid(),
  holder: lockHolder,
  /** Names one run of one machine's kernel: machines may share a host name. Null where it has none. */
  boot: z.string().nullable(),
  expires_at_utc: datetime,
});

const documentName = 'publisher.json';
const leaseMs = 15 * 60_000;
const renewMs = 2 * 60_000;

/**
 * Takes the lease of a store by replacing `publisher.json` under the condition that it is as it was read. It is renewed
 * while it is held, and free 15 minutes after its machine died, at once for a run of the machine it was killed on. A clock that is off by more is refused by the bucket; the
 * pointers move under a condition of their own, so that two who both believe to hold it still cannot mix releases.
 *
 * @throws IssuerError `locked` while another run has it, `configuration` where the service ignores conditions
 */
async function bucketLease({ store, clock }: { store: Store; clock: Clock }): Promise<Lease> {
  const id = randomUUID();
  const holder = thisRun(clock.now());
  const boot = thisBoot();
  const write = (expected: string | null, ms: number): Promise<'replaced' | 'changed'> => {
    const lease = {
      schema_id: 'publisher_lease.v1',
      id,
      holder,
      boot,
      expires_at_utc: instant(clock.now().getTime() + ms),
    };
    return store.replace(documentName, Buffer.from(canonicalJson(lease)), { expected });
  };
  const read = async () => {
    const there = await store.pointer(documentName);
    if (there === null) return null;
    return {
      ...parsed(publisher, { store, name: documentName, bytes: there.bytes }),
      version: there.version,
    };
  };
  const before = await read();
  const isHeld =
    before !== null &&
    Date.parse(before.expires_at_utc) > clock.now().getTime() &&
    // a run of this machine that was killed is not waited for
    !(before.boot !== null && before.boot === boot && isGone(before.holder));
  if (isHeld || (await write(before?.version ?? null, leaseMs)) === 'changed') {
    throw locked(store, isHeld ? before : await read());
  }
  // a service that ignores conditions would let two publish at once
  if ((await write(null, leaseMs)) === 'replaced') throw unconditional(store);
  /** Writes it again with another end; fails when it is not ours any more. */
  const extend = async (ms: number): Promise<void> => {
    const there = await read();
    const isOurs = there?.id === id && (await write(there.version, ms)) === 'replaced';
    if (!isOurs) throw locked(store, there);
  };
  let renewing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // what fails here is found by the next look at it
    renewing = renewing.then(() => extend(leaseMs)).catch(() => undefined);
  }, renewMs);
  timer.unref();
  return {
    async assertHeld() {
      await renewing;
      await extend(leaseMs);
    },
    async release() {
      clearInterval(timer);
      await renewing;
      if ((await read())?.id === id) await extend(0);
    },
  };
}

function thisBoot(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

function unconditional({ address }: Store): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `The service of ${address} ignores conditions: it put an object over one that was to be absent.`,
    hint: 'Use a service that keeps If-None-Match and If-Match; without them two machines could publish at once.',
  });
}

function locked(store: Store, found: { holder: LockHolder; expires_at_utc: string } | null): IssuerError {
  const who =
    found === null
      ? 'by another run'
      : `by process ${found.holder.pid} on ${found.holder.host}, until ${found.expires_at_utc} unless it is renewed`;
  return new IssuerError({
    code: 'locked',
    message: `The right to publish into ${store.address} is held ${who}.`,
    hint: 'Try again when that run is done; if its machine is gone, 15 minutes later.',
  });
}
