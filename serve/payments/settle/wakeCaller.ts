import { connect, type Socket } from 'node:net';
import type { LedgerTime } from '../../ledger/port/ledger.ts';
import { hearSocket, type SettlementHints, touches, touchSocket } from './settlementHints.ts';

const againMs = 1000;

/**
 * The server's end of the socket at which the settlement process listens (P9.11). It is dialled by the first touch and
 * stays open; while the settler does not answer it is dialled once a second, and no request waits for it.
 */
export function wakeCaller({ path, time }: { path: string; time: LedgerTime }): SettlementHints {
  const heard = touches(time);
  let socket: Socket | null = null;
  let resting = false;

  function dial(): Socket {
    const fresh = connect({ path });
    // an idle hint keeps no process alive
    fresh.unref();
    hearSocket(fresh, { note: heard.note, time });
    fresh.on('close', () => {
      socket = null;
      resting = true;
      time.after(againMs, () => {
        resting = false;
      });
    });
    return fresh;
  }

  return {
    touch() {
      if (resting) return;
      socket ??= dial();
      touchSocket(socket);
    },
    onTouch: heard.onTouch,
    async close() {
      resting = true;
      socket?.destroy();
    },
  };
}
