import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { LedgerLog, LedgerTime } from '../ledger/port/ledger.ts';
import {
  hearSocket,
  type SettlementHints,
  touches,
  touchSocket,
} from '../payments/settle/settlementHints.ts';

const againMs = 5000;
const maxPeers = 16;

/** What is at a path: nothing, a socket without a process, one with a process, or a file that is no socket. */
type Occupant = 'none' | 'dead' | 'alive' | 'no_socket';

/**
 * The socket beside the ledger file at which servers and the settlement process notify each other (P9.11). Only the
 * user of the ledger can open it (0600). The socket of a crashed process is replaced, that of a running one is left
 * alone; without a socket this is tried again every 5 s, and the process polls.
 */
export async function wakeListener({
  path,
  time,
  log,
}: {
  path: string;
  time: LedgerTime;
  log: LedgerLog;
}): Promise<SettlementHints> {
  const heard = touches(time);
  const peers = new Set<Socket>();
  let server: Server | null = null;
  let inode: number | null = null;
  let closed = false;
  let complaint: string | null = null;

  function hear(peer: Socket): void {
    peers.add(peer);
    peer.on('close', () => peers.delete(peer));
    hearSocket(peer, { note: heard.note, time });
  }

  async function takePlace(): Promise<void> {
    const why = await obstacle();
    if (why === null || closed) return;
    if (why !== complaint) log({ level: 'warn', event: 'settler_wakes_by_clock', fields: { why } });
    complaint = why;
    time.after(againMs, () => void takePlace());
  }

  /** Null once this process listens. */
  async function obstacle(): Promise<string | null> {
    if (closed) return null;
    try {
      const found = await occupantOf(path);
      if (found === 'alive' || found === 'no_socket') return found;
      await listen();
      return null;
    } catch (error) {
      return codeOf(error);
    }
  }

  // bound under a name of its own, restricted, then renamed: it is never visible with wider permissions or half made
  async function listen(): Promise<void> {
    const own = `${path}.${randomBytes(4).toString('hex')}`;
    const fresh = createServer(hear);
    fresh.maxConnections = maxPeers;
    await new Promise<void>((resolve, reject) => {
      // later ones are connections that could not be taken: their callers poll
      fresh.on('error', reject);
      fresh.listen(own, resolve);
    });
    fresh.unref();
    server = fresh;
    if (closed) return leave();
    try {
      chmodSync(own, 0o600);
      inode = lstatSync(own).ino;
      renameSync(own, path);
    } catch (error) {
      await leave();
      throw error;
    }
  }

  async function leave(): Promise<void> {
    const ending = server;
    server = null;
    if (ending === null) return;
    await new Promise<void>((resolve) => ending.close(() => resolve()));
    // a later process may have the place by now
    if (inode !== null && lstatSync(path, { throwIfNoEntry: false })?.ino === inode) rmSync(path);
  }

  await takePlace();
  return {
    touch() {
      for (const peer of peers) touchSocket(peer);
    },
    onTouch: heard.onTouch,
    async close() {
      closed = true;
      for (const peer of peers) peer.destroy();
      await leave();
    },
  };
}

async function occupantOf(path: string): Promise<Occupant> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'none';
  if (!found.isSocket()) return 'no_socket';
  return new Promise((resolve) => {
    const probe = connect({ path });
    const end = (occupant: Occupant): void => {
      probe.destroy();
      resolve(occupant);
    };
    probe.once('connect', () => end('alive'));
    // one that cannot take connections at the moment is not dead
    probe.once('error', (error) => end(codeOf(error) === 'ECONNREFUSED' ? 'dead' : 'alive'));
  });
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'unknown';
}
