import { expect, test } from 'vitest';
import type { ExportRow } from '../port/books.ts';
import { type ChainProvider, chainCheck } from './chainCheck.ts';

const hour = 3_600_000;
const window = { fromMs: 100 * hour, toMs: 148 * hour };
const payer = '0x1111111111111111111111111111111111111111';

function row(exportRow: Partial<ExportRow>): ExportRow {
  const settledMs = 120 * hour;
  return {
    provider: 'x402_exact',
    chargeStatus: 'settled',
    quotedMicro: 40_000,
    payerIdentity: `eip155:8453:${payer}`,
    createdMs: settledMs,
    settledMs,
    ...exportRow,
  } as ExportRow;
}

async function problems(
  rows: ExportRow[],
  transfers: { txHash: string; from: string; value: bigint }[],
  provider: ChainProvider = 'x402_exact',
) {
  const ledger = {
    export: async function* () {
      yield* rows;
    },
  };
  const found = await chainCheck({ ledger, provider, transfers, ...window });
  return found.map((p) => `${p.rule} ${p.subject}`);
}

test('what balances is quiet, letter case apart (P8.55)', async () => {
  const rows = [row({ receiptId: 'a', settlementTxHash: '0xAB' })];
  expect(
    await problems(rows, [{ txHash: '0xab', from: payer.toUpperCase().replace('0X', '0x'), value: 40_000n }]),
  ).toEqual([]);
});

test('a transfer without receipt, a receipt without transfer, another amount', async () => {
  const rows = [
    row({ receiptId: 'no-transfer', settlementTxHash: '0x1' }),
    row({ receiptId: 'other-amount', settlementTxHash: '0x2' }),
    row({ receiptId: 'refunded', settlementTxHash: '0x3', chargeStatus: 'refunded' }),
    row({ receiptId: 'failed', settlementTxHash: null, chargeStatus: 'failed' }),
    row({ receiptId: 'batched', settlementTxHash: null, provider: 'gateway_batched' }),
    // settled before the window, its transfer lies outside as well
    row({ receiptId: 'earlier', settlementTxHash: '0x4', settledMs: 99 * hour }),
  ];
  const transfers = [
    { txHash: '0x2', from: payer, value: 39_999n },
    { txHash: '0x3', from: payer, value: 40_000n },
    { txHash: '0x5', from: payer, value: 40_000n },
    // one receipt answers for one transfer
    { txHash: '0x3', from: payer, value: 40_000n },
  ];
  expect(await problems(rows, transfers)).toEqual([
    'transfer_equals_charge other-amount',
    'transfer_has_receipt 0x5',
    'transfer_has_receipt 0x3',
    'receipt_has_transfer no-transfer',
  ]);
});

test('an MPP payment is found by its transaction alone, since its receipt need not name who sent it (I5.46)', async () => {
  const mpp = (receiptId: string, settlementTxHash: string, payerIdentity: string | null) =>
    row({ receiptId, settlementTxHash, payerIdentity, provider: 'mpp' });
  const rows = [
    mpp('unnamed', '0x1', null),
    mpp('named', '0x2', `did:pkh:eip155:1337:${payer}`),
    mpp('no-transfer', '0x3', null),
    row({ receiptId: 'other rail', settlementTxHash: '0x4' }),
  ];
  const transfers = [
    { txHash: '0x1', from: payer, value: 40_000n },
    { txHash: '0x2', from: payer, value: 40_001n },
    { txHash: '0x5', from: payer, value: 40_000n },
  ];
  expect(await problems(rows, transfers, 'mpp')).toEqual([
    'transfer_equals_charge named',
    'transfer_has_receipt 0x5',
    'receipt_has_transfer no-transfer',
  ]);
});
