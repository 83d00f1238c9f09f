import type { KeyAdmin, NewApiKey } from '../port/key.ts';
import { statement } from '../steps/statement.ts';
import { changesOf, firstOf, notify, rowsOf, type Steps, UniqueViolated } from '../steps/steps.ts';

/** The statements of API keys (P6.2, P6.5). */
export const keyWriteStatements = {
  insert:
    statement(`INSERT INTO api_keys (key_id, salt, secret_hash, label, scopes, created_ms, created_by, expires_ms)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`),
  setReplacedBy: statement('UPDATE api_keys SET replaced_by = $1 WHERE key_id = $2'),
  isKnown: statement('SELECT 1 AS found FROM api_keys WHERE key_id = $1'),
  revoke: statement(`UPDATE api_keys SET revoked_ms = $1, revoked_by = $2
    WHERE key_id = $3 AND revoked_ms IS NULL RETURNING key_id`),
} as const;

const { insert, setReplacedBy, isKnown, revoke } = keyWriteStatements;

export function* createKey(key: NewApiKey): Steps<'created' | 'key_id_taken' | 'unknown_predecessor'> {
  const { keyId, salt, secretHash, label, createdMs, createdBy, expiresMs, replaces } = key;
  if (replaces !== null && (yield* firstOf(isKnown, replaces)) === null) return 'unknown_predecessor';
  const scopes = JSON.stringify(key.scopes);
  try {
    // without RETURNING: SQLite would look for receipts of the new key
    yield* rowsOf(insert, keyId, salt, secretHash, label, scopes, createdMs, createdBy, expiresMs);
  } catch (error) {
    if (error instanceof UniqueViolated) return 'key_id_taken';
    throw error;
  }
  if (replaces !== null) yield* rowsOf(setReplacedBy, keyId, replaces);
  yield* notify('api_key', keyId);
  return 'created';
}

export function* revokeKey(
  asked: Parameters<KeyAdmin['revoke']>[0],
): Steps<'revoked' | 'already_revoked' | 'unknown'> {
  const { keyId, as, atMs } = asked;
  if ((yield* changesOf(revoke, atMs, as, keyId)) === 0) {
    return (yield* firstOf(isKnown, keyId)) === null ? 'unknown' : 'already_revoked';
  }
  yield* notify('api_key', keyId);
  return 'revoked';
}
