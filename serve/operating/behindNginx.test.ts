import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { type FacilitatorReplica, facilitatorReplica } from '../../fixtures/replicas/facilitatorReplica.ts';
import { type GatewayReplica, gatewayReplica } from '../../fixtures/replicas/gatewayReplica.ts';
import {
  type NginxProxy,
  nginxMissing,
  nginxProxy,
  type ProxiedAnswer,
  proxiedName,
} from '../../fixtures/rigs/nginxProxy.ts';
import { type PaidProcess, paidProcess } from '../../fixtures/rigs/paidProcess.ts';
import { challengeOf, signedPayment } from '../../fixtures/rigs/paidRig.ts';

// the proxy configuration that operators copy, in front of a server as they run it

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(83);
const nowMs = (): number => Date.now();
const missing = nginxMissing();
let facilitator: FacilitatorReplica;
let gateway: GatewayReplica;
let server: PaidProcess;
let proxy: NginxProxy;

describe('a server behind nginx', () => {
  beforeAll(async () => {
    if (missing !== null) return;
    facilitator = await facilitatorReplica({ nowMs });
    gateway = await gatewayReplica({ nowMs });
    facilitator.balances.set(wallet.address, 10_000_000n);
    const environment = { II_BASE_URL: `https://${proxiedName}`, II_TRUSTED_PROXIES: '127.0.0.1' };
    server = await paidProcess({ facilitatorUrl: facilitator.url, gatewayUrl: gateway.url, environment });
    proxy = await nginxProxy(server.origin);
  });
  afterAll(async () => {
    await proxy?.close();
    await server?.close();
    await facilitator?.close();
    await gateway?.close();
  });

  const sign = (answer: ProxiedAnswer): string => {
    const headers = new Map([['payment-required', String(answer.headers['payment-required'])]]);
    return signedPayment(wallet, challengeOf({ headers } as never), { nowMs: nowMs() });
  };

  it('sells over TLS: a challenge for its public name, one settlement, the same receipt again', async (ctx) => {
    if (missing !== null) return ctx.skip(missing);
    const unpaid = await proxy.ask(path);
    expect(unpaid.status).toBe(402);
    expect(JSON.parse(unpaid.body).resource).toMatchObject({ url: `https://${proxiedName}${path}` });
    const payment = sign(unpaid);
    const paid = await proxy.ask(path, { 'payment-signature': payment });
    expect(paid.status).toBe(200);
    expect(paid.headers['payment-response']).toBeDefined();
    const { ticker, settlement_receipt } = JSON.parse(paid.body);
    expect([ticker, settlement_receipt.charge_status]).toEqual(['MSTR', 'settled']);
    const again = await proxy.ask(path, { 'payment-signature': payment });
    expect(again.headers['idempotent-replay']).toBe('true');
    expect(JSON.parse(again.body).settlement_receipt.receipt_id).toBe(settlement_receipt.receipt_id);
    expect(facilitator.calls('/settle')).toHaveLength(1);
  });

  it('takes no payment that came in the clear, and sends the call to TLS as it was', async (ctx) => {
    if (missing !== null) return ctx.skip(missing);
    const settled = facilitator.calls('/settle').length;
    const payment = sign(await proxy.ask(path));
    const plain = await proxy.askPlain(`${path}?period=2025-09-30`, { 'payment-signature': payment });
    expect(plain.status).toBe(308);
    expect(plain.headers.location).toBe(`https://${proxiedName}${path}?period=2025-09-30`);
    expect(facilitator.calls('/settle')).toHaveLength(settled);
  });

  it.for([
    ['a payment header of 8 KiB', path, { 'payment-signature': 'A'.repeat(8192) }, 400, 'invalid_payment'],
    ['one byte more', path, { 'payment-signature': 'A'.repeat(8193) }, 431, 'header_fields_too_large'],
    [
      'a target of 2048 bytes',
      `${path}?x=${'a'.repeat(2048 - path.length - 3)}`,
      {},
      400,
      'unknown_parameter',
    ],
    ['two slashes in the path', '/v1//covenant-stress/MSTR', {}, 404, 'route_not_found'],
    ['an escaped slash', '/v1/covenant-stress%2FMSTR', {}, 404, 'route_not_found'],
  ] as const)('hears %s as it was sent', async ([, target, headers, status, code], ctx) => {
    if (missing !== null) return ctx.skip(missing);
    const answer = await proxy.ask(target, headers);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([status, code]);
    expect(JSON.parse(answer.body).instance).toBe(target.replace(/\?.*/, ''));
  });
});
