import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkBooks } from '../reads/sqliteBooks.ts';
import { applySchema, schemaInForce } from './applySchema.ts';
import { openDatabase } from './openDatabase.ts';

let directory: string;
let database: DatabaseSync;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  database = openDatabase({ path: join(directory, 'ledger.db'), mode: 'write' });
});
afterEach(() => {
  database.close();
  rmSync(directory, { recursive: true });
});

test('a trigger that was dropped is missed by the check of the books, until it is back (S11)', () => {
  applySchema(database);
  expect(checkBooks(database).problems).toEqual([]);
  const { sql } = database
    .prepare("SELECT sql FROM sqlite_schema WHERE name = 'receipt_events_no_update'")
    .get() as { sql: string };
  database.exec('DROP TRIGGER receipt_events_no_update');
  expect(checkBooks(database).problems).toEqual([
    { rule: 'schema_in_force', subject: 'trigger receipt_events_no_update', detail: 'missing' },
  ]);
  database.exec(sql);
  expect(checkBooks(database).problems).toEqual([]);
});

test('a rule that reads otherwise, an index that is gone and an unknown trigger are named', () => {
  applySchema(database);
  database.exec(`DROP TRIGGER payments_no_delete;
    CREATE TRIGGER payments_no_delete BEFORE DELETE ON payments WHEN OLD.payer = '' BEGIN SELECT RAISE(ABORT, 'append_only'); END;
    DROP INDEX receipts_transfer;
    CREATE TRIGGER quiet AFTER INSERT ON receipts BEGIN UPDATE receipts SET replay_count = 9; END;
    CREATE INDEX reports ON receipts (route_id);`);
  expect(schemaInForce(database).map(({ subject, detail }) => `${subject} ${detail}`)).toEqual([
    'index receipts_transfer missing',
    'trigger payments_no_delete changed',
    'trigger quiet unknown',
  ]);
});

test('a start puts no rule back that was taken out: the check has to name it', () => {
  applySchema(database);
  database.exec('DROP TRIGGER grant_events_no_delete');
  expect(applySchema(database)).toBe('present');
  expect(schemaInForce(database)).toHaveLength(1);
});

test('a journal row is not replaced on a connection that fires no delete triggers either (S11)', () => {
  applySchema(database);
  database.exec('PRAGMA recursive_triggers = OFF');
  database.exec(`INSERT INTO receipt_events VALUES (1, 'rcpt_1', '', 'not_charged', 'handler', 'shadow', NULL, 1);
    INSERT INTO grant_events VALUES (1, 'g', 'created', '1', 'operator:ada', 1)`);
  for (const sql of [
    "INSERT OR REPLACE INTO receipt_events VALUES (1, 'rcpt_1', '', 'authorized', 'handler', 'forged', NULL, 1)",
    "REPLACE INTO grant_events VALUES (1, 'g', 'created', '2', 'operator:eve', 1)",
  ])
    expect(() => database.exec(sql)).toThrow(/append_only/);
  database.exec(
    "INSERT INTO grant_events (grant_id, kind, detail, actor, at_ms) VALUES ('g', 'status', 'a>b', 'operator:ada', 2)",
  );
  expect(database.prepare('SELECT max(event_id) AS n FROM grant_events').get()).toEqual({ n: 2 });
});
