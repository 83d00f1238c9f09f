import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../ledger.ts';
import {
  exampleGrant,
  exampleHold,
  exampleSession,
  exampleShadow,
  operator,
  payerOf,
  sha256,
} from './examples.ts';
import type { LedgerUnderTest, RunningLedger } from './underTest.ts';

/** Grants, holds, idempotency keys and challenges (PAYMENTS 7), for every adapter. */
export function grantSuite(adapter: LedgerUnderTest): void {
  let running: RunningLedger;
  let ledger: Ledger;
  beforeEach(async () => {
    running = await adapter.start();
    ledger = running.ledger;
  });
  afterEach(() => running.stop());

  const now = () => Date.now();
  const by = (grantId: string) => ({ grantId, as: operator, atMs: now() }) as const;
  async function enrol(n: number, o: Parameters<typeof exampleGrant>[1] = {}): Promise<string> {
    const grant = exampleGrant(n, o);
    expect((await ledger.grants.create({ grant, as: operator, atMs: now() })).kind).toBe('changed');
    await ledger.grants.mintSession({ session: exampleSession(grant), nonce: null });
    return grant.grantId;
  }

  describe(`${adapter.name}: holds (7.B)`, () => {
    test('forty at once on the last 0.10 at 0.04, on two servers: two answers, 0.02 left (X31, P7.12)', async () => {
      const id = await enrol(1);
      const other = await running.second();
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? ledger : other).hold(exampleHold(i + 1, id))),
      );
      const held = results.filter((r) => r.kind === 'held');
      expect(held).toHaveLength(2);
      expect(results.filter((r) => r.kind === 'refused' && r.why === 'insufficient')).toHaveLength(38);
      // the remainders are the order of the holds (P7.15)
      expect(held.map((r) => (r.kind === 'held' ? r.grant.heldMicro : 0)).sort()).toEqual([40_000, 80_000]);
      for (const r of held)
        if (r.kind === 'held') await ledger.endHold(debitOf(r.receipt.receiptId), 'debited');
      expect(await ledger.grants.find(id)).toMatchObject({
        spentMicro: 80_000,
        heldMicro: 0,
        status: 'active',
      });
      expect(await ledger.check()).toMatchObject({ problems: [], debits: 2, receipts: 2 });
    });

    const debitOf = (receiptId: string) => receiptId.replace('rcpt_', 'dbt_');

    test('commit and release are idempotent and move held to spent or back (P7.9, S12)', async () => {
      const id = await enrol(1);
      await ledger.hold(exampleHold(1, id));
      await ledger.hold(exampleHold(2, id));
      const [one, two] = [exampleHold(1, id).debitId, exampleHold(2, id).debitId];
      expect(await ledger.endHold(one, 'debited')).toBe(true);
      expect(await ledger.endHold(one, 'released')).toBe(false);
      expect(await ledger.endHold(two, 'released')).toBe(true);
      expect(await ledger.endHold(two, 'released')).toBe(false);
      expect(await ledger.grants.find(id)).toMatchObject({ spentMicro: 40_000, heldMicro: 0 });
      expect((await ledger.grants.debits(id)).map((d) => d.state)).toEqual(['debited', 'released']);
    });

    test('the receipt of a hold is its stored row', async () => {
      const id = await enrol(1);
      const result = await ledger.hold(exampleHold(1, id));
      const stored = await ledger.findReceipt(exampleHold(1, id).receipt.receiptId);
      expect(result.kind === 'held' && result.receipt).toEqual(stored);
      expect(stored).toMatchObject({
        settlementMode: 'grant_covered',
        chargeStatus: 'not_charged',
        grantId: id,
      });
    });

    test('says why it refuses, and writes nothing then (P7.17)', async () => {
      const active = await enrol(1);
      const expired = await enrol(2, { expiresMs: now() - 1 });
      const suspended = await enrol(3);
      await ledger.grants.suspend(by(suspended));
      const revoked = await enrol(4);
      await ledger.grants.revoke(by(revoked));
      const spent = await enrol(5, { budgetMicro: 40_000 });
      await ledger.hold(exampleHold(50, spent));
      await ledger.endHold(exampleHold(50, spent).debitId, 'debited');
      const why = async (n: number, id: string, amountMicro = 40_000) => {
        const r = await ledger.hold(exampleHold(n, id, { amountMicro }));
        return r.kind === 'refused' ? r.why : r.kind;
      };
      expect(await why(11, active, 100_001)).toBe('insufficient');
      expect(await why(12, expired)).toBe('expired');
      expect(await why(13, suspended)).toBe('suspended');
      expect(await why(14, revoked)).toBe('revoked');
      expect(await why(15, spent)).toBe('exhausted');
      expect(await why(16, 'grt_nobody')).toBe('unknown');
      expect(await ledger.check()).toMatchObject({ debits: 1, receipts: 1, problems: [] });
    });

    test('what a crash left held is released when its time is over (P7.11, X40)', async () => {
      const id = await enrol(1);
      await ledger.hold(exampleHold(1, id, { holdMs: -1 }));
      await ledger.hold(exampleHold(2, id));
      const late = await enrol(2, { expiresMs: now() - 1 });
      expect(await ledger.sweep()).toMatchObject({ holdsReleased: 1, grantsExpired: 1 });
      expect(await ledger.sweep()).toMatchObject({ holdsReleased: 0, grantsExpired: 0 });
      expect((await ledger.grants.debits(id)).map((d) => d.state)).toEqual(['released', 'held']);
      const newest = await ledger.grants.debits(id, { newest: 1 });
      expect(newest.map((d) => d.debitId)).toEqual([exampleHold(2, id).debitId]);
      expect((await ledger.grants.find(late))?.status).toBe('expired');
    });

    test.each([
      'UPDATE grants SET spent_micro = budget_micro + 1',
      'UPDATE grants SET held_micro = -1',
      'DELETE FROM grants',
      'DELETE FROM grant_debits',
      "UPDATE grant_debits SET state = 'reversed'",
      'UPDATE grant_debits SET amount_micro = 1',
    ])('hand-written %s is refused (S12)', async (sql) => {
      const id = await enrol(1);
      await ledger.hold(exampleHold(1, id));
      await expect(running.run(sql)).rejects.toThrow();
      expect((await ledger.check()).problems).toEqual([]);
    });
  });

  describe(`${adapter.name}: Idempotency-Key (I5.30, P7.16)`, () => {
    const idem = (o: { holder: string; fingerprint?: Uint8Array; expiresMs?: number }) => ({
      key: 'order-0000001',
      fingerprint: sha256('a request'),
      expiresMs: now() + 86_400_000,
      ...o,
    });

    test('a repeated grant call returns the first receipt without a second hold', async () => {
      const id = await enrol(1);
      const holder = `grant:${id}`;
      await ledger.hold(exampleHold(1, id, { idem: idem({ holder }) }));
      const again = await ledger.hold(exampleHold(2, id, { idem: idem({ holder }) }));
      expect(again.kind === 'replay' && again.receipt.receiptId).toBe(exampleHold(1, id).receipt.receiptId);
      const other = idem({ holder, fingerprint: sha256('another') });
      expect(await ledger.hold(exampleHold(3, id, { idem: other }))).toEqual({ kind: 'idem_conflict' });
      expect((await ledger.grants.find(id))?.heldMicro).toBe(40_000);
      // released: the retry is a fresh call
      await ledger.endHold(exampleHold(1, id).debitId, 'released');
      expect((await ledger.hold(exampleHold(4, id, { idem: idem({ holder }) }))).kind).toBe('held');
    });

    test('a repeated key-paid call returns the first receipt; an expired key is free again', async () => {
      const holder = 'apikey:AAAAABBBBB';
      const first = exampleShadow(1);
      const stored = await ledger.insertNotCharged(first, idem({ holder }));
      expect(stored).toEqual(await ledger.findReceipt(first.receiptId));
      const again = await ledger.insertNotCharged(exampleShadow(2), idem({ holder }));
      expect(again).toEqual({ replayOf: stored });
      const other = idem({ holder, fingerprint: sha256('another') });
      expect(await ledger.insertNotCharged(exampleShadow(3), other)).toBe('idem_conflict');
      const past = { ...idem({ holder: 'apikey:B', expiresMs: now() - 1 }) };
      await ledger.insertNotCharged(exampleShadow(4), past);
      expect(await ledger.insertNotCharged(exampleShadow(5), idem({ holder: 'apikey:B' }))).toMatchObject({
        receiptId: exampleShadow(5).receiptId,
      });
      await ledger.insertNotCharged(exampleShadow(6), { ...past, holder: 'apikey:C' });
      expect((await ledger.sweep()).idempotencyDeleted).toBe(1);
      expect((await ledger.check()).problems).toEqual([]);
    });

    test('twenty equal calls at once write one receipt', async () => {
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          ledger.insertNotCharged(exampleShadow(i + 1), idem({ holder: 'apikey:X' })),
        ),
      );
      expect(results.filter((r) => r !== 'idem_conflict' && !('replayOf' in r))).toHaveLength(1);
      expect((await ledger.check()).receipts).toBe(1);
    });
  });

  describe(`${adapter.name}: grant administration (I3.13)`, () => {
    test('suspend, resume, exhaust, top up, extend, revoke; each step journalled under its actor', async () => {
      const id = await enrol(1);
      const status = async () => (await ledger.grants.find(id))?.status;
      await ledger.grants.suspend(by(id));
      expect(await ledger.grants.suspend(by(id))).toEqual({ kind: 'illegal' });
      await ledger.grants.resume(by(id));
      await ledger.hold(exampleHold(1, id, { amountMicro: 90_000 }));
      await ledger.endHold(exampleHold(1, id).debitId, 'debited');
      expect(await status()).toBe('exhausted');
      await ledger.grants.topUp({ ...by(id), addMicro: 100_000 });
      expect(await status()).toBe('active');
      await ledger.grants.extend({ ...by(id), expiresMs: now() - 1 });
      await ledger.sweep();
      expect(await status()).toBe('expired');
      await ledger.grants.extend({ ...by(id), expiresMs: now() + 1_000_000 });
      expect(await status()).toBe('active');
      await ledger.grants.revoke(by(id));
      expect(await ledger.grants.resume(by(id))).toEqual({ kind: 'illegal' });
      expect(await ledger.grants.topUp({ ...by(id), addMicro: 1 })).toEqual({ kind: 'illegal' });
      const events = (await ledger.grants.events(id)).map((e) => `${e.kind} ${e.detail} ${e.actor}`);
      expect(events.filter((e) => e.startsWith('status'))).toEqual([
        `status active>suspended ${operator}`,
        `status suspended>active ${operator}`,
        'status active>exhausted ledger',
        'status exhausted>active ledger',
        'status active>expired ledger',
        `status expired>active ${operator}`,
        `status active>revoked ${operator}`,
      ]);
      expect(events.filter((e) => !e.startsWith('status')).map((e) => e.split(' ')[0])).toEqual([
        'created',
        'topup',
        'extend',
        'extend',
      ]);
      expect((await ledger.grants.session(`gss_${id.slice(4)}`))?.session.revokedMs).not.toBeNull();
    });

    test('one live grant a wallet and program; an operator may link one and reverse a debit', async () => {
      const id = await enrol(1);
      const again = { grant: exampleGrant(2, { wallet: payerOf(1001) }), as: operator, atMs: now() } as const;
      expect(await ledger.grants.create(again)).toEqual({ kind: 'taken' });
      const account = await enrol(3, { program: 'founding_user_credit', wallet: null, accountId: 'acct-1' });
      await ledger.grants.linkWallet({ ...by(account), wallet: payerOf(77) });
      expect((await ledger.grants.ofWallet(payerOf(77))).map((g) => g.grantId)).toEqual([account]);
      await ledger.hold(exampleHold(1, id));
      const correction = {
        debitId: exampleHold(1, id).debitId,
        as: operator,
        reason: 'broken file',
        atMs: now(),
      } as const;
      expect(await ledger.grants.reverse(correction)).toBe(false);
      await ledger.endHold(correction.debitId, 'debited');
      expect(await ledger.grants.reverse(correction)).toBe(true);
      expect(await ledger.grants.reverse(correction)).toBe(false);
      expect(await ledger.grants.find(id)).toMatchObject({ spentMicro: 0, heldMicro: 0 });
      expect((await ledger.check()).problems).toEqual([]);
    });

    test('routes are replaced with their lowest price, which decides exhaustion (I3.13)', async () => {
      const id = await enrol(1, { budgetMicro: 30_000 });
      expect(
        (await ledger.grants.setRoutes({ ...by(id), routes: ['GET /v1/x'], minPriceMicro: 40_000 })).kind,
      ).toBe('changed');
      expect(await ledger.grants.find(id)).toMatchObject({ status: 'exhausted', routes: ['GET /v1/x'] });
    });
  });

  describe(`${adapter.name}: challenges (P7.1–P7.3)`, () => {
    const challenge = (n: number, wallet = payerOf(1)) => ({
      nonce: `nonce${n}`,
      wallet,
      message: `line one\nline ${n}`,
      issuedMs: now() + n,
      expiresMs: now() + 600_000,
    });

    test('a nonce is spent by the first of many POSTs, whatever follows (S13)', async () => {
      await ledger.challenges.create(challenge(1));
      const other = await running.second();
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          (i % 2 === 0 ? ledger : other).challenges.consume({ nonce: 'nonce1', atMs: now() }),
        ),
      );
      expect(outcomes.filter((o) => o === 'already_used')).toHaveLength(9);
      expect(outcomes.find((o) => o !== 'already_used')).toMatchObject({ message: 'line one\nline 1' });
      expect(await ledger.challenges.consume({ nonce: 'unheard', atMs: now() })).toBe('unknown');
      await ledger.challenges.setOutcome({ nonce: 'nonce1', outcome: 'bad_signature' });
    });

    test('of more than five live ones of a wallet the oldest is dropped', async () => {
      for (let n = 1; n <= 7; n += 1) await ledger.challenges.create(challenge(n));
      await ledger.challenges.create(challenge(8, payerOf(2)));
      const states = await Promise.all(
        [1, 2, 3, 7, 8].map(
          async (n) => typeof (await ledger.challenges.consume({ nonce: `nonce${n}`, atMs: now() })),
        ),
      );
      expect(states).toEqual(['string', 'string', 'object', 'object', 'object']);
    });

    test('the worker forgets those issued a day ago, spent or not, and leaves younger ones (P7.2, P8.62)', async () => {
      const day = 86_400_000;
      await ledger.challenges.create({ ...challenge(1), issuedMs: now() - day - 1 });
      await ledger.challenges.create({ ...challenge(2), issuedMs: now() - day - 1 });
      await ledger.challenges.create({ ...challenge(3), issuedMs: now() - day + 60_000 });
      await ledger.challenges.consume({ nonce: 'nonce2', atMs: now() });
      expect(await ledger.sweep()).toMatchObject({ challengesDeleted: 2 });
      expect(await ledger.challenges.consume({ nonce: 'nonce2', atMs: now() })).toBe('unknown');
      expect(await ledger.challenges.consume({ nonce: 'nonce3', atMs: now() })).toMatchObject({
        nonce: 'nonce3',
      });
    });

    test('a session and the challenge it came from are written together', async () => {
      const id = await enrol(1);
      await ledger.challenges.create(challenge(1));
      const session = { ...exampleSession({ grantId: id }), sessionId: 'gss_second' };
      await ledger.grants.mintSession({ session, nonce: 'nonce1' });
      expect(await ledger.grants.session('gss_second')).toMatchObject({
        session: { ...session, revokedMs: null },
        grant: { grantId: id },
      });
      expect(await running.run("SELECT outcome FROM challenges WHERE nonce = 'nonce1'")).toEqual([
        { outcome: 'minted' },
      ]);
      const kinds = async () => (await ledger.grants.events(id)).map(({ kind, detail }) => [kind, detail]);
      const before = await kinds();
      const third = { ...session, sessionId: 'gss_third' };
      await ledger.grants.mintSession({ session: third, nonce: null, as: operator });
      expect(await kinds()).toEqual([...before, ['session', 'gss_third']]);
      expect((await ledger.grants.events(id)).at(-1)).toMatchObject({
        actor: operator,
        atMs: third.issuedMs,
      });
    });
  });
}
