import { describe, expect, it } from 'vitest';
import { billingEnvelope } from '../../data/contract/billing/billingEnvelope.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import {
  call,
  enrol,
  readiness,
  renewToken,
  rig,
  states,
  stress,
  withGrantRail,
} from '../../fixtures/rigs/grantRailRig.ts';

// the grant rail at the level of HTTP: 0.04 for readiness, 0.10 for one issuer (PAYMENTS 7.B, INTERFACE I5.42)

withGrantRail();

describe('an Idempotency-Key (I5.30, P7.16)', () => {
  const key = { 'idempotency-key': 'order-0000001' };

  it('makes two equal calls one debit with one receipt (A5.29)', async () => {
    await enrol();
    const first = await call(readiness, { headers: key });
    rig.clock.nowMs += 60_000;
    const again = await call(readiness, { headers: key });
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.json()['response_metadata']).toMatchObject({ replayed: true });
    expect(again.json()['settlement_receipt']).toMatchObject({
      ...(first.json()['settlement_receipt'] as object),
      quality_flags: ['replayed'],
      updated_at_utc: expect.any(String),
    });
    expect(again.json()).toMatchObject({ grant_debit_usd: 0.04, grant_remaining_usd: 99.96 });
    expect(await states()).toEqual(['debited']);
  });

  it('stands for one request, for a day', async () => {
    await enrol();
    await call(readiness, { headers: key });
    const other = await call(stress, { headers: key });
    expect(other.json()).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
    rig.clock.nowMs += 86_400_000;
    await renewToken();
    expect((await call(stress, { headers: key })).status).toBe(200);
    expect(await states()).toEqual(['debited', 'debited']);
  });

  it('is free again when its first answer never arrived', async () => {
    await enrol();
    await call(readiness, { headers: key, delivery: 'undelivered' });
    const again = await call(readiness, { headers: key });
    expect(again.headers.get('idempotent-replay')).toBeUndefined();
    expect(await states()).toEqual(['released', 'debited']);
  });

  it('makes twenty calls at once one debit', async () => {
    await enrol();
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(readiness, { headers: key })));
    const receipts = answers.map((answer) => answer.headers.get('x-receipt-id'));
    expect(new Set(receipts).size).toBe(1);
    expect(await states()).toEqual(['debited']);
  });

  it('is refused when it is none (400)', async () => {
    await enrol();
    const answer = await call(readiness, { headers: { 'idempotency-key': 'short' } });
    expect(answer.json()).toMatchObject({ code: 'invalid_parameter', parameter: 'Idempotency-Key' });
  });

  it('works for API keys as well: one receipt, another request refused (P6.6)', async () => {
    const apiKey = await rig.key();
    const keyed = (path: string) => rig.ask(path, { headers: { 'x-api-key': apiKey, ...key } });
    const first = await keyed(readiness);
    const again = await keyed(readiness);
    expect(again.headers.get('x-receipt-id')).toBe(first.headers.get('x-receipt-id'));
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.json()).toMatchObject({
      billing_mode: 'api_key_not_charged',
      settlement_receipt: { quality_flags: ['replayed'] },
    });
    billingEnvelope.parse(again.json());
    expect((await keyed(stress)).json()).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
    expect((await rig.ledger.check()).receipts).toBe(1);
  });
});

describe('a ledger that cannot write (X47, X49)', () => {
  it.each(['settlement_unavailable', 'store_unwritable', 'overloaded'] as const)(
    '(%s) makes grant calls 503 without a challenge; what is unpaid or free is answered',
    async (code) => {
      await enrol();
      Object.assign(rig.ledger, {
        hold: async () => {
          throw new IssuerError({ code, message: 'The ledger cannot write.', hint: '' });
        },
      });
      const answer = await call();
      expect(answer.json()).toMatchObject({
        status: 503,
        code: code === 'overloaded' ? 'overloaded' : 'settlement_unavailable',
        billing_status: 'not_charged',
      });
      expect(answer.headers.get('payment-required')).toBeUndefined();
      expect(answer.headers.get('retry-after')).toBeDefined();
      expect((await rig.ask(readiness)).status).toBe(402);
      expect((await rig.ask('/v1/pricing')).status).toBe(200);
      expect(await states()).toEqual([]);
    },
  );
});
