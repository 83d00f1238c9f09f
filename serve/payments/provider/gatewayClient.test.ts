import { expect, test } from 'vitest';
import { gatewayReader } from './gatewayClient.ts';

const id = '4f2c0a1e-0000-4000-8000-000000000001';
const found = (batchId: unknown) => ({
  id,
  status: 'completed',
  fromAddress: '0xA1',
  toAddress: '0xB2',
  amount: 40_000,
  createdAt: '2026-02-07T10:00:00Z',
  batchId,
});
const readerOf = (json: unknown) =>
  gatewayReader({ call: async () => ({ kind: 'answer', status: 200, json }) });

test.each([
  ['batch-7', 'batch-7'],
  // PostgreSQL stores no NUL and no half of a pair: the transfer could never be written as settled
  ['batch\u0000-\ud8007\u202e', 'batch-7'],
  ['\u001b[31mred', '[31mred'],
  ['x'.repeat(500), 'x'.repeat(128)],
  [null, null],
  [undefined, null],
])('the batch %j of a transfer is passed on as %j', async (batchId, shown) => {
  expect((await readerOf(found(batchId)).transfer(id))?.batchId).toBe(shown);
});

test('a transfer under another id, or with a batch that is no text, is none', async () => {
  expect(await readerOf(found('b')).transfer(id.replace('1', '2'))).toBeNull();
  expect(await readerOf(found(7)).transfer(id)).toBeNull();
});
