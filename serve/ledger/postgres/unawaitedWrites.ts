import type { Delivery, LedgerLog, LedgerTime } from '../port/ledger.ts';
import type { ReceiptRow } from '../port/receipt.ts';
import { refusal } from '../sharedMethods.ts';
import { receiptJson } from './columns.ts';
import { failureOf, type PostgresDatabase } from './postgresDatabase.ts';

// writes that are not awaited: collected for at most 100 ms and sent as one statement of its kind (P8.15)

const lingerMs = 80;
const retryMs = 1000;
const mostWaiting = 10_000;
const mostAtOnce = 512;

type MinorWrite =
  | { readonly kind: 'delivery'; readonly receiptId: string; readonly delivery: Delivery }
  | { readonly kind: 'replay'; readonly receiptId: string }
  | { readonly kind: 'key_used'; readonly keyId: string; readonly atMs: number }
  | {
      readonly kind: 'renew';
      readonly claimKey: Uint8Array;
      readonly owner: string;
      readonly ownerUntilMs: number;
    };

/** The queue of writes that no caller awaits. */
export type UnawaitedWrites = {
  /** @throws IssuerError `overloaded` or `settlement_unavailable`; nothing was taken then (P6.6). */
  receipt(row: ReceiptRow): void;
  minor(entry: MinorWrite): void;
  /** The last batch did not reach the database. */
  readonly failing: boolean;
  readonly waiting: number;
  /** Sends what waits; gives up when the database does not answer. */
  drain(): Promise<void>;
};

/** Builds the queue over a database. */
export function unawaitedWrites({
  database,
  time,
  log,
}: {
  database: PostgresDatabase;
  time: LedgerTime;
  log: LedgerLog;
}): UnawaitedWrites {
  let receipts: { row: ReceiptRow }[] = [];
  let minorWrites: MinorWrite[] = [];
  let sending: Promise<void> | null = null;
  let failing = false;
  let cancel: (() => void) | null = null;

  function schedule(ms: number): void {
    cancel ??= time.after(ms, () => {
      cancel = null;
      void flush();
    });
  }

  function flush(): Promise<void> {
    sending ??= send().finally(() => {
      sending = null;
      if (receipts.length + minorWrites.length > 0) schedule(failing ? retryMs : 0);
    });
    return sending;
  }

  async function send(): Promise<void> {
    const rows = receipts.slice(0, mostAtOnce);
    const entries = minorWrites.slice(0, mostAtOnce);
    // what was taken out is found no more, so its delivery goes behind it
    receipts = receipts.slice(rows.length);
    minorWrites = minorWrites.slice(entries.length);
    try {
      await insertReceipts(
        rows.map(({ row }) => row),
        { database, log },
      );
      rows.length = 0;
      await applyMinorWrites(entries, { database });
      if (failing) log({ level: 'info', event: 'ledger_writes_again', fields: {} });
      failing = false;
    } catch (error) {
      if (!failing) {
        const message = error instanceof Error ? error.message : 'unknown';
        log({ level: 'error', event: 'ledger_cannot_write', fields: { message } });
      }
      failing = true;
      receipts = [...rows, ...receipts];
      minorWrites = [...entries, ...minorWrites];
    }
  }

  function push(): void {
    if (receipts.length + minorWrites.length >= mostAtOnce && !failing) void flush();
    else schedule(failing ? retryMs : lingerMs);
  }

  return {
    receipt: (row) => {
      if (failing) throw refusal('settlement_unavailable', 'The ledger database cannot be reached.');
      if (receipts.length + minorWrites.length >= mostWaiting) {
        throw refusal('overloaded', 'The ledger has too much to write.');
      }
      receipts.push({ row });
      push();
    },
    minor: (entry) => {
      const waiting =
        entry.kind === 'delivery' ? receipts.find((r) => r.row.receiptId === entry.receiptId) : undefined;
      if (waiting !== undefined && entry.kind === 'delivery') {
        // a receipt still here is inserted with its final state: one statement instead of two
        waiting.row = { ...waiting.row, delivery: entry.delivery };
        return;
      }
      minorWrites.push(entry);
      push();
    },
    get failing() {
      return failing;
    },
    get waiting() {
      return receipts.length + minorWrites.length;
    },
    drain: async () => {
      cancel?.();
      cancel = null;
      await sending;
      do {
        await flush();
      } while (receipts.length + minorWrites.length > 0 && !failing);
      // the last flush may have set a timer for what is left
      (cancel as (() => void) | null)?.();
      const count = receipts.length + minorWrites.length;
      if (count > 0) log({ level: 'error', event: 'ledger_operations_lost', fields: { count } });
    },
  };
}

