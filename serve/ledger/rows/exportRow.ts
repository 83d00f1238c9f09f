import type { ExportRow } from '../port/books.ts';
import type { Provider } from '../port/payment.ts';
import { type RawRow, wholeNumber } from './columns.ts';
import { receiptRow } from './rows.ts';

/** A receipt joined with its payment, grant and debit (P8.60). */
export function exportRow(row: RawRow): ExportRow {
  const receipt = receiptRow(row);
  const { claimKey } = receipt;
  const debited = row['debit_state'] === 'debited';
  return {
    reconciliationKey: receipt.reconciliationKey,
    receiptId: receipt.receiptId,
    requestId: receipt.requestId,
    responseId: receipt.responseId,
    createdMs: receipt.createdMs,
    updatedMs: receipt.updatedMs,
    settledMs: receipt.settledMs,
    routeUri: receipt.routeUri,
    tool: receipt.tool,
    sourceDate: receipt.sourceDate,
    artifactVersion: receipt.artifactVersion,
    settlementMode: receipt.settlementMode,
    chargeStatus: receipt.chargeStatus,
    provider: (row['provider'] ?? null) as Provider | null,
    network: (row['network'] ?? null) as string | null,
    domainContract: (row['domain_contract'] ?? null) as string | null,
    quotedMicro: receipt.quotedMicro,
    chargedMicro: receipt.chargedMicro,
    refundedMicro: receipt.refundedMicro,
    grantId: receipt.grantId,
    grantProgram: (row['program'] ?? null) as string | null,
    grantDebitMicro: debited ? wholeNumber(row['debit_micro']) : 0,
    payerIdentity: receipt.payerIdentity,
    authorizationHash: claimKey === null ? null : Buffer.from(claimKey).toString('hex'),
    gatewayTransferId: receipt.gatewayTransferId,
    batchId: receipt.batchId,
    settlementTxHash: receipt.settlementTxHash,
    refundReference: receipt.refundReference,
    failureReason: receipt.failureReason,
    delivery: receipt.delivery,
    replayCount: receipt.replayCount,
    apiKeyId: receipt.apiKeyId,
    qualityFlags: receipt.qualityFlags,
  };
}
