import { Mcp } from 'mppx';
import { describe, expect, it } from 'vitest';
import { paymentMember } from '../../data/contract/tools/toolPayment.ts';
import { alteredCredential } from '../../fixtures/builders/tempoBuyer.ts';
import { framedCredential } from '../../fixtures/rigs/mppDoors.ts';
import {
  args,
  asked,
  asMeta,
  books,
  buyer,
  client,
  codeOf,
  type Json,
  mppOn,
  name,
  node,
  paidFrame,
  pay,
  receiptOf,
  restart,
  revision,
  rig,
  sends,
  settledOnce,
  signed,
  unpaid,
  untouched,
  withMppTools,
} from '../../fixtures/rigs/mppToolRig.ts';
import { payTo } from '../../fixtures/rigs/paidRig.ts';
import { errorOf, resultOf } from '../../fixtures/rigs/toolCalls.ts';

// tool calls that a wallet of machine payments buys inside the frames (P10.16); failures of the chain: mppFailures.test.ts

const x402Off = { II_PAY_TO: '', II_PAY_FACILITATOR_URL: '', II_PAY_GATEWAY: 'off' };

withMppTools();

describe('an unpaid tool call', () => {
  it('asks the wallets of both rails in one answer (I4.MCP.20a)', async () => {
    const { isError, structuredContent, _meta } = resultOf(await unpaid());
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ x402Version: 2, error: 'payment_required' });
    expect(_meta).toMatchObject({
      [Mcp.paymentRequiredMetaKey]: {
        httpStatus: 402,
        challenges: [
          {
            id: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
            realm: '127.0.0.1',
            method: 'tempo',
            intent: 'charge',
            request: {
              amount: '40000',
              currency: '0x20c0000000000000000000000000000000000000',
              methodDetails: { chainId: 1337, supportedModes: ['pull'] },
              recipient: payTo,
            },
            expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT[0-9:.]+Z$/),
            opaque: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
            description: expect.stringMatching(/^Tool intel_covenant_stress: /),
          },
        ],
      },
    });
  });

  it('that asks by status has no challenge of MPP, whose header is refused here (I5.12, P4.7)', async () => {
    for (const answer of [await unpaid({}), await unpaid(revision, { 'x402/in-band': false })]) {
      expect(answer.status).toBe(402);
      expect(answer.headers.has('www-authenticate')).toBe(false);
      expect(answer.bytes.toString('utf8')).not.toContain('paymentauth');
    }
    const byHeader = await client.call(name, args, { authorization: await signed() });
    expect([byHeader.status, errorOf(byHeader).message]).toEqual([400, 'wrong_payment_rail']);
    expect([sends(), await books()]).toEqual([0, untouched]);
  });

  it('of a client that pays over MPP alone asks in the frame, of any other as before (P10.5a)', async () => {
    for (const environment of [{}, { II_PAY_MCP_INBAND: 'explicit' }]) {
      await restart({ ...mppOn(), ...environment });
      const answer = await unpaid({ 'accept-payment': 'tempo/charge' });
      expect([answer.status, answer.headers.has('payment-required')]).toEqual([200, false]);
      expect(asked(answer)?.challenges).toHaveLength(1);
      for (const [headers, meta] of [
        [{}],
        [{ 'accept-payment': 'evm/charge, tempo/charge' }],
        [{ 'accept-payment': '*/*' }],
        [{ 'accept-payment': 'tempo/charge' }, { 'x402/in-band': false }],
      ] as [Record<string, string>, Json?][])
        expect((await unpaid(headers, meta)).headers.has('payment-required')).toBe(true);
    }
    const credential = await signed(await unpaid({ 'accept-payment': 'tempo/charge' }));
    expect(resultOf(await pay(credential, { 'accept-payment': 'tempo/charge' })).isError).toBe(false);
    expect(await books()).toEqual(settledOnce);
    await restart({});
    expect((await unpaid({ 'accept-payment': 'tempo/charge' })).status).toBe(402);
  });

  it('is asked for MPP alone where x402 is off, in a form that clients check (P10.9)', async () => {
    await restart({ ...mppOn(), ...x402Off });
    const answer = await unpaid({});
    const { isError, structuredContent, content } = resultOf(answer);
    expect([answer.status, isError]).toEqual([200, true]);
    expect(structuredContent).not.toHaveProperty('accepts');
    expect(structuredContent['error']).toMatchObject({
      type: 'https://paymentauth.org/problems/payment-required',
      code: 'payment_required',
      status: 402,
      quoted_micro_usd: 40_000,
      payment: { rail: 'mpp', request_member: `params._meta["${Mcp.credentialMetaKey}"]` },
    });
    expect(content[0]?.text).toMatch(/^payment_required: /);
    expect(resultOf(await pay(await signed(answer))).isError).toBe(false);
    // who insists on the header is told that its rail is off (P1.17)
    const insists = await unpaid(revision, { 'x402/in-band': false });
    expect([insists.status, errorOf(insists).message]).toEqual([503, 'settlement_unavailable']);
    expect(await books()).toEqual(settledOnce);
  });
});