async function insertReceipts(
  rows: readonly ReceiptRow[],
  to: { database: PostgresDatabase; log: LedgerLog },
): Promise<void> {
  if (rows.length === 0) return;
  try {
    // a receipt that is there already is the same receipt, sent again after a lost answer
    await to.database.rows(
      `INSERT INTO receipts SELECT * FROM jsonb_populate_recordset(NULL::receipts, $1)
        ON CONFLICT (receipt_id) DO NOTHING`,
      [JSON.stringify(rows.map(receiptJson))],
    );
  } catch (error) {
    if (failureOf(error) !== 'refused') throw error;
    const [only] = rows;
    if (rows.length === 1) {
      const subject = only?.receiptId ?? '';
      to.log({ level: 'error', event: 'ledger_operation_refused', fields: { kind: 'receipt', subject } });
      return;
    }
    // one of them is wrong: it alone is lost
    for (const row of rows) await insertReceipts([row], to);
  }
}

async function applyMinorWrites(
  entries: readonly MinorWrite[],
  { database }: { database: PostgresDatabase },
): Promise<void> {
  if (entries.length === 0) return;
  const of = <K extends MinorWrite['kind']>(kind: K) =>
    entries.filter((entry): entry is Extract<MinorWrite, { kind: K }> => entry.kind === kind);
  await database.rows(
    `WITH delivered AS (
        UPDATE receipts SET delivery_status = d.state
        FROM (SELECT DISTINCT ON (id) id, state FROM jsonb_to_recordset($1) AS x(id text, state text, n int)
          ORDER BY id, (state = 'delivered') DESC, n DESC) d
        WHERE receipt_id = d.id AND delivery_status <> 'delivered'),
      used AS (
        UPDATE api_keys SET last_used_ms = greatest(coalesce(last_used_ms, 0), u.at)
        FROM (SELECT id, max(at) AS at FROM jsonb_to_recordset($2) AS x(id text, at bigint) GROUP BY id) u
        WHERE key_id = u.id)
      UPDATE payments SET owner_until_ms = greatest(owner_until_ms, r.until)
      FROM (SELECT key::bytea AS key, owner, max(until) AS until
        FROM jsonb_to_recordset($3) AS x(key text, owner text, until bigint) GROUP BY key, owner) r
      WHERE claim_key = r.key AND payments.owner = r.owner`,
    [
      JSON.stringify(of('delivery').map((d, n) => ({ id: d.receiptId, state: d.delivery, n }))),
      JSON.stringify(of('key_used').map((u) => ({ id: u.keyId, at: u.atMs }))),
      JSON.stringify(
        of('renew').map((r) => ({
          key: `\\x${Buffer.from(r.claimKey).toString('hex')}`,
          owner: r.owner,
          until: r.ownerUntilMs,
        })),
      ),
    ],
  );
  const replays = of('replay').map((r) => r.receiptId);
  if (replays.length === 0) return;
  await database.rows(
    `UPDATE receipts SET replay_count = replay_count + r.n
      FROM (SELECT id, count(*) AS n FROM unnest($1::text[]) AS id GROUP BY id) r WHERE receipt_id = r.id`,
    [replays],
  );
}
