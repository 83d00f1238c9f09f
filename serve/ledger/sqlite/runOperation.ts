import type { DatabaseSync } from 'node:sqlite';
import { runCall, writerCalls } from './calls/writerCalls.ts';
import { type Operation, stored } from './writerProtocol.ts';

/**
 * Prepares the statements of every operation on the write connection and returns the function that runs one.
 * It answers with the value the caller waits for and throws what the database throws.
 */
export function operationRunner(database: DatabaseSync): (operation: Operation) => unknown {
  const calls = writerCalls(database);
  // a receipt that is there already is the same receipt: sent again after a writer's death (P8.10)
  const insertReceipt = database.prepare(`
    INSERT INTO receipts (receipt_id, reconciliation_key, response_id, request_id, route_id, route_uri, fingerprint,
      settlement_mode, charge_status, quoted_micro, payer_identity, api_key_id, artifact_key, artifact_version,
      source_date, delivery_status, quality_flags, actor, reason, created_ms, updated_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'not_charged', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (receipt_id) DO NOTHING`);
  const setDelivery = database.prepare(
    "UPDATE receipts SET delivery_status = ? WHERE receipt_id = ? AND delivery_status <> 'delivered'",
  );
  const setUsed = database.prepare(
    'UPDATE api_keys SET last_used_ms = max(coalesce(last_used_ms, 0), ?) WHERE key_id = ?',
  );
  const insertKey = database.prepare(`
    INSERT INTO api_keys (key_id, salt, secret_hash, label, scopes, created_ms, created_by, expires_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key_id) DO NOTHING`);
  const setReplacedBy = database.prepare('UPDATE api_keys SET replaced_by = ? WHERE key_id = ?');
  const hasKey = database.prepare('SELECT revoked_ms FROM api_keys WHERE key_id = ?');
  const setRevoked = database.prepare(
    'UPDATE api_keys SET revoked_ms = ?, revoked_by = ? WHERE key_id = ? AND revoked_ms IS NULL',
  );

  return (operation) => {
    switch (operation.kind) {
      case 'receipt': {
        const r = operation.receipt;
        insertReceipt.run(
          r.receiptId,
          r.reconciliationKey,
          r.responseId,
          r.requestId,
          r.routeId,
          r.routeUri,
          r.fingerprint,
          r.settlementMode,
          r.quotedMicro,
          r.payerIdentity,
          r.settlementMode === 'api_key_not_charged' ? r.apiKeyId : null,
          r.artifactKey,
          r.artifactVersion,
          r.sourceDate,
          operation.delivery,
          JSON.stringify(r.qualityFlags),
          r.actor,
          r.settlementMode === 'api_key_not_charged' ? 'api_key' : 'shadow',
          r.createdMs,
          r.createdMs,
        );
        return stored;
      }
      case 'delivery':
        setDelivery.run(operation.delivery, operation.receiptId);
        return stored;
      case 'key_used':
        setUsed.run(operation.atMs, operation.keyId);
        return stored;
      case 'create_key': {
        const k = operation.key;
        if (k.replaces !== null && hasKey.get(k.replaces) === undefined) return 'unknown_predecessor';
        const scopes = JSON.stringify(k.scopes);
        const { changes } = insertKey.run(
          k.keyId,
          k.salt,
          k.secretHash,
          k.label,
          scopes,
          k.createdMs,
          k.createdBy,
          k.expiresMs,
        );
        if (changes === 0) return 'key_id_taken';
        if (k.replaces !== null) setReplacedBy.run(k.keyId, k.replaces);
        return 'created';
      }
      case 'call': {
        const value = runCall(calls, operation);
        return value === undefined ? stored : value;
      }
      case 'revoke_key': {
        if (setRevoked.run(operation.atMs, operation.as, operation.keyId).changes === 1) return 'revoked';
        return hasKey.get(operation.keyId) === undefined ? 'unknown' : 'already_revoked';
      }
    }
  };
}
