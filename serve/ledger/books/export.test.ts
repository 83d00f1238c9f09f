import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ExportRow } from '../port/books.ts';
import { csvHeader, csvLine, exportColumnNames, jsonLine } from './export.ts';

const context = { gatewayAsset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' };
const row: ExportRow = {
  reconciliationKey: 'rec_0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d',
  receiptId: 'rcpt_01JKZ3M6Q2V8R4T7W9Y1A3C5E7',
  requestId: 'req_01JKZ3M6Q2V8R4T7W9Y1A3C5E7',
  responseId: 'resp_01JKZ3M6Q2V8R4T7W9Y1A3C5E8',
  createdMs: Date.UTC(2026, 1, 7, 10, 0, 0),
  updatedMs: Date.UTC(2026, 1, 7, 10, 0, 2),
  settledMs: null,
  routeUri: 'GET /v1/readiness',
  tool: null,
  sourceDate: '2026-02-07',
  artifactVersion: '2026-02-07+0f3c4a5d6e7b',
  settlementMode: 'gateway_batched',
  chargeStatus: 'queued_for_batch',
  provider: 'gateway_batched',
  network: 'eip155:8453',
  domainContract: '0x77777777dcc4d5a8b6e418fd04d8997ef11000ee',
  quotedMicro: 40_000,
  chargedMicro: 40_000,
  refundedMicro: 0,
  grantId: null,
  grantProgram: null,
  grantDebitMicro: 0,
  payerIdentity: 'eip155:8453:0x1111111111111111111111111111111111111111',
  claimKey: new Uint8Array(32).fill(15),
  authorizationHash: '0f'.repeat(32),
  gatewayTransferId: '4f2c…',
  batchId: null,
  settlementTxHash: null,
  refundReference: null,
  failureReason: null,
  delivery: 'delivered',
  replayCount: 2,
  apiKeyId: null,
  qualityFlags: ['settlement_not_confirmed', 'replayed'],
  routeId: 'R01',
  fingerprint: new Uint8Array(32),
  artifactKey: 'readiness/2026-02-07.json',
  handoffMs: null,
  replayUntilMs: null,
  actor: 'handler',
  reason: 'settled',
  externalRef: null,
};

test('the columns of I5.32 in their order', () => {
  expect(csvHeader).toBe(
    'reconciliation_key,receipt_id,request_id,response_id,created_at_utc,updated_at_utc,settled_at_utc,route_uri,' +
      'tool,source_date,artifact_version,billing_mode,settlement_mode,charge_status,provider,network,asset,' +
      'quoted_micro_usd,charged_micro_usd,refunded_micro_usd,grant_id,grant_program,grant_debit_micro_usd,' +
      'payer_identity,payment_authorization_hash,gateway_transfer_id,batch_id,settlement_tx_hash,refund_reference,' +
      'failure_reason,delivery_status,replay_count,api_key_id,quality_flags\r\n',
  );
});

test('a row in both formats; a gateway transfer names its token, not the wallet contract (P8.60)', () => {
  expect(csvLine(row, context)).toContain(
    `2026-02-07T10:00:00Z,2026-02-07T10:00:02Z,,GET /v1/readiness,,2026-02-07,2026-02-07+0f3c4a5d6e7b,x402,gateway_batched,queued_for_batch,gateway_batched,eip155:8453,${context.gatewayAsset},40000,40000,0,,,0,`,
  );
  expect(JSON.parse(jsonLine(row, context))).toMatchObject({
    created_at_utc: '2026-02-07T10:00:00Z',
    settled_at_utc: null,
    charged_micro_usd: 40_000,
    quality_flags: ['settlement_not_confirmed', 'replayed'],
  });
  expect(Object.keys(JSON.parse(jsonLine(row, context)))).toEqual(exportColumnNames);
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1+1', '＠SUM(A1)', '"=1"', 'a,b', 'x\r\ny'])(
  'the cell %j is read back and starts no formula (S30)',
  (text) => {
    const [cells] = parse(csvLine({ ...row, failureReason: text }, context)) as string[][];
    const cell = cells?.[exportColumnNames.indexOf('failure_reason')] ?? '';
    expect([text, `'${text}`]).toContain(cell);
    expect(cell).not.toMatch(/^[=+\-@\t＝＋－＠]/);
  },
);

test('every text gives one CSV row of all columns and one JSON line (S30)', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const odd = { ...row, failureReason: text, payerIdentity: text };
      expect((parse(csvLine(odd, context)) as string[][])[0]).toHaveLength(exportColumnNames.length);
      expect(jsonLine(odd, context).split('\n')).toHaveLength(2);
      expect((JSON.parse(jsonLine(odd, context)) as Record<string, unknown>)['failure_reason']).toBe(text);
    }),
  );
});
