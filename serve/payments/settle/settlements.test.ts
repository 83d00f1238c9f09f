import { describe, expect, it } from 'vitest';
import type { LedgerLog, LedgerTime, ReceiptRow } from '../../ledger/port/ledger.ts';
import type { Transition, UnknownOutcome } from '../../ledger/port/payment.ts';
import { settlements } from './settlements.ts';
import type { SettleOutcome } from './settleOutcome.ts';

const nowMs = 1_770_458_400_000;
const settled: SettleOutcome = { kind: 'settled', transaction: `0x${'a'.repeat(64)}` };
const receipt = { receiptId: 'rcpt_1', chargeStatus: 'submitted', quotedMicro: 40_000 } as ReceiptRow;
const payment = {
  claimKey: new Uint8Array(32).fill(7),
  provider: 'x402_exact',
  network: 'eip155:8453',
  payer: `0x${'1'.repeat(40)}`,
  nonce: new Uint8Array(32),
  amountMicro: 40_000,
} as const;

type Fault = {
  transition(step: Transition): boolean;
  stored: ReceiptRow;
  resolveNow(): Promise<ReceiptRow | null>;
};

/** Settlements over a ledger that a test lets fail; waits are run by hand. */
function rig(fault: Partial<Fault> = {}) {
  const steps: Transition[] = [];
  const unknown: UnknownOutcome[] = [];
  const renewed: number[] = [];
  const waits: { ms: number; task: () => void }[] = [];
  const events: string[] = [];
  const time: LedgerTime = {
    nowMs: () => nowMs,
    after(ms, task) {
      waits.push({ ms, task });
      return () => {};
    },
  };
  const log: LedgerLog = ({ event }) => void events.push(event);
  const running = settlements({
    ledger: {
      async transition(step) {
        steps.push(step);
        return fault.transition?.(step) ?? true;
      },
      async noteUnknown(outcome) {
        unknown.push(outcome);
        return true;
      },
      findReceipt: async () => fault.stored ?? null,
      renew: ({ ownerUntilMs }) => void renewed.push(ownerUntilMs),
    },
    owner: 'test',
    time,
    log,
    chainConfirms: () => false,
    ...(fault.resolveNow === undefined ? {} : { resolveNow: fault.resolveNow }),
  });
  const run = (outcome: SettleOutcome) => running.start({ payment, receipt }, async () => outcome);
  return { running, run, steps, unknown, renewed, waits, events };
}
const turns = async () => {
  for (let i = 0; i < 10; i += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

describe('the outcome of a settle call', () => {
  it('is kept and written again while the ledger is away (X50)', async () => {
    let failures = 2;
    const { run, steps, waits, events } = rig({
      transition() {
        failures -= 1;
        if (failures >= 0) throw new Error('the ledger is away');
        return true;
      },
    });
    const result = run(settled);
    for (let i = 0; i < 2; i += 1) {
      await turns();
      waits.find((wait) => wait.ms === 1000)?.task();
      waits.splice(
        waits.findIndex((wait) => wait.ms === 1000),
        1,
      );
    }
    expect(await result).toMatchObject({ chargeStatus: 'settled', chargedMicro: 40_000 });
    expect(steps).toHaveLength(3);
    expect(events.filter((event) => event === 'outcome_not_written')).toHaveLength(2);
  });

  it('gives way to whoever was faster, and is answered with what he wrote (P8.27)', async () => {
    const stored = { ...receipt, chargeStatus: 'settled', actor: 'recovery' } as ReceiptRow;
    const { run } = rig({ transition: () => false, stored });
    expect(await run({ kind: 'refused', reason: 'insufficient_funds', unavailable: false })).toBe(stored);
  });

  it('that is unknown moves nothing and is looked at after 5 s (P8.28, P8.42)', async () => {
    const { run, steps, unknown } = rig();
    expect(await run({ kind: 'unknown', reason: 'http_500', transaction: null })).toBe(receipt);
    expect(steps).toEqual([]);
    expect(unknown).toEqual([
      {
        claimKey: payment.claimKey,
        txHash: null,
        refusal: 'http_500',
        nextCheckMs: nowMs + 5000,
        atMs: nowMs,
      },
    ]);
  });

  it('of a call that breaks off by our own fault is unknown, not a refusal (P0.4, P8.28)', async () => {
    const { running, steps, unknown, events } = rig();
    const broken = running.start({ payment, receipt }, () => Promise.reject(new Error('the ledger is away')));
    expect(await broken).toBe(receipt);
    expect(steps).toEqual([]);
    expect(unknown).toMatchObject([{ refusal: 'call_failed', txHash: null, nextCheckMs: nowMs + 5000 }]);
    expect(events).toEqual(['settle_call_failed', 'settlement_unknown']);
  });

  it('is left to the worker when the chain cannot be asked at once (P8.52)', async () => {
    const { running, unknown } = rig({ resolveNow: () => Promise.reject(new Error('the ledger is away')) });
    const used: SettleOutcome = { kind: 'unknown', reason: 'nonce_already_used', transaction: null };
    expect(await running.start({ payment, receipt }, async () => used)).toBe(receipt);
    expect(unknown).toHaveLength(1);
  });

  it('keeps the claim owned while its call runs (P8.40)', async () => {
    const { running, renewed, waits } = rig();
    let end = (_: SettleOutcome): void => {};
    const result = running.start(
      { payment, receipt },
      () =>
        new Promise<SettleOutcome>((resolve) => {
          end = resolve;
        }),
    );
    expect(running.running(payment.claimKey)).not.toBeNull();
    waits.find((wait) => wait.ms === 10_000)?.task();
    expect(renewed).toEqual([nowMs + 30_000]);
    end(settled);
    await result;
    expect(running.running(payment.claimKey)).toBeNull();
    await running.idle();
  });
});
