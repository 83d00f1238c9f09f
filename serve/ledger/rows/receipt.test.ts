import { expect, test } from 'vitest';
import { notChargedRow, reconciliationKeyOfResponse } from './receipt.ts';

test('a key-paid answer reconciles by the hash of req: and its response id (I5.49)', () => {
  // printf 'req:resp_01JKZ3M6Q2V8R4T7W9Y1A3C5E8' | sha256sum
  expect(reconciliationKeyOfResponse('resp_01JKZ3M6Q2V8R4T7W9Y1A3C5E8')).toBe(
    'rec_0712d03701946a53fd4049f83a855193',
  );
});

test('the row of an uncharged receipt shows not_charged, nothing charged, and one time (I3.11)', () => {
  const row = notChargedRow({
    receiptId: 'rcpt_01JKZ3M6Q2V8R4T7W9Y1A3C5E7',
    reconciliationKey: 'rec_00000000000000000000000000000000',
    responseId: 'resp_01JKZ3M6Q2V8R4T7W9Y1A3C5E8',
    requestId: 'req_01JKZ3M6Q2V8R4T7W9Y1A3C5E7',
    routeId: 'R01',
    routeUri: 'GET /v1/readiness',
    fingerprint: new Uint8Array(32),
    settlementMode: 'api_key_not_charged',
    quotedMicro: 40_000,
    payerIdentity: 'apikey:ABCDEFGHIJ',
    apiKeyId: 'ABCDEFGHIJ',
    artifactKey: 'readiness/2026-02-07.json',
    artifactVersion: '2026-02-07+0f3c4a5d6e7b',
    sourceDate: '2026-02-07',
    qualityFlags: ['gateway_not_used'],
    actor: 'handler',
    createdMs: 1_770_458_400_000,
  });
  expect(row).toMatchObject({ chargeStatus: 'not_charged', quotedMicro: 40_000, chargedMicro: 0 });
  expect(row.updatedMs).toBe(row.createdMs);
});
