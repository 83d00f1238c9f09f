import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { olderLedger } from '../../../../fixtures/rigs/ledger/olderLedger.ts';
import { checkBooks } from '../reads/sqliteBooks.ts';
import { ledgerVersion } from '../schema/applySchema.ts';
import { upgradeLedger } from './upgradeLedger.ts';

const program = fileURLToPath(
  new URL('../../../../fixtures/rigs/ledger/ledgerUpgradeChild.ts', import.meta.url),
);

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

type Seen = { readonly version: string; readonly rows: readonly unknown[] };

/** What the next process finds, which rolls back what was not committed. */
function seenIn(path: string): Seen {
  const database = new DatabaseSync(path);
  try {
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(checkBooks(database).problems).toEqual([]);
    const rows = database
      .prepare(
        `SELECT r.*, p.phase, p.payload_hash, p.updated_ms, (SELECT count(*) FROM receipt_events e WHERE e.receipt_id = r.receipt_id)
          FROM receipts r LEFT JOIN payments p USING (claim_key) ORDER BY receipt_id`,
      )
      .all();
    return { version: ledgerVersion(database), rows };
  } finally {
    database.close();
  }
}

/** Kills an upgrade of a fresh copy of a ledger, looks at what is left, and upgrades it. */
async function killed(input: {
  original: string;
  rows: readonly unknown[];
  kind: 'step' | 'log';
  bound: number;
}): Promise<{ readonly signal: string | null; readonly version: string }> {
  const place = join(directory, `${input.kind}-${input.bound}`);
  mkdirSync(place);
  const path = join(place, 'ledger.db');
  copyFileSync(input.original, path);
  const child = spawnSync(process.execPath, [program, path, input.kind, String(input.bound)], {
    encoding: 'utf8',
  });
  expect([child.signal, child.stdout]).toEqual(child.signal === null ? [null, 'done\n'] : ['SIGKILL', '']);
  const { version, rows } = seenIn(path);
  expect(rows).toEqual(input.rows);
  // a second later: the backup of the first attempt may have its name
  await upgradeLedger({ path, backup: null, nowMs: Date.now() + 1000 });
  expect(seenIn(path)).toEqual({ version: '2', rows: input.rows });
  rmSync(place, { recursive: true });
  return { signal: child.signal, version };
}

test('SIGKILL before any step of an upgrade leaves the old ledger or the new one, and the next upgrade ends it', async () => {
  const original = join(directory, 'small.db');
  olderLedger({ path: original, payments: 12 });
  const { rows } = seenIn(original);
  expect(rows).toHaveLength(36);
  const versions: string[] = [];
  for (let bound = 1; ; bound += 1) {
    const { signal, version } = await killed({ original, rows, kind: 'step', bound });
    if (signal === null) break;
    versions.push(version);
    expect(bound).toBeLessThan(200);
  }
  // the commit is the one step that changes what is there; nothing comes after it but closing
  expect(versions.length).toBeGreaterThan(30);
  expect(versions.slice(0, -1)).toEqual(versions.slice(1).map(() => '1'));
  expect(versions.at(-1)).toBe('2');
});

test('SIGKILL while the rows are written leaves the old ledger or the new one', async () => {
  const original = join(directory, 'large.db');
  olderLedger({ path: original, payments: 2000 });
  const { rows } = seenIn(original);
  const whole = statSync(original).size;
  const seen: string[] = [];
  for (const part of [0.05, 0.2, 0.35, 0.5, 0.55]) {
    const bound = Math.floor(part * whole);
    const { signal, version } = await killed({ original, rows, kind: 'log', bound });
    seen.push(`${signal} ${version}`);
  }
  // the log holds less than the ledger, whose former tables are only noted as free
  expect(seen.slice(0, 3)).toEqual(['SIGKILL 1', 'SIGKILL 1', 'SIGKILL 1']);
});
