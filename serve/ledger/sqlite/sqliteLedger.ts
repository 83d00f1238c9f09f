import type { DatabaseSync } from 'node:sqlite';
import type {
  ApiKeyInfo,
  ApiKeyRecord,
  KeyAdmin,
  KeyScope,
  LedgerLog,
  LedgerTime,
  UnchargedLedger,
} from '../ledger.ts';
import { checkSchema } from './applySchema.ts';
import { type CommitReport, groupCommit } from './groupCommit.ts';
import { openDatabase } from './openDatabase.ts';
import { type SpawnWriter, threadWriter } from './spawnWriter.ts';

/**
 * The embedded ledger (PAYMENTS 8.B): one file, one writer thread with group commit, one read-only connection
 * on this thread. `onFatal` has to end the process (P8.10).
 */
export function sqliteLedger(o: {
  path: string;
  time: LedgerTime;
  log: LedgerLog;
  onFatal: (error: Error) => void;
  onCommit?: (report: CommitReport) => void;
  spawn?: SpawnWriter;
}): UnchargedLedger {
  const spawn = o.spawn ?? threadWriter({ path: o.path });
  const writes = groupCommit({ spawn, time: o.time, log: o.log, onFatal: o.onFatal, onCommit: o.onCommit });
  let reader: DatabaseSync | null = null;

  function openReader(): DatabaseSync {
    if (reader !== null) return reader;
    throw new Error('the ledger is not open');
  }

  const keys: KeyAdmin = {
    create: async (key) => keyCreated(await writes.submit({ kind: 'create_key', key })),
    records: async () => openReader().prepare(selectKeys).all().map(keyRecord),
    list: async () => openReader().prepare(selectKeys).all().map(keyInfo),
    revoke: async ({ keyId, atMs }) => keyRevoked(await writes.submit({ kind: 'revoke_key', keyId, atMs })),
    noteUsed: (uses) => {
      for (const { keyId, atMs } of uses) writes.handOver({ kind: 'key_used', keyId, atMs });
    },
  };

  return {
    keys,
    open: async () => {
      await writes.open();
      try {
        reader = openDatabase({ path: o.path, mode: 'read' });
        checkSchema(reader);
      } catch (error) {
        await writes.close();
        throw error;
      }
    },
    close: async () => {
      // a reader left open would keep the last checkpoint from truncating the WAL
      reader?.close();
      reader = null;
      await writes.close();
    },
    health: async () => writes.health(),
    noteNotCharged: (receipt) => {
      // a view would carry the whole memory behind it to the writer
      const { fingerprint } = receipt;
      const alone = fingerprint.byteLength === fingerprint.buffer.byteLength;
      const own = alone ? receipt : { ...receipt, fingerprint: new Uint8Array(fingerprint) };
      writes.handOverReceipt({ kind: 'receipt', receipt: own, delivery: 'pending' });
    },
    delivered: (receiptId, delivery) => {
      const waiting = writes.waitingReceipt(receiptId);
      // a receipt still in the queue is inserted with its final state: one statement instead of two
      if (waiting !== null) waiting.delivery = delivery;
      else writes.handOver({ kind: 'delivery', receiptId, delivery });
    },
  };
}

const selectKeys = `
  SELECT key_id, salt, secret_hash, label, scopes, created_ms, created_by, expires_ms, revoked_ms, replaced_by,
    last_used_ms
  FROM api_keys ORDER BY created_ms, key_id`;

type Row = Record<string, unknown>;

function keyInfo(row: Row): ApiKeyInfo {
  return {
    keyId: String(row['key_id']),
    label: String(row['label']),
    scopes: JSON.parse(String(row['scopes'])) as KeyScope[],
    createdMs: Number(row['created_ms']),
    createdBy: String(row['created_by']),
    expiresMs: numberOrNull(row['expires_ms']),
    revokedMs: numberOrNull(row['revoked_ms']),
    replacedBy: row['replaced_by'] === null ? null : String(row['replaced_by']),
    lastUsedMs: numberOrNull(row['last_used_ms']),
  };
}

function keyRecord(row: Row): ApiKeyRecord {
  return { ...keyInfo(row), salt: row['salt'] as Uint8Array, secretHash: row['secret_hash'] as Uint8Array };
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}

function keyCreated(word: string): 'created' | 'key_id_taken' | 'unknown_predecessor' {
  if (word === 'created' || word === 'key_id_taken' || word === 'unknown_predecessor') return word;
  throw new Error(`the writer answered create_key with ${word}`);
}

function keyRevoked(word: string): 'revoked' | 'already_revoked' | 'unknown' {
  if (word === 'revoked' || word === 'already_revoked' || word === 'unknown') return word;
  throw new Error(`the writer answered revoke_key with ${word}`);
}
