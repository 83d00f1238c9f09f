import { describe, expect, it } from 'vitest';
import type { ChargeStatus } from '../../ledger/port/ledger.ts';
import type { ClaimedPayment, PaymentPhase } from '../../ledger/port/payment.ts';
import { type SameAgain, sameAgain } from './sameAgain.ts';

const nowMs = 1_770_458_400_000;
const replayWindowMs = 604_800_000;
const bytes = (fill: number) => new Uint8Array(32).fill(fill);

function verdict({
  status,
  phase,
  ownerUntilMs,
  replayUntilMs,
  liveHere,
  payloadHash,
  fingerprint,
}: {
  status: ChargeStatus;
  phase: PaymentPhase;
  ownerUntilMs?: number;
  replayUntilMs?: number | null;
  liveHere?: boolean;
  payloadHash?: Uint8Array;
  fingerprint?: Uint8Array;
}): SameAgain {
  const claimed = {
    payment: {
      payloadHash: bytes(1),
      fingerprint: bytes(2),
      phase,
      ownerUntilMs: ownerUntilMs ?? nowMs - 1,
    },
    receipt: {
      chargeStatus: status,
      replayUntilMs: replayUntilMs === undefined ? nowMs + 1 : replayUntilMs,
      createdMs: nowMs - 1000,
    },
  } as ClaimedPayment;
  return sameAgain(claimed, {
    payloadHash: payloadHash ?? bytes(1),
    fingerprint: fingerprint ?? bytes(2),
    nowMs,
    liveHere: liveHere ?? false,
    replayWindowMs,
  });
}

// I5.25, row by row: state, phase, owner, then identical / anything else
const table: readonly (readonly [ChargeStatus, PaymentPhase, 'live' | 'gone', SameAgain, SameAgain])[] = [
  ['authorized', 'calling', 'live', 'wait', 'reused'],
  ['authorized', 'calling', 'gone', 'pending', 'reused'],
  ['authorized', 'unknown', 'live', 'pending', 'reused'],
  ['submitted', 'calling', 'live', 'wait', 'reused'],
  ['submitted', 'calling', 'gone', 'pending', 'reused'],
  ['submitted', 'unknown', 'live', 'pending', 'reused'],
  ['submitted', 'unknown', 'gone', 'pending', 'reused'],
  ['settled', 'accepted', 'gone', 'replay', 'reused'],
  ['queued_for_batch', 'accepted', 'gone', 'replay', 'reused'],
  ['failed', 'refused', 'gone', 'failed', 'reused_after_failure'],
  ['refunded', 'accepted', 'gone', 'reused', 'reused'],
  ['disputed', 'accepted', 'gone', 'reused', 'reused'],
];

describe('the same authorization again (I5.25, P8.29)', () => {
  it.each(table)('%s/%s, handler %s: identical %s, otherwise %s', (status, phase, owner, same, other) => {
    const ownerUntilMs = owner === 'live' ? nowMs + 1 : nowMs;
    expect(verdict({ status, phase, ownerUntilMs })).toBe(same);
    expect(verdict({ status, phase, ownerUntilMs, payloadHash: bytes(9) })).toBe(other);
    expect(verdict({ status, phase, ownerUntilMs, fingerprint: bytes(9) })).toBe(other);
  });

  it('waits for a call of this process whatever the row says of its owner', () => {
    expect(verdict({ status: 'submitted', phase: 'unknown', liveHere: true })).toBe('wait');
  });

  it('replays until, not at, the end of seven days (I5.26)', () => {
    const settled = { status: 'settled', phase: 'accepted' } as const;
    expect(verdict({ ...settled, replayUntilMs: nowMs + 1 })).toBe('replay');
    expect(verdict({ ...settled, replayUntilMs: nowMs })).toBe('reused');
    expect(verdict({ ...settled, replayUntilMs: null })).toBe('replay');
  });
});
