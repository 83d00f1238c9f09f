import { existsSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manualTime } from '../../fixtures/rigs/ledger/ledgerManualTime.ts';
import type { LedgerLog } from '../ledger/port/ledger.ts';
import { type SettlementHints, wakeCaller, wakePath } from '../payments/settle/settlementHints.ts';
import { wakeListener } from './wakeListener.ts';

// the socket between a server and the settlement process of an embedded ledger (P9.11)

let directory: string;
let path: string;
let time: ReturnType<typeof manualTime>;
let lines: Parameters<LedgerLog>[0][];
let open: SettlementHints[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'wake-'));
  path = wakePath(join(directory, 'ledger.db'));
  time = manualTime();
  lines = [];
  open = [];
});
afterEach(async () => {
  for (const hints of open.reverse()) await hints.close();
  rmSync(directory, { recursive: true });
});

async function listening(): Promise<SettlementHints> {
  const hints = await wakeListener({ path, time, log: (line) => void lines.push(line) });
  open.push(hints);
  return hints;
}
function calling(): SettlementHints {
  const hints = wakeCaller({ path, time });
  open.push(hints);
  return hints;
}
/** How often a side was told, and when it is told next. */
function told(hints: SettlementHints) {
  let next = Promise.withResolvers<void>();
  const seen = {
    count: 0,
    async next(): Promise<void> {
      await next.promise;
    },
  };
  hints.onTouch(() => {
    seen.count += 1;
    next.resolve();
    next = Promise.withResolvers<void>();
  });
  return seen;
}
/** Repeats until it is so; everything here is on this machine and ends. */
async function until(so: () => boolean, act = () => {}): Promise<void> {
  while (!so()) {
    act();
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
/** Leaves a socket file behind as a killed process does. */
async function diedAt(place: string): Promise<void> {
  const dead = createServer();
  await new Promise<void>((resolve) => dead.listen(`${place}.bound`, resolve));
  renameSync(`${place}.bound`, place);
  await new Promise((resolve) => dead.close(resolve));
}

describe('the socket of the settlement process', () => {
  it('tells each side of the other, and is open to the user of the ledger alone', async () => {
    const [settler, server] = [await listening(), calling()];
    const [here, there] = [told(settler), told(server)];
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    const woken = here.next();
    server.touch();
    await woken;
    const answered = there.next();
    settler.touch();
    await answered;
    expect([here.count, there.count]).toEqual([1, 1]);
  });

  it('is gone when its process ends properly', async () => {
    const settler = await listening();
    await settler.close();
    expect(existsSync(path)).toBe(false);
  });

  it('takes the place of one that died', async () => {
    await diedAt(path);
    const settler = await listening();
    const woken = told(settler).next();
    calling().touch();
    await woken;
    expect(lines).toEqual([]);
  });

  it('leaves the place to one that lives, and takes it when that one is gone', async () => {
    const first = await listening();
    const second = await listening();
    expect(lines).toEqual([{ level: 'warn', event: 'settler_wakes_by_clock', fields: { why: 'alive' } }]);
    const firstWoken = told(first).next();
    calling().touch();
    await firstWoken;
    await first.close();
    time.advance(5000);
    await until(() => existsSync(path));
    const secondWoken = told(second).next();
    calling().touch();
    await secondWoken;
    expect(lines).toHaveLength(1);
  });

  it('does not touch a file that is no socket', async () => {
    writeFileSync(path, 'of somebody');
    await listening();
    expect(lines).toMatchObject([{ fields: { why: 'no_socket' } }]);
    expect(readFileSync(path, 'utf8')).toBe('of somebody');
  });

  it('does without where the path is longer than an address may be', async () => {
    path = wakePath(join(directory, 'x'.repeat(150)));
    const settler = await listening();
    settler.touch();
    calling().touch();
    expect(lines).toMatchObject([{ event: 'settler_wakes_by_clock' }]);
  });

  it('does not take the place once it was closed while it waited for it', async () => {
    const first = await listening();
    const second = await listening();
    await second.close();
    await first.close();
    time.advance(5000);
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(existsSync(path)).toBe(false);
  });
});

describe('a server', () => {
  it('loses nothing but time while nobody listens, and finds the next settler', async () => {
    const server = calling();
    server.touch();
    await until(() => {
      time.advance(1000);
      server.touch();
      return true;
    });
    const settler = await listening();
    const here = told(settler);
    await until(
      () => here.count > 0,
      () => {
        time.advance(1000);
        server.touch();
      },
    );
  });

  it('finds the settler that follows one that went away', async () => {
    const first = await listening();
    const server = calling();
    const woken = told(first).next();
    server.touch();
    await woken;
    await first.close();
    const here = told(await listening());
    await until(
      () => here.count > 0,
      () => {
        time.advance(1000);
        server.touch();
      },
    );
  });

  it('has one byte on its way to a settler that hangs, however often it touches', async () => {
    const taken: number[] = [];
    const hanging = createServer({ pauseOnConnect: true }, (peer) => {
      peer.on('data', (bytes) => taken.push(bytes.length));
      peer.resume();
    });
    await new Promise<void>((resolve) => hanging.listen(path, resolve));
    const server = calling();
    for (let i = 0; i < 10_000; i += 1) server.touch();
    await until(() => taken.length > 0);
    expect(taken).toEqual([1]);
    await server.close();
    await new Promise((resolve) => hanging.close(resolve));
  });
});

describe('what comes in', () => {
  it('is a touch whatever it says, and a flood waits with who sends it', async () => {
    const settler = await listening();
    const here = told(settler);
    const woken = here.next();
    const hostile = connect({ path });
    hostile.on('error', () => {});
    hostile.write(Buffer.alloc(8 * 1024 * 1024, '{"settle":"everything"}\r\n\0'));
    await woken;
    for (let i = 0; i < 50; i += 1) await new Promise<void>((resolve) => setImmediate(resolve));
    // nothing more is taken from it, or told, before five milliseconds are over
    expect(here.count).toBe(1);
    expect(hostile.writableLength).toBeGreaterThan(0);
    const again = here.next();
    await until(
      () => here.count > 1,
      () => time.advance(5),
    );
    await again;
    hostile.destroy();
  });

  it('has at most sixteen speakers; the next are hung up', async () => {
    await listening();
    const peers = Array.from({ length: 17 }, () => connect({ path }));
    const hungUp = await Promise.race(
      peers.map((peer) => new Promise<boolean>((resolve) => peer.on('close', () => resolve(true)))),
    );
    expect(hungUp).toBe(true);
    expect(peers.filter((peer) => !peer.closed)).toHaveLength(16);
    for (const peer of peers) peer.destroy();
  });
});
