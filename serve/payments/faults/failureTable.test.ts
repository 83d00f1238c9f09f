import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import { type PaidRig, paidRig, payTo } from '../../../fixtures/rigs/paidRig.ts';
import { damageArtifact } from '../../../fixtures/rigs/storedArtifacts.ts';
import { issueApiKey } from '../../keys/keyRing.ts';

// the failure table of PAYMENTS 11: every row is named by a test, and the rows of inputs and clocks that no rail owns

/** Numbers of the rows, X1 to X74. */
const rows = Array.from({ length: 74 }, (_, i) => `X${i + 1}`);

it('every row of the failure table is named by a test (P11.1)', () => {
  const root = join(import.meta.dirname, '../../..');
  const files = globSync('{serve,fixtures,data}/**/*.test.ts', {
    cwd: root,
    exclude: (name) => name.endsWith('node_modules'),
  });
  const named = new Set(
    files.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line))
        .flatMap((line) => line.match(/\bX\d{1,2}\b/g) ?? []),
    ),
  );
  expect(rows.filter((row) => !named.has(row))).toEqual([]);
});

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(61);
let rig: PaidRig;

async function start(environment: Record<string, string> = {}): Promise<void> {
  rig = await paidRig({ environment });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  rig.facilitator.balances.set(wallet.address, 10_000_000n);
}
beforeEach(() => start());
afterEach(() => rig.close());

const paid = (header: string, headers: Record<string, string> = {}) =>
  rig.ask(path, { headers: { 'payment-signature': header, ...headers } });
async function nothingHappened(): Promise<void> {
  expect(rig.facilitator.received).toEqual([]);
  expect(await rig.ledger.check()).toMatchObject({ receipts: 0, payments: 0, problems: [] });
}

describe('a payment that is good and not taken', () => {
  it('was signed for the price of before: 402 price_changed with the new one (X30, P1.5)', async () => {
    const header = await rig.pay(wallet, path, { accepted: { amount: '90000' }, value: 90_000n });
    const answer = await paid(header);
    expect(answer.json()).toMatchObject({
      status: 402,
      code: 'price_changed',
      previous_usd: 0.09,
      quoted_cost_usd: 0.1,
    });
    expect(answer.headers.has('payment-required')).toBe(true);
    await nothingHappened();
  });

  it('comes with a wrong API key: 401, and the payment is not looked at (X67, P1.11)', async () => {
    const header = await rig.pay(wallet, path);
    const answer = await paid(header, { 'x-api-key': issueApiKey().text });
    expect(answer.json()).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(answer.headers.has('payment-required')).toBe(false);
    await nothingHappened();
  });

  it('comes too often: 429 before anything is decoded (X72, I8.3)', async () => {
    const header = await rig.pay(wallet, path);
    await rig.close();
    await start({ II_RATE_PAYER: '1' });
    expect((await rig.ask(path, { headers: { 'payment-signature': 'AAAA' } })).status).toBe(400);
    const answer = await paid(header);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    await nothingHappened();
  });

  it('is longer than 8 KiB: 431 (X59, I8.5)', async () => {
    expect((await paid('A'.repeat(8 * 1024 + 4))).status).toBe(431);
    await nothingHappened();
  });

  it('asks for an artifact whose bytes are not those of the manifest: 503 (X57, P1.3)', async () => {
    const header = await rig.pay(wallet, path);
    await rig.close();
    await start();
    damageArtifact({
      root: join(rig.root, 'artifacts'),
      release: '2026-02-07.1',
      key: 'covenant/2026-02-07/CIK0001050446.json',
    });
    const answer = await paid(header);
    expect(answer.json()).toMatchObject({ status: 503, code: 'artifact_unavailable' });
    expect(answer.headers.has('payment-required')).toBe(false);
    await nothingHappened();
  });
});

it('a server clock that is behind lets a payment pass that the provider refuses: 402, charged nothing (X53)', async () => {
  await rig.close();
  await start({ II_PAY_EXACT_VERIFY: 'settle' });
  const header = await rig.pay(wallet, path);
  const errorReason = 'invalid_exact_evm_payload_authorization_valid_before';
  const body = JSON.stringify({ success: false, errorReason, transaction: '', network: 'eip155:8453' });
  rig.facilitator.misbehave('/settle', { kind: 'status', status: 200, body });
  expect((await paid(header)).json()).toMatchObject({
    status: 402,
    code: 'payment_settlement_failed',
    error_reason: errorReason,
  });
  expect(await rig.ledger.check()).toMatchObject({ receipts: 1, chargedMicro: 0, problems: [] });
  for await (const row of rig.ledger.export({ fromMs: 0, toMs: 8e15 }))
    expect(row).toMatchObject({ settlementMode: 'x402_direct', chargeStatus: 'failed' });
  expect(rig.facilitator.taken(payTo)).toBe(0n);
});
