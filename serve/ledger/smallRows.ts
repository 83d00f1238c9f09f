import type { LedgerOverview } from './port/books.ts';
import type { GrantEvent } from './port/grant.ts';
import type { ApiKeyInfo, ApiKeyRecord, KeyScope } from './port/key.ts';
import type { Provider, WatchEntry } from './port/payment.ts';
import type { ChargeStatus, SettlementMode } from './port/receipt.ts';
import { type RawRow, wholeNumber } from './rows.ts';

/** A row of `grant_events`. */
export function grantEventRow(row: RawRow): GrantEvent {
  return {
    kind: String(row['kind']),
    detail: String(row['detail']),
    actor: String(row['actor']),
    atMs: wholeNumber(row['at_ms']),
  };
}

/** A row of `payer_watchlist`. */
export function watchRow(row: RawRow): WatchEntry {
  return {
    payer: String(row['payer']),
    provider: row['provider'] as Provider,
    reason: String(row['reason']),
    receiptId: row['receipt_id'] === null ? null : String(row['receipt_id']),
    addedMs: wholeNumber(row['added_ms']),
  };
}

/** A row of `api_keys`. */
export function keyRecord(row: RawRow): ApiKeyRecord {
  const optional = (value: unknown) => (value === null ? null : wholeNumber(value));
  const scopes = row['scopes'];
  return {
    keyId: String(row['key_id']),
    label: String(row['label']),
    scopes: (typeof scopes === 'string' ? JSON.parse(scopes) : scopes) as KeyScope[],
    createdMs: wholeNumber(row['created_ms']),
    createdBy: String(row['created_by']),
    expiresMs: optional(row['expires_ms']),
    revokedMs: optional(row['revoked_ms']),
    revokedBy: row['revoked_by'] === null ? null : String(row['revoked_by']),
    replacedBy: row['replaced_by'] === null ? null : String(row['replaced_by']),
    lastUsedMs: optional(row['last_used_ms']),
    salt: row['salt'] as Uint8Array,
    secretHash: row['secret_hash'] as Uint8Array,
  };
}

/** The counts of P9.14 from the rows of four queries. */
export function overviewOf(o: {
  receipts: readonly RawRow[];
  jobs: readonly RawRow[];
  undelivered: unknown;
  oldestJob: unknown;
}): LedgerOverview {
  const receipts = o.receipts.map((row) => ({
    mode: row['settlement_mode'] as SettlementMode,
    status: row['charge_status'] as ChargeStatus,
    count: wholeNumber(row['n']),
    chargedMicro: wholeNumber(row['micro']),
  }));
  const open = receipts.filter((r) => r.status === 'authorized' || r.status === 'submitted');
  return {
    receipts,
    jobs: o.jobs.map((row) => ({ state: String(row['state']), count: wholeNumber(row['n']) })),
    unresolved: open.reduce((sum, r) => sum + r.count, 0),
    undelivered: wholeNumber(o.undelivered ?? 0),
    oldestJobMs: o.oldestJob === null || o.oldestJob === undefined ? null : wholeNumber(o.oldestJob),
  };
}

/** What may be shown of a key. */
export function keyInfo(record: ApiKeyRecord): ApiKeyInfo {
  const { salt: _salt, secretHash: _hash, ...info } = record;
  return info;
}
