import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../ledger.ts';
import type { JobRow } from '../port/job.ts';
import { exampleClaim, exampleTransition, hashOf, operator, payerOf, sha256 } from './examples.ts';
import type { LedgerUnderTest, RunningLedger } from './underTest.ts';

/** The settlement queue and the watch list (PAYMENTS 9, I3.9), for every adapter. */
export function queueSuite(adapter: LedgerUnderTest): void {
  let running: RunningLedger;
  let ledger: Ledger;
  beforeEach(async () => {
    running = await adapter.start();
    ledger = running.ledger;
  });
  afterEach(() => running.stop());
  const now = () => Date.now();

  const withJob = (n: number) =>
    exampleClaim(n, {
      job: {
        kind: 'evm_exact',
        payload: sha256(`job ${n}`),
        notBeforeMs: now() - 1,
        deadlineMs: now() + 54_000,
      },
    });
  const signed = (jobId: number, lease: { signer: string; owner: string; fence: number }, nonce: number) => ({
    jobId,
    lease,
    accountNonce: nonce,
    rawTx: sha256(`raw ${nonce}`),
    txHash: hashOf(nonce),
    atMs: now(),
  });

  describe(`${adapter.name}: settlement jobs (9)`, () => {
    test('each job is taken once by two settlers, in order, and finished with its receipt (P9.4, P9.6)', async () => {
      for (let n = 1; n <= 6; n += 1) await ledger.claim(withJob(n));
      const other = await running.second();
      const take = (l: Ledger, owner: string) => l.jobs.take({ owner, leaseMs: 30_000, limit: 3 });
      const [a, b] = await Promise.all([take(ledger, 'a'), take(other, 'b')]);
      expect(new Set([...a, ...b].map((j) => j.jobId)).size).toBe(6);
      expect(await take(ledger, 'c')).toEqual([]);
      const job = a[0];
      if (job === undefined) throw new Error('no job was taken');
      expect(job).toMatchObject({ state: 'leased', attempts: 1, kind: 'evm_exact', leaseOwner: 'a' });
      const receiptId = (await ledger.findClaim(job.claimKey))?.receipt.receiptId ?? '';
      const end = {
        jobId: job.jobId,
        owner: 'a',
        outcome: 'settled',
        outcomeJson: '{"gas_used":51234}',
        transition: { ...exampleTransition(1, 'settled'), receiptId },
        atMs: now(),
      } as const;
      expect(await ledger.jobs.finish({ ...end, owner: 'b' })).toBe('lost_lease');
      expect(await ledger.jobs.finish(end)).toBe('finished');
      expect(await ledger.jobs.finish(end)).toBe('lost_lease');
      expect(await ledger.jobs.ofClaim(job.claimKey)).toMatchObject({
        state: 'done',
        payload: null,
        outcome: 'settled',
      });
      expect((await ledger.findReceipt(receiptId))?.chargeStatus).toBe('settled');
      expect((await ledger.check()).problems).toEqual([]);
    });

    test('a job whose lease is over is taken again with its stored bytes (P9.8, X44)', async () => {
      await ledger.claim(withJob(1));
      const [job] = await ledger.jobs.take({ owner: 'a', leaseMs: 30_000, limit: 1 });
      const lease = await ledger.jobs.leaseSigner({ signer: '0xsigner', owner: 'a', leaseMs: 30_000 });
      if (job === undefined || lease === null) throw new Error('no job or no lease');
      expect(await ledger.jobs.storeSigned(signed(job.jobId, lease, 7))).toBe(true);
      expect(await ledger.jobs.renew({ jobIds: [job.jobId], owner: 'a', leaseMs: -1 })).toBe(1);
      const [again] = await ledger.jobs.take({ owner: 'b', leaseMs: 30_000, limit: 1 });
      expect(again).toMatchObject({ state: 'sent', txHash: hashOf(7), accountNonce: 7, attempts: 2 });
      expect(Buffer.from(again?.rawTx ?? [])).toEqual(Buffer.from(sha256('raw 7')));
      expect(await ledger.jobs.renew({ jobIds: [job.jobId], owner: 'a', leaseMs: 1 })).toBe(0);
    });

    test('stored bytes of a settled job are handed out again while they can count (P8.54)', async () => {
      const nonces = [7, 8, 7];
      const jobs: JobRow[] = [];
      for (const [n, nonce] of nonces.entries()) {
        await ledger.claim(withJob(n + 1));
        const [job] = await ledger.jobs.take({ owner: 'a', leaseMs: 30_000, limit: 1 });
        const lease = await ledger.jobs.leaseSigner({ signer: '0xsigner', owner: 'a', leaseMs: 30_000 });
        if (job === undefined || lease === null) throw new Error('no job or no lease');
        expect(await ledger.jobs.sendAgain({ claimKey: job.claimKey, atMs: now() })).toBe(false);
        await ledger.jobs.storeSigned({ ...signed(job.jobId, lease, nonce), txHash: hashOf(n) });
        expect(await ledger.jobs.sendAgain({ claimKey: job.claimKey, atMs: now() })).toBe(false);
        const transition = exampleTransition(n + 1, 'settled');
        const end = { jobId: job.jobId, owner: 'a', outcomeJson: null, transition, atMs: now() };
        // the last one keeps its account nonce busy
        if (n < 2) await ledger.jobs.finish({ ...end, outcome: 'settled' });
        jobs.push(job);
      }
      const again = (n: number, atMs: number) =>
        ledger.jobs.sendAgain({ claimKey: jobs[n]?.claimKey ?? new Uint8Array(32), atMs });
      expect(await again(0, now())).toBe(false);
      expect(await again(1, now() + 60_000)).toBe(false);
      expect(await again(1, now() - 1)).toBe(true);
      const [taken] = await ledger.jobs.take({ owner: 'b', leaseMs: 30_000, limit: 9 });
      expect(taken).toMatchObject({
        jobId: jobs[1]?.jobId,
        state: 'sent',
        accountNonce: 8,
        txHash: hashOf(1),
      });
      expect((await ledger.check()).problems).toEqual([]);
    });

    test('a fee replacement keeps the account nonce, and the hash it replaces (P9.8)', async () => {
      await ledger.claim(withJob(1));
      const [job] = await ledger.jobs.take({ owner: 'a', leaseMs: 30_000, limit: 1 });
      const lease = await ledger.jobs.leaseSigner({ signer: '0xsigner', owner: 'a', leaseMs: 30_000 });
      if (job === undefined || lease === null) throw new Error('no job or no lease');
      await ledger.jobs.storeSigned(signed(job.jobId, lease, 7));
      expect(await ledger.jobs.storeSigned(signed(job.jobId, lease, 8))).toBe(false);
      expect(await ledger.jobs.storeSigned({ ...signed(job.jobId, lease, 7), txHash: hashOf(70) })).toBe(
        true,
      );
      const stored = await ledger.jobs.ofClaim(job.claimKey);
      expect(stored?.txHash).toBe(hashOf(70));
      expect(JSON.parse(stored?.outcomeJson ?? '{}')).toEqual({ replaced: [hashOf(7)] });
    });

    test('one owner a signer, a new fence at each change of owner (P9.5, X46)', async () => {
      await ledger.claim(withJob(1));
      const [job] = await ledger.jobs.take({ owner: 'a', leaseMs: 30_000, limit: 1 });
      const ask = (owner: string, leaseMs = 30_000) =>
        ledger.jobs.leaseSigner({ signer: '0xsigner', owner, leaseMs });
      const first = await ask('a');
      expect(first).toEqual({ signer: '0xsigner', owner: 'a', fence: 1 });
      expect(await ask('b')).toBeNull();
      expect(await ask('a', -1)).toMatchObject({ fence: 1 });
      expect(await ask('b')).toMatchObject({ owner: 'b', fence: 2 });
      if (first === null || job === undefined) throw new Error('no job or no lease');
      expect(await ledger.jobs.storeSigned(signed(job.jobId, first, 7))).toBe(false);
      await ledger.jobs.releaseSigner({ signer: '0xsigner', owner: 'b', fence: 2 });
      expect(await ask('a')).toMatchObject({ fence: 3 });
    });

    test('a job given back waits for its time (P9.10)', async () => {
      await ledger.claim(withJob(1));
      const [job] = await ledger.jobs.take({ owner: 'a', leaseMs: 30_000, limit: 1 });
      const back = {
        jobId: job?.jobId ?? 0,
        owner: 'a',
        notBeforeMs: now() + 60_000,
        error: 'rpc 503',
        atMs: now(),
      };
      expect(await ledger.jobs.giveBack(back)).toBe(true);
      expect(await ledger.jobs.giveBack(back)).toBe(false);
      expect(await ledger.jobs.take({ owner: 'a', leaseMs: 1, limit: 9 })).toEqual([]);
      expect((await ledger.overview()).jobs).toEqual([{ state: 'queued', count: 1 }]);
    });
  });

  test(`${adapter.name}: a payer on the watch list stays until an operator clears it (I3.9)`, async () => {
    const entry = {
      payer: payerOf(1),
      provider: 'gateway_batched',
      reason: 'failed',
      receiptId: null,
      addedMs: now(),
    } as const;
    expect(await ledger.watchlist.add(entry)).toBe('added');
    expect(await ledger.watchlist.add({ ...entry, addedMs: now() + 1 })).toBe('already_listed');
    expect(await ledger.watchlist.has({ payer: payerOf(1), provider: 'gateway_batched' })).toBe(true);
    expect(await ledger.watchlist.has({ payer: payerOf(1), provider: 'x402_exact' })).toBe(false);
    expect(await ledger.watchlist.clear({ payer: payerOf(1), by: operator, atMs: now() })).toBe(1);
    expect(await ledger.watchlist.list()).toEqual([]);
  });
}