describe('a tool call paid over MPP', () => {
  it('is settled once, at the price of the endpoint, with a receipt that names the tool (P10.3, P10.16)', async () => {
    const credential = await signed();
    const answer = await pay(credential);
    const { isError, structuredContent, _meta } = resultOf(answer);
    expect([answer.status, isError]).toEqual([200, false]);
    expect(structuredContent).toMatchObject({
      data: { ticker: 'MSTR' },
      billing: { billing_mode: 'mpp', billing_status: 'charged', cost_usd: 0.04, charge_status: 'settled' },
    });
    const header = Buffer.from(answer.headers.get('payment-receipt') ?? '', 'base64url').toString('utf8');
    const { challenge } = framedCredential(credential) as { challenge: { id: string } };
    expect(_meta).toMatchObject({
      [Mcp.receiptMetaKey]: { ...JSON.parse(header), challengeId: challenge.id },
    });
    expect(JSON.parse(header)).toMatchObject({
      method: 'tempo',
      status: 'success',
      reference: receiptOf(answer)['settlement_tx_hash'],
    });
    expect(answer.headers.has('payment-response')).toBe(false);
    const row = await rig.ledger.findReceipt(String(receiptOf(answer)['receipt_id']));
    expect(row).toMatchObject({ tool: name, routeUri: 'POST /mcp', routeId: 'R31', settlementMode: 'mpp' });
    expect([sends(), node.taken(payTo), await books()]).toEqual([1, 40_000n, settledOnce]);
  });

  it('brings the same receipt again, whatever the id of the frame, and after its challenge (I5.26)', async () => {
    const credential = await signed();
    const first = await pay(credential);
    rig.clock.nowMs += 3_600_000;
    const frame = {
      jsonrpc: '2.0',
      id: 'other',
      method: 'tools/call',
      params: { name, arguments: { ticker: 'mstr' }, _meta: asMeta(credential) },
    };
    const again = await client.post(frame, revision);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(receiptOf(again)['receipt_id']).toBe(receiptOf(first)['receipt_id']);
    expect(resultOf(again)._meta).toEqual(resultOf(first)._meta);
    expect([sends(), await books()]).toEqual([1, settledOnce]);
  });

  it('moves money once for twenty calls at once with one credential (I5.27)', async () => {
    const credential = await signed();
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(credential)));
    expect(new Set(answers.map((answer) => receiptOf(answer)['receipt_id'])).size).toBe(1);
    expect([sends(), node.taken(payTo), await books()]).toEqual([1, 40_000n, settledOnce]);
  });

  it('opens no other tool, argument or route, before and after it was used (S4)', async () => {
    const credential = await signed();
    const others = () =>
      Promise.all([
        client.call('intel_readiness', {}, revision, asMeta(credential)),
        client.call(name, { ticker: 'MARA' }, revision, asMeta(credential)),
      ]);
    for (const other of await others()) {
      expect(asked(other)?.problem).toMatchObject({
        code: 'invalid_challenge',
        type: 'https://paymentauth.org/problems/invalid-challenge',
      });
    }
    const mirror = await rig.ask('/mpp/v1/readiness', { headers: { authorization: credential } });
    expect(mirror.json()).toMatchObject({ status: 402, code: 'invalid_challenge' });
    expect(resultOf(await pay(credential)).isError).toBe(false);
    for (const other of await others()) {
      expect(codeOf(other)).toBe('payment_nonce_reused');
      expect(asked(other)).toBeUndefined();
    }
    expect([sends(), await books()]).toEqual([1, settledOnce]);
  });

  it('is not opened by a credential of a mirror of the same price', async () => {
    const mirror = await rig.ask('/mpp/v1/readiness');
    const credential = await buyer.sign(mirror.headers.get('www-authenticate') ?? '');
    const answer = await client.call('intel_readiness', {}, revision, asMeta(credential));
    expect(asked(answer)?.problem).toMatchObject({ code: 'invalid_challenge' });
    expect([sends(), await books()]).toEqual([0, untouched]);
  });
});

describe('a credential that pays nothing', () => {
  it.each([
    ['a number', () => 7],
    ['null', () => null],
    ['a list', () => []],
    ['empty', () => ({})],
    ['without a payload', (sent: Json) => ({ ...sent, payload: null })],
    ['longer than a header', (sent: Json) => ({ ...sent, source: 'x'.repeat(9000) })],
    [
      'for a request that has no canonical form',
      (sent: Json) => ({
        ...sent,
        challenge: { ...(sent['challenge'] as Json), request: { amount: '\ud800' } },
      }),
    ],
  ])('is malformed and asked for anew when it is %s (I5.22)', async (_, change) => {
    const sent = framedCredential(await signed()) as Json;
    const answer = await unpaid(revision, { [paymentMember.mpp]: change(sent) });
    expect(resultOf(answer).structuredContent).toMatchObject({ error: 'malformed_credential' });
    expect(asked(answer)?.problem).toMatchObject({
      code: 'malformed_credential',
      type: 'https://paymentauth.org/problems/malformed-credential',
    });
    expect(asked(answer)?.challenges).toHaveLength(1);
    expect([sends(), await books()]).toEqual([0, untouched]);
  });

  it('for less than the price, or for nobody, is refused by its challenge (P4.9)', async () => {
    const cheaper = alteredCredential(await signed(), ({ challenge }) => {
      const request = Buffer.from(String(challenge['request']), 'base64url').toString('utf8');
      challenge['request'] = Buffer.from(request.replace('40000', '39999')).toString('base64url');
    });
    expect(asked(await pay(cheaper))?.problem).toMatchObject({
      code: 'invalid_challenge',
      reason: 'not_issued_here',
    });
    expect([sends(), await books()]).toEqual([0, untouched]);
  });

  it('is refused over plain HTTP, inside the frame and without anything to sign (I9.33)', async () => {
    const answer = await rig.ask('/mcp', { ...paidFrame(await signed()), secureTransport: false });
    expect(codeOf(answer)).toBe('invalid_payment');
    expect(asked(answer)).toBeUndefined();
    expect(await books()).toEqual(untouched);
  });
});
