import { instant } from '../../../data/contract/values/instant.ts';
import type { ExportRow } from '../port/books.ts';
import type { Provider } from '../port/payment.ts';
import type { SettlementMode } from '../port/receipt.ts';
import { type RawRow, wholeNumber } from '../rows/columns.ts';
import { receiptRow } from '../rows/tables.ts';
import { statement } from '../steps/steps.ts';

/** The rows of the reconciliation export from `$1` up to, not including, `$2`, in epoch milliseconds (P8.60). */
export const exportRows = statement(`SELECT r.*, p.provider, p.network, p.domain_contract, g.program,
    d.amount_micro AS debit_micro, d.state AS debit_state
  FROM receipts r LEFT JOIN payments p ON p.claim_key = r.claim_key
    LEFT JOIN grants g ON g.grant_id = r.grant_id LEFT JOIN grant_debits d ON d.receipt_id = r.receipt_id
  WHERE r.created_ms >= $1 AND r.created_ms < $2 ORDER BY r.created_ms, r.receipt_id`);

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

// the reconciliation export in its two formats (I5.31, I5.32)

type Cell = string | number | null | readonly string[];

const billingModes: Readonly<Record<SettlementMode, string>> = {
  x402_direct: 'x402',
  gateway_batched: 'x402',
  shadow_unsettled: 'x402',
  mpp: 'mpp',
  grant_covered: 'identity_credit',
  api_key_not_charged: 'api_key_not_charged',
};

/** What the rows alone do not know: the token behind a gateway transfer (P8.60). */
type ExportContext = { readonly gatewayAsset: string };

/** Columns in order, with how each reads its cell. */
const columns: readonly (readonly [string, (row: ExportRow, context: ExportContext) => Cell])[] = [
  ['reconciliation_key', (r) => r.reconciliationKey],
  ['receipt_id', (r) => r.receiptId],
  ['request_id', (r) => r.requestId],
  ['response_id', (r) => r.responseId],
  ['created_at_utc', (r) => instantText(r.createdMs)],
  ['updated_at_utc', (r) => instantText(r.updatedMs)],
  ['settled_at_utc', (r) => instantText(r.settledMs)],
  ['route_uri', (r) => r.routeUri],
  ['tool', (r) => r.tool],
  ['source_date', (r) => r.sourceDate],
  ['artifact_version', (r) => r.artifactVersion],
  ['billing_mode', (r) => billingModes[r.settlementMode]],
  ['settlement_mode', (r) => r.settlementMode],
  ['charge_status', (r) => r.chargeStatus],
  ['provider', (r) => r.provider],
  ['network', (r) => r.network],
  ['asset', (r, c) => (r.provider === 'gateway_batched' ? c.gatewayAsset : r.domainContract)],
  ['quoted_micro_usd', (r) => r.quotedMicro],
  ['charged_micro_usd', (r) => r.chargedMicro],
  ['refunded_micro_usd', (r) => r.refundedMicro],
  ['grant_id', (r) => r.grantId],
  ['grant_program', (r) => r.grantProgram],
  ['grant_debit_micro_usd', (r) => r.grantDebitMicro],
  ['payer_identity', (r) => r.payerIdentity],
  ['payment_authorization_hash', (r) => r.authorizationHash],
  ['gateway_transfer_id', (r) => r.gatewayTransferId],
  ['batch_id', (r) => r.batchId],
  ['settlement_tx_hash', (r) => r.settlementTxHash],
  ['refund_reference', (r) => r.refundReference],
  ['failure_reason', (r) => r.failureReason],
  ['delivery_status', (r) => r.delivery],
  ['replay_count', (r) => r.replayCount],
  ['api_key_id', (r) => r.apiKeyId],
  ['quality_flags', (r) => r.qualityFlags],
];

/** Names of the columns in their order. */
export const exportColumnNames: readonly string[] = columns.map(([name]) => name);

/** The header row of the CSV, ended with CRLF. */
export const csvHeader = `${exportColumnNames.join(',')}\r\n`;

/** One CSV row (RFC 4180) ended with CRLF; no cell starts a formula (S30). */
export function csvLine(row: ExportRow, context: ExportContext): string {
  return `${columns.map(([, cell]) => csvCell(cell(row, context))).join(',')}\r\n`;
}

/** One JSON object with the same names, ended with a line feed. */
export function jsonLine(row: ExportRow, context: ExportContext): string {
  const object = Object.fromEntries(columns.map(([name, cell]) => [name, cell(row, context)]));
  return `${JSON.stringify(object)}\n`;
}

/** An instant to the second, as every answer shows it; null stays null. */
export function instantText(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = typeof cell === 'string' ? cell : cell.join('|');
  // a tab or a line end in front of the sign starts a formula as well, and so does a sign in full width
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
