import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { directoryStore } from '../../data/store/directoryStore.ts';
import {
  type PostgresServer,
  postgresMissing,
  startPostgresServer,
} from '../../fixtures/replicas/postgresServer.ts';
import { type VirtualClock, virtualClock } from '../../fixtures/rigs/virtualClock.ts';
import type { Lease } from './postgresLease.ts';
import { withPublicationLease } from './publicationLease.ts';

let scratch: string;
let clock: VirtualClock;
let told: string[];
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'lease-'));
  clock = virtualClock('2025-11-20T09:30:00Z');
  told = [];
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const leased = <T>(
  act: (lease: Lease) => Promise<T>,
  { ledger, name = 'store' }: { ledger?: string; name?: string } = {},
) =>
  withPublicationLease(
    {
      store: directoryStore({ root: join(scratch, name), keepOpen: 0 }),
      environment: ledger === undefined ? {} : { II_LEDGER: ledger },
      clock,
      log: ({ message }) => told.push(message),
    },
    act,
  );
const locked = { code: 'locked' };

describe('the right to publish, kept in the store itself', () => {
  it('has one holder at a time, and is free when the holder is done, whatever it threw', async () => {
    await leased(async () => {
      await expect(leased(async () => 'second')).rejects.toMatchObject({
        ...locked,
        message: expect.stringMatching(/held by process \d+ on .+, until 2025-11-20T09:45:00Z/),
      });
    });
    await expect(
      leased(async () => {
        throw new Error('the night failed');
      }),
    ).rejects.toThrow('the night failed');
    expect(await leased(async () => 'free')).toBe('free');
  });

  it('is free 15 minutes after its holder died, which then finds out before it publishes', async () => {
    await leased(async (dead) => {
      clock.advance(14 * 60_000);
      await expect(leased(async () => 'early')).rejects.toMatchObject(locked);
      clock.advance(2 * 60_000);
      await leased(async (heir) => {
        await heir.assertHeld();
        await expect(dead.assertHeld()).rejects.toMatchObject(locked);
      });
    });
    expect(told).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')(
    'is taken over at once from a run of this machine that was killed, and of no other of its name',
    async () => {
      const gone = spawnSync(process.execPath, ['--version']).pid;
      const holder = {
        pid: gone,
        host: hostname(),
        started_at_utc: '2025-11-20T09:29:00Z',
        process_start: null,
      };
      const store = directoryStore({ root: join(scratch, 'store'), keepOpen: 0 });
      const leave = (change: object) => {
        const lease = {
          schema_id: 'publisher_lease.v1',
          id: randomUUID(),
          holder,
          boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
          expires_at_utc: '2025-11-20T09:44:00Z',
        };
        return store.replace('publisher.json', Buffer.from(JSON.stringify({ ...lease, ...change })));
      };
      await leave({});
      expect(await leased(async () => 'taken over')).toBe('taken over');
      await leave({ boot: randomUUID() });
      await expect(leased(async () => 'second')).rejects.toMatchObject(locked);
      await leave({ holder: { ...holder, host: 'another-machine' } });
      await expect(leased(async () => 'second')).rejects.toMatchObject(locked);
    },
  );

  it('is as long as its holder looks after it', async () => {
    await leased(async (lease) => {
      for (let i = 0; i < 4; i += 1) {
        clock.advance(10 * 60_000);
        await lease.assertHeld();
        await expect(leased(async () => 'second')).rejects.toMatchObject(locked);
      }
    });
  });

  it('is one for each store', async () => {
    await leased(async () => {
      expect(await leased(async () => 'other', { name: 'other' })).toBe('other');
    });
  });
});

describe.skipIf(postgresMissing() !== null)('the right to publish, kept by the ledger’s database', () => {
  let server: PostgresServer;
  let ledger: string;
  beforeAll(async () => {
    server = await startPostgresServer({ inMemory: true });
    await server.create('ledger_of_leases');
    ledger = server.url('ledger_of_leases');
  });
  afterAll(() => server?.stop());

  it('has one holder at a time, one for each store', async () => {
    await leased(
      async (lease) => {
        await lease.assertHeld();
        await expect(leased(async () => 'second', { ledger })).rejects.toMatchObject(locked);
        expect(await leased(async () => 'other', { ledger, name: 'other' })).toBe('other');
      },
      { ledger },
    );
    expect(await leased(async () => 'free', { ledger })).toBe('free');
  });

  it('is lost with its session, and says so before anything is published', async () => {
    const lost = leased(
      async (lease) => {
        await server.kill();
        await server.start();
        await lease.assertHeld();
      },
      { ledger },
    );
    await expect(lost).rejects.toMatchObject({ ...locked, hint: expect.stringContaining('goes on') });
    expect(await leased(async () => 'free', { ledger })).toBe('free');
  });

  it('is not given by a database that does not answer, and the address is not told', async () => {
    await server.kill();
    const away = await leased(async () => 'never', { ledger }).catch((error: unknown) => error);
    await server.start();
    expect(away).toMatchObject({ code: 'store_unavailable' });
    expect(JSON.stringify(away)).not.toContain('ledger_of_leases');
  });
});
