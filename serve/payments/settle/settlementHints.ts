import { connect, type Socket } from 'node:net';
import type { Ledger, LedgerTime } from '../../ledger/port/ledger.ts';

/**
 * Notifications between servers and the settlement process (P9.11): rows may have changed. They carry no content, so
 * none can be forged, and both sides poll as well, so a lost one delays and breaks nothing.
 */
export type SettlementHints = {
  /** Notifies the other side. */
  touch(): void;
  /** Runs `listener` on a notification, once for all within 5 ms; the result unsubscribes. */
  onTouch(listener: () => void): () => void;
  close(): Promise<void>;
};

/** Notifications of the other side, passed on to listeners. */
export type Touches = {
  note(): void;
  readonly onTouch: SettlementHints['onTouch'];
};

const quietMs = 5;
const oneByte = Buffer.of(1);

/** Where the settlement process of an embedded ledger listens: beside the file. */
export function wakePath(ledgerPath: string): string {
  return `${ledgerPath}.wake`;
}

/** No notifications: each side polls. */
export const noHints: SettlementHints = {
  touch: () => {},
  onTouch: () => () => {},
  close: async () => {},
};

/** The hints of a ledger that notifies other processes itself (P8.18). */
export function journalHints({
  ledger,
  time,
}: {
  ledger: Pick<Ledger, 'onReceipt'>;
  time: LedgerTime;
}): SettlementHints {
  const heard = touches(time);
  const end = ledger.onReceipt(heard.note);
  return { touch: () => {}, onTouch: heard.onTouch, close: async () => end() };
}

/** Passes a touch on at once, and all that follow within the quiet time together at its end: a flood is a few. */
export function touches(time: LedgerTime): Touches {
  const listeners = new Set<() => void>();
  let quiet = false;
  let again = false;

  function note(): void {
    again = quiet;
    if (quiet) return;
    quiet = true;
    for (const listener of [...listeners]) listener();
    time.after(quietMs, () => {
      quiet = false;
      if (again) note();
    });
  }

  return {
    note,
    onTouch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Hears a connection: any bytes are a touch, none is read for what it says, and no more than one piece in 5 ms. */
export function hearSocket(socket: Socket, { note, time }: { note(): void; time: LedgerTime }): void {
  // a peer that disconnected is noticed by `close`
  socket.on('error', () => {});
  socket.on('data', () => {
    socket.pause();
    note();
    time.after(quietMs, () => socket.resume());
  });
}

/** Touches a peer unless it has not taken the last touch yet: one that hangs costs a byte. */
export function touchSocket(socket: Socket): void {
  if (socket.writable && socket.writableLength === 0) socket.write(oneByte);
}

const redialMs = 1000;

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
      time.after(redialMs, () => {
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

/** Wakes one waiter; a ring between two waits counts for the next. */
export type Alarm = {
  ring(): void;
  /** Resolves at the next ring, or at once when one came before. */
  rung(): Promise<void>;
};

/** An alarm that has not rung. */
export function alarm(): Alarm {
  let kept = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      if (wake === null) kept = true;
      else wake();
      wake = null;
    },
    rung() {
      if (kept) {
        kept = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
  };
}
