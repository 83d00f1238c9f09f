import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { paymentMember } from '../../../data/contract/tools/toolPayment.ts';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import {
  type PostgresServer,
  postgresMissing,
  startPostgresServer,
} from '../../../fixtures/replicas/postgresServer.ts';
import type { Ask } from '../../../fixtures/rigs/askServer.ts';
import { type PaidRig, signedPayment } from '../../../fixtures/rigs/paidRig.ts';
import { sellingRig } from '../../../fixtures/rigs/sellingRig.ts';
import { resultOf } from '../../../fixtures/rigs/toolCalls.ts';
import { systemTime } from '../../ledger/openLedger.ts';
import type { ChargeStatus, Ledger } from '../../ledger/port/ledger.ts';
import { postgresLedger } from '../../ledger/postgres/postgresLedger.ts';

// a buyer whose answer was lost signs again, is answered under the first receipt, and sends any of his headers again
// (P2.46a); the MPP rail has its rows in mppFailures.test.ts

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(47);
const day = 86_400_000;
const clock = { nowMs: 0 };
let rig: PaidRig;

type Provider = 'x402_exact' | 'gateway_batched';
type Said = {
  readonly status: number;
  readonly code: unknown;
  readonly receiptId: unknown;
  readonly replayed: boolean;
};

/** A place that takes x402, and how its answers read. */
type Door = {
  readonly name: string;
  readonly provider: Provider;
  sign(change?: { validBefore?: bigint }): Promise<string>;
  pay(header: string, ask?: Ask): Promise<Said>;
};

function routeDoor(provider: Provider): Door {
  return {
    name: `${provider} on a route`,
    provider,
    sign: (change) => rig.pay(wallet, path, { provider, ...change }),
    async pay(header, ask = {}) {
      const answer = await rig.ask(path, { ...ask, headers: { 'payment-signature': header } });
      const json = answer.json();
      const receipt = json['settlement_receipt'] as { receipt_id: string } | undefined;
      return {
        status: answer.status,
        code: json['code'],
        receiptId: receipt?.receipt_id ?? json['receipt_id'],
        replayed: answer.headers.get('idempotent-replay') === 'true',
      };
    },
  };
}

function toolDoor(provider: Provider): Door {
  const call = (meta: object, ask: Ask = {}) => {
    const params = { name: 'intel_covenant_stress', arguments: { ticker: 'MSTR' }, _meta: meta };
    return rig.ask('/mcp', {
      ...ask,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })),
    });
  };
  return {
    name: `${provider} in a tool call`,
    provider,
    async sign(change) {
      const { structuredContent } = resultOf(await call({ 'x402/in-band': true }));
      return signedPayment(wallet, structuredContent as never, { nowMs: clock.nowMs, provider, ...change });
    },
    async pay(header, ask) {
      const payment = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
      const { structuredContent } = resultOf(await call({ [paymentMember.x402]: payment }, ask));
      const error = structuredContent['error'] as Record<string, unknown> | string | undefined;
      const problem = typeof error === 'string' ? { status: 402, code: error } : (error ?? {});
      const billing = structuredContent['billing'] as { receipt_id: string; replayed?: true } | undefined;
      return {
        status: Number(problem['status'] ?? 200),
        code: problem['code'],
        receiptId: billing?.receipt_id ?? problem['receipt_id'],
        replayed: billing?.replayed === true,
      };
    },
  };
}

const doors: readonly Door[] = [
  routeDoor('x402_exact'),
  routeDoor('gateway_batched'),
  toolDoor('x402_exact'),
  toolDoor('gateway_batched'),
];

const settles = () =>
  rig.facilitator.calls('/settle').length +
  rig.gateway.received.filter(({ path: at }) => at.endsWith('/settle')).length;
/** The only receipt: its charge is what one answer costs. */
async function chargedOnce(): Promise<void> {
  expect(settles()).toBe(1);
  expect(await rig.ledger.check()).toMatchObject({ receipts: 1, payments: 1, problems: [] });
}

