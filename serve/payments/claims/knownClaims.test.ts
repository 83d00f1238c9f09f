import { describe, expect, it } from 'vitest';
import type { ChargeStatus, LedgerTime, ReceiptRow } from '../../ledger/port/ledger.ts';
import type { ClaimedPayment } from '../../ledger/port/payment.ts';
import { idListeners } from '../../ledger/sharedMethods.ts';
import { knownClaims } from './knownClaims.ts';
import { undeliveredClaims } from './sameAgain.ts';

const bytes = (fill: number) => new Uint8Array(32).fill(fill);

/** A claim that another server has, as it is found again; waits are run by hand. */
function rig(phase: 'calling' | 'unknown') {
  const clock = { nowMs: 1_770_458_400_000 };
  let status: ChargeStatus = 'submitted';
  const claim = (key = 1) =>
    ({
      payment: {
        claimKey: bytes(key),
        payloadHash: bytes(2),
        fingerprint: bytes(3),
        phase,
        ownerUntilMs: clock.nowMs + 30_000,
      },
      receipt: { receiptId: `rcpt_${key}`, chargeStatus: status, fingerprint: bytes(3), replayUntilMs: 2e12 },
    }) as ClaimedPayment;
  const waits = new Set<{ readonly ms: number; readonly task: () => void }>();
  const time: LedgerTime = {
    nowMs: () => clock.nowMs,
    after(ms, task) {
      const wait = { ms, task };
      waits.add(wait);
      return () => void waits.delete(wait);
    },
  };
  const listeners = idListeners();
  let listening = 0;
  const reads: number[] = [];
  const looks: PromiseWithResolvers<ReceiptRow | null>[] = [];
  const known = knownClaims({
    ledger: {
      claim: () => Promise.reject(new Error('nothing is claimed')),
      findClaim: async ([key = 0]) => {
        reads.push(key);
        return claim(key);
      },
      findUndelivered: async () => null,
      alias: async () => true,
      delivered: () => {},
      replayed: () => {},
      onReceipt: (listener) => {
        const end = listeners.add(listener);
        listening += 1;
        return () => {
          listening -= 1;
          end();
        };
      },
    },
    settlements: { running: () => null, start: () => Promise.reject(new Error('nothing is settled')) },
    settleWaitMs: 1000,
    time,
    recheck: () => {
      const look = Promise.withResolvers<ReceiptRow | null>();
      looks.push(look);
      return look.promise;
    },
    doubleGuard: true,
    proofOf: () => ({ headers: [], meta: {} }),
    refused: () => {
      throw new Error('nothing was refused');
    },
    undeliveredHere: undeliveredClaims(),
  });
  const again = (key = 1) =>
    known.again(claim(key), {
      claimKey: bytes(key),
      payloadHash: bytes(2),
      fingerprint: bytes(3),
      nowMs: clock.nowMs,
    });
  /** Ends the waits of this length. */
  const pass = (ms: number): void => {
    clock.nowMs += ms;
    for (const wait of [...waits].filter((one) => one.ms === ms)) {
      waits.delete(wait);
      wait.task();
    }
  };
  return {
    clock,
    again,
    pass,
    tell: listeners.tell,
    listening: () => listening,
    reads,
    looks,
    settle: () => {
      status = 'settled';
    },
  };
}
const turns = async () => {
  for (let i = 0; i < 5; i += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

describe('a claim whose handler is another server (P8.34)', () => {
  it('is answered at the hint that it moved, before it is time to look', async () => {
    const { again, tell, settle, reads, listening } = rig('calling');
    const answers = [again(), again()];
    await turns();
    tell('rcpt_9');
    await turns();
    expect(reads).toEqual([]);
    settle();
    tell('rcpt_1');
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ kind: 'admit' });
    expect([reads.length, listening()]).toEqual([2, 0]);
  });

  it('is looked at every 100 ms without a hint, and not for longer than 5 s', async () => {
    const { again, pass, settle, reads, listening } = rig('calling');
    const answer = again();
    for (let n = 0; n < 3; n += 1) {
      await turns();
      pass(100);
    }
    await turns();
    expect(reads).toHaveLength(3);
    settle();
    pass(100);
    expect(await answer).toMatchObject({ kind: 'admit', replayed: true });
    const { clock, ...late } = rig('calling');
    const tooLong = late.again();
    await turns();
    clock.nowMs += 4900;
    late.pass(100);
    expect(await tooLong).toMatchObject({ kind: 'refuse', error: { code: 'payment_in_progress' } });
    expect([listening(), late.listening()]).toEqual([0, 0]);
  });

  it('takes a hint for a hint: the row decides', async () => {
    const { again, tell, settle, reads } = rig('calling');
    const answer = again();
    await turns();
    tell('rcpt_1');
    await turns();
    expect(reads).toHaveLength(1);
    settle();
    tell('rcpt_1');
    expect(await answer).toMatchObject({ kind: 'admit' });
  });
});

describe('repeats of a claim whose outcome is unknown (I5.25)', () => {
  const pending = { kind: 'refuse', error: { code: 'settlement_pending' } };

  it('share the look that runs, however long it takes', async () => {
    const { again, clock, looks } = rig('unknown');
    const answers = Array.from({ length: 20 }, () => again());
    clock.nowMs += 1500;
    answers.push(again());
    expect(looks).toHaveLength(1);
    looks[0]?.resolve(null);
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject(pending);
  });

  it('look once a second, each claim for itself', async () => {
    const { again, clock, looks } = rig('unknown');
    for (const ms of [0, 500, 499]) {
      clock.nowMs += ms;
      const answer = again();
      looks[0]?.resolve(null);
      expect(await answer).toMatchObject(pending);
    }
    expect(looks).toHaveLength(1);
    void again(2);
    expect(looks).toHaveLength(2);
    clock.nowMs += 1;
    void again();
    expect(looks).toHaveLength(3);
  });

  it('answer with what the look has found, and look again after one that failed', async () => {
    const { again, clock, looks } = rig('unknown');
    const first = [again(), again()];
    const away = new Error('the ledger is away');
    looks[0]?.reject(away);
    for (const answer of first) await expect(answer).rejects.toBe(away);
    clock.nowMs += 1000;
    const second = [again(), again()];
    looks[1]?.resolve({ receiptId: 'rcpt_1', chargeStatus: 'settled' } as ReceiptRow);
    for (const answer of await Promise.all(second)) expect(answer).toMatchObject({ kind: 'admit' });
    expect(looks).toHaveLength(2);
  });
});
