import { type ExportRow, exportTable } from '../port/books.ts';
import type { SettlementMode } from '../port/receipt.ts';
import { inOrder, rowReader, rowShown, type Shown } from '../rows/columns.ts';
import { statement } from '../steps/steps.ts';

/** The rows of the reconciliation export from `$1` up to, not including, `$2`, in epoch milliseconds (P8.60). */
export const exportRows =
  statement(`SELECT r.*, p.provider, p.network, p.domain_contract, g.program AS grant_program,
    CASE WHEN d.state = 'debited' THEN d.amount_micro ELSE 0 END AS grant_debit_micro
  FROM receipts r LEFT JOIN payments p ON p.claim_key = r.claim_key
    LEFT JOIN grants g ON g.grant_id = r.grant_id LEFT JOIN grant_debits d ON d.receipt_id = r.receipt_id
  WHERE r.created_ms >= $1 AND r.created_ms < $2 ORDER BY r.created_ms, r.receipt_id`);

export const exportRow = rowReader(exportTable);

// the reconciliation export in its two formats (I5.31, I5.32)

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

const columnNames = `reconciliation_key receipt_id request_id response_id created_at_utc updated_at_utc settled_at_utc
  route_uri tool source_date artifact_version billing_mode settlement_mode charge_status provider network asset
  quoted_micro_usd charged_micro_usd refunded_micro_usd grant_id grant_program grant_debit_micro_usd payer_identity
  payment_authorization_hash gateway_transfer_id batch_id settlement_tx_hash refund_reference failure_reason
  delivery_status replay_count api_key_id quality_flags`;

/** Names of the columns in their order. */
export const exportColumnNames: readonly string[] = Object.keys(inOrder({}, columnNames));

const shownRow = rowShown(exportTable, { claim_key: 'payment_authorization_hash' });

function shown(row: ExportRow, context: ExportContext): Record<string, Shown> {
  const all = {
    ...shownRow(row),
    billing_mode: billingModes[row.settlementMode],
    asset: row.provider === 'gateway_batched' ? context.gatewayAsset : row.domainContract,
  };
  return inOrder(all, columnNames);
}

/** The header row of the CSV, ended with CRLF. */
export const csvHeader = `${exportColumnNames.join(',')}\r\n`;

/** One CSV row (RFC 4180) ended with CRLF; no cell starts a formula (S30). */
export function csvLine(row: ExportRow, context: ExportContext): string {
  return `${Object.values(shown(row, context)).map(csvCell).join(',')}\r\n`;
}

/** One JSON object with the same names, ended with a line feed. */
export function jsonLine(row: ExportRow, context: ExportContext): string {
  return `${JSON.stringify(shown(row, context))}\n`;
}

function csvCell(cell: Shown): string {
  if (cell === null) return '';
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  const text = typeof cell === 'string' ? cell : cell.join('|');
  // a tab or a line end in front of the sign starts a formula as well, and so does a sign in full width
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