/** What happens to a buyer's signatures, on any ledger. */
function rows(): void {
  describe.each(doors)('$name: a second signature', ({ provider, sign, pay }) => {
    /** The next settle call ends without an answer. */
    const loseOutcome = () => {
      const failure = { kind: 'status', status: 500, body: '' } as const;
      if (provider === 'x402_exact') rig.facilitator.misbehave('/settle', failure);
      else rig.gateway.misbehave('/v1/x402/settle', failure);
    };
    const end = async (receiptId: unknown, to: ChargeStatus) => {
      const from = provider === 'x402_exact' ? 'submitted' : 'authorized';
      const set =
        to === 'failed'
          ? { failureReason: 'expired_unused' }
          : provider === 'x402_exact'
            ? { settlementTxHash: `0x${'5'.repeat(64)}` }
            : { gatewayTransferId: 'transfer-5' };
      const step = { from, to, actor: 'recovery', reason: 'recovered', atMs: clock.nowMs, set } as const;
      expect(await rig.ledger.transition({ ...step, receiptId: String(receiptId) })).toBe(true);
    };
    const charged = provider === 'x402_exact' ? 'settled' : 'queued_for_batch';

    it('that was answered is charged nothing when it is sent again, in any order (P2.46a)', async () => {
      const headers = [await sign(), await sign(), await sign()] as const;
      const first = await pay(headers[0], { delivery: 'undelivered' });
      expect(first).toMatchObject({ status: 200, replayed: false });
      const replay = { ...first, replayed: true };
      // lost as well, so the third is answered under the first receipt too
      expect(await pay(headers[1], { delivery: 'undelivered' })).toEqual(replay);
      expect(await pay(headers[2])).toEqual(replay);
      for (const at of [2, 1, 0, 1, 2, 1] as const) expect(await pay(headers[at])).toEqual(replay);
      await chargedOnce();
      while ((await rig.ledger.findReceipt(String(first.receiptId)))?.delivery !== 'delivered')
        await new Promise<void>((resolve) => setImmediate(resolve));
      // it was delivered: a signature that was never answered is a payment
      expect(await pay(await sign())).toMatchObject({ status: 200, replayed: false });
      expect(settles()).toBe(2);
    });

    it('that was answered twenty times at once is one alias', async () => {
      const [first, second] = [await sign(), await sign()];
      const lost = await pay(first, { delivery: 'undelivered' });
      const answers = await Promise.all(Array.from({ length: 20 }, () => pay(second)));
      for (const answer of answers) expect(answer).toEqual({ ...lost, replayed: true });
      await chargedOnce();
    });

    it('that got 503 for the first is answered under it when that settles (P2.46a)', async () => {
      const [first, second] = [await sign(), await sign()];
      loseOutcome();
      const pending = await pay(first);
      expect(pending).toMatchObject({ status: 503, code: 'settlement_pending' });
      expect(await pay(second)).toEqual(pending);
      await end(pending.receiptId, charged);
      // the first is answered, and the second repeated as it was asked to
      for (const header of [first, second, second])
        expect(await pay(header)).toMatchObject({
          status: 200,
          receiptId: pending.receiptId,
          replayed: true,
        });
      await chargedOnce();
    });

    it('that got 503 for the first pays for itself when that fails: one charge, one answer (P2.46a)', async () => {
      const [first, second] = [await sign(), await sign()];
      loseOutcome();
      const pending = await pay(first);
      expect(await pay(second)).toEqual(pending);
      await end(pending.receiptId, 'failed');
      const own = await pay(second);
      expect(own).toMatchObject({ status: 200, replayed: false });
      expect(own.receiptId).not.toBe(pending.receiptId);
      expect(await pay(second)).toEqual({ ...own, replayed: true });
      expect(await pay(first)).toMatchObject({ status: 402, code: 'payment_settlement_failed' });
      expect(await rig.ledger.check()).toMatchObject({ receipts: 2, payments: 2, problems: [] });
      expect(settles()).toBe(2);
    });

    it('is refused and not settled once its receipt is refunded, or is past its replay (I5.25, P8.30)', async () => {
      const [first, second] = [await sign(), await sign({ validBefore: 2n ** 40n })];
      const lost = await pay(first, { delivery: 'undelivered' });
      await pay(second);
      if (provider === 'x402_exact') {
        const set = { refundReference: 'bank 7', refundedMicro: 1 };
        const step = {
          actor: 'operator:ada',
          from: 'settled',
          to: 'refunded',
          reason: 'asked',
          set,
        } as const;
        await rig.ledger.transition({ ...step, receiptId: String(lost.receiptId), atMs: clock.nowMs });
      } else clock.nowMs += 8 * day;
      expect(await pay(second)).toMatchObject({
        status: 409,
        code: 'payment_nonce_reused',
        receiptId: lost.receiptId,
      });
      await chargedOnce();
    });

    it('is not answered where the ledger cannot keep it: 503, and nothing is taken (P2.46a)', async () => {
      const [first, second] = [await sign(), await sign()];
      const lost = await pay(first, { delivery: 'undelivered' });
      const kept = rig.ledger.alias;
      const away = new IssuerError({ code: 'store_unwritable', message: 'no answer', hint: '' });
      Object.assign(rig.ledger, { alias: () => Promise.reject(away) });
      expect(await pay(second)).toMatchObject({
        status: 503,
        code: 'settlement_pending',
        receiptId: lost.receiptId,
      });
      Object.assign(rig.ledger, { alias: kept });
      expect(await pay(second)).toEqual({ ...lost, replayed: true });
      await chargedOnce();
    });
  });
}

describe('on SQLite', () => {
  beforeEach(async () => {
    clock.nowMs = Date.parse('2026-02-07T10:00:00Z');
    rig = await sellingRig({ wallet, clock });
  });
  afterEach(() => rig.close());
  rows();
});

const missing = postgresMissing();

describe.skipIf(missing !== null)(`on PostgreSQL${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: PostgresServer;
  let directory: string;
  let ledger: Ledger;
  let databases = 0;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'second-signatures-'));
    server = await startPostgresServer();
    await server.create('template');
    await (await opened('template')).close();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  async function opened(database: string): Promise<Ledger> {
    ledger = postgresLedger({
      connection: server.url(database),
      markPath: join(directory, `${database}.mark`),
      time: { nowMs: () => clock.nowMs, after: systemTime.after },
      nowMs: () => clock.nowMs,
      log: () => {},
    });
    await ledger.open();
    return ledger;
  }

  beforeEach(async () => {
    clock.nowMs = Date.parse('2026-02-07T10:00:00Z');
    databases += 1;
    await server.create(`signatures${databases}`, 'template');
    rig = await sellingRig({ wallet, clock, ledger: await opened(`signatures${databases}`) });
  });
  afterEach(async () => {
    await rig.close();
    await ledger.close();
  });
  rows();
});
