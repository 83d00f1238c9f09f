import { beforeEach, describe, expect, it } from 'vitest';
import { manualTime } from '../../../fixtures/rigs/ledger/ledgerManualTime.ts';
import type { JobRow } from '../../ledger/port/job.ts';
import { breaker } from '../../outbound/breaker.ts';
import type { CheckedPayment } from '../x402/settlementProvider.ts';
import { selfProvider } from './selfProvider.ts';

// how a handler hears of the outcome that the settlement process writes (P2.48, P9.11)

const payment = {} as CheckedPayment;
const claimKey = new Uint8Array(32).fill(7);
const receiptId = 'rcpt_1';
let time: ReturnType<typeof manualTime>;
let job: Pick<JobRow, 'state' | 'lastError'> | 'away';
let looks: number;
let touched: number;
let tell: { hint(): void; receipt(id: string): void };
let listening: number;

function provider() {
  const hinted = new Set<() => void>();
  const moved = new Set<(id: string) => void>();
  const added = <T>(set: Set<T>, one: T) => {
    set.add(one);
    listening += 1;
    return () => {
      set.delete(one);
      listening -= 1;
    };
  };
  tell = {
    hint: () => {
      for (const one of hinted) one();
    },
    receipt: (id) => {
      for (const one of moved) one(id);
    },
  };
  return selfProvider({
    ledger: {
      onReceipt: (one) => added(moved, one),
      jobs: {
        async ofClaim() {
          looks += 1;
          if (job === 'away') throw new Error('the ledger is away');
          return job as JobRow;
        },
      },
    },
    hints: {
      touch: () => {
        touched += 1;
      },
      onTouch: (one) => added(hinted, one),
      close: async () => {},
    },
    breaker: breaker({ nowMs: time.nowMs }),
    settleCallMs: 60_000,
    time,
  });
}
const settling = () => provider().settle({ payment, claimKey, receiptId, noteTransaction: async () => {} });
const turns = async () => {
  for (let i = 0; i < 5; i += 1) await Promise.resolve();
};

beforeEach(() => {
  time = manualTime();
  job = { state: 'queued', lastError: null };
  looks = 0;
  touched = 0;
  listening = 0;
});

describe('a handler that waits for the settlement process', () => {
  it.each(['hint', 'receipt'] as const)(
    'wakes it, and looks again at a %s without waiting for its clock',
    async (by) => {
      const outcome = settling();
      await turns();
      expect({ touched, looks }).toEqual({ touched: 1, looks: 1 });
      job = { state: 'done', lastError: null };
      tell[by](receiptId);
      expect(await outcome).toEqual({ kind: 'recorded' });
      expect({ touched, looks, listening }).toEqual({ touched: 1, looks: 2, listening: 0 });
    },
  );

  it('does not look for the receipts of others', async () => {
    const outcome = settling();
    await turns();
    tell.receipt('rcpt_2');
    await turns();
    expect(looks).toBe(1);
    job = { state: 'done', lastError: null };
    tell.receipt(receiptId);
    await outcome;
  });

  it('looks every 100 ms when nothing tells it', async () => {
    const outcome = settling();
    await turns();
    time.advance(99);
    await turns();
    expect(looks).toBe(1);
    job = { state: 'done', lastError: null };
    time.advance(1);
    expect(await outcome).toEqual({ kind: 'recorded' });
    expect(looks).toBe(2);
  });

  it('misses nothing that is told while it looks', async () => {
    const outcome = settling();
    job = { state: 'done', lastError: null };
    tell.hint();
    expect(await outcome).toEqual({ kind: 'recorded' });
  });

  it('waits on while the ledger is away: what became of the money is in there (X50)', async () => {
    const outcome = settling();
    await turns();
    job = 'away';
    tell.hint();
    await turns();
    expect(looks).toBe(2);
    job = { state: 'done', lastError: null };
    time.advance(100);
    expect(await outcome).toEqual({ kind: 'recorded' });
  });
});
