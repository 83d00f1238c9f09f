import { beforeEach, describe, expect, test } from 'vitest';
import { manualTime } from '../../../../fixtures/rigs/ledger/ledgerManualTime.ts';
import { exampleKey, exampleReceipt } from '../../../../fixtures/rigs/ledger/ledgerReceipts.ts';
import { exampleClaim, exampleTransition } from '../../../../fixtures/rigs/ledgerConformance/examples.ts';
import type { LedgerLog } from '../../port/ledger.ts';
import { notChargedRow, unchargedReceipt } from '../../rows/receipt.ts';
import { type GroupCommit, groupCommit } from './groupCommit.ts';
import { type CommitReport, groupCommitBounds } from './groupCommitState.ts';
import type { FromWriter, Operation, SpawnWriter, ToWriter } from './writerProtocol.ts';

// a writer that answers when the test says so; nothing here touches a disk or a thread
type FakeWriter = { posted: ToWriter[]; say(message: FromWriter): void; die(): void };

const plenty = groupCommitBounds.lowDiskBytes * 4;
let time: ReturnType<typeof manualTime>;
let writers: FakeWriter[];
let commits: CommitReport[];
let fatal: Error[];
let events: string[];
let queue: GroupCommit;

const spawn: SpawnWriter = (on) => {
  const fake: FakeWriter = {
    posted: [],
    say: (message) => on.message(message),
    die: () => on.dead(new Error('killed by the test')),
  };
  writers.push(fake);
  return { postMessage: (message) => fake.posted.push(message) };
};
const log: LedgerLog = (line) => events.push(line.event);
const turn = () => new Promise((resolve) => setImmediate(resolve));
const latest = () => writers[writers.length - 1] as FakeWriter;
const batches = (writer = latest()) =>
  writer.posted.filter((m) => m.kind === 'batch').map((m) => m.operations);
const committed = ({ freeBytes }: { freeBytes?: number } = {}): FromWriter => ({
  kind: 'committed',
  results: [],
  commitMs: 1,
  freeBytes: freeBytes ?? plenty,
});
const receipt = (n: number) => unchargedReceipt(notChargedRow(exampleReceipt(n)));
const createKey: Operation = { kind: 'cold', name: 'createKey', input: exampleKey, nowMs: 0 };
const idsOf = (operations: readonly Operation[] | undefined) =>
  operations?.map((op) => (op.kind === 'receipt' ? Number(op.receiptId.slice(5)) : op.kind));

beforeEach(async () => {
  time = manualTime();
  writers = [];
  commits = [];
  fatal = [];
  events = [];
  queue = groupCommit({
    spawn,
    time,
    log,
    onFatal: (error) => fatal.push(error),
    onCommit: (report) => commits.push(report),
  });
  const opened = queue.open();
  latest().say({ kind: 'ready', freeBytes: plenty });
  await opened;
});

describe('grouping (P8.7)', () => {
  test('a lone operation with a caller commits at the end of its turn', async () => {
    const created = queue.submit(createKey);
    expect(batches()).toHaveLength(0);
    await turn();
    expect(batches()).toHaveLength(1);
    latest().say({ ...committed(), results: [{ ok: true, value: 'created' }] } as FromWriter);
    expect(await created).toBe('created');
  });

  test('all operations of one turn share one message and one commit', async () => {
    const all = [1, 2, 3, 4, 5].map(() => queue.submit(createKey));
    await turn();
    expect(batches().map((b) => b.length)).toEqual([5]);
    latest().say(committed());
    await Promise.all(all);
    expect(commits).toEqual([{ operations: 5, commitMs: 1 }]);
  });

  test('while a commit runs the array grows, and goes as one message when it reports back', async () => {
    const first = queue.submit(createKey);
    await turn();
    const later = [1, 2, 3].map(() => queue.submit(createKey));
    await turn();
    expect(batches().map((b) => b.length)).toEqual([1]);
    latest().say(committed());
    expect(batches().map((b) => b.length)).toEqual([1, 3]);
    latest().say(committed());
    await Promise.all([first, ...later]);
  });

  test('an uncharged receipt waits for company, and goes alone before 100 ms are over', () => {
    queue.handOverReceipt(receipt(1));
    time.advance(groupCommitBounds.lingerMs - 1);
    expect(batches()).toHaveLength(0);
    time.advance(1);
    expect(batches().map(idsOf)).toEqual([[1]]);
    expect(groupCommitBounds.lingerMs).toBeLessThan(100);
  });

  test('an uncharged receipt joins the next batch of an operation that has a caller, in order', async () => {
    queue.handOverReceipt(receipt(1));
    const created = queue.submit(createKey);
    queue.handOverReceipt(receipt(2));
    await turn();
    expect(batches().map(idsOf)).toEqual([[1, 'cold', 2]]);
    latest().say(committed());
    await created;
    time.advance(groupCommitBounds.lingerMs);
    expect(batches()).toHaveLength(1);
  });

  test('a receipt handed over while a commit runs is on its way 100 ms later at the latest', () => {
    queue.handOverReceipt(receipt(1));
    time.advance(groupCommitBounds.lingerMs);
    queue.handOverReceipt(receipt(2));
    latest().say(committed());
    expect(batches()).toHaveLength(1);
    time.advance(groupCommitBounds.lingerMs);
    expect(batches().map(idsOf)).toEqual([[1], [2]]);
  });

  test('a commit holds at most 512 operations; the rest follows at once (P8.8)', () => {
    for (let n = 1; n <= 1100; n += 1) queue.handOver(receipt(n));
    time.advance(groupCommitBounds.lingerMs);
    latest().say(committed());
    latest().say(committed());
    latest().say(committed());
    expect(batches().map((b) => b.length)).toEqual([512, 512, 76]);
  });

  test('512 waiting receipts do not wait for the timer', async () => {
    for (let n = 1; n <= 512; n += 1) queue.handOverReceipt(receipt(n));
    await turn();
    expect(batches().map((b) => b.length)).toEqual([512]);
  });
});

describe('bounds (P8.8)', () => {
  test('10000 receipts wait; the next is refused as overloaded and nothing of it is taken', () => {
    for (let n = 1; n <= 10_000; n += 1) queue.handOverReceipt(receipt(n));
    expect(() => queue.handOverReceipt(receipt(10_001))).toThrow(
      expect.objectContaining({ code: 'overloaded' }),
    );
    expect(queue.health().waiting).toBe(10_000);
  });

  test('an operation older than 2 s raises ledger_slow once', () => {
    queue.handOverReceipt(receipt(1));
    time.advance(groupCommitBounds.lingerMs);
    time.advance(2001);
    expect(queue.health()).toMatchObject({ status: 'ok', slow: true });
    time.advance(10_000);
    expect(events).toEqual(['ledger_slow']);
    latest().say(committed());
    expect(queue.health().slow).toBe(false);
  });
});

describe('a disk that takes nothing (P8.12, X47)', () => {
  const rolledBack: FromWriter = { kind: 'rolled_back', obstacle: 'disk_full', code: 13 };

  test('is failing, refuses new receipts, keeps the old ones, and writes them when there is space', () => {
    queue.handOverReceipt(receipt(1));
    time.advance(groupCommitBounds.lingerMs);
    latest().say(rolledBack);
    expect(queue.health()).toEqual({ status: 'failing', reason: 'disk_full', waiting: 1, slow: false });
    expect(() => queue.handOverReceipt(receipt(2))).toThrow(
      expect.objectContaining({ code: 'settlement_unavailable' }),
    );
    queue.handOver({ kind: 'delivery', receiptId: 'rcpt_0', delivery: 'delivered' });
    time.advance(groupCommitBounds.retryMs);
    expect(batches().map(idsOf)).toEqual([[1], [1, 'delivery']]);
    expect(queue.health().status).toBe('failing');
    latest().say(committed());
    expect(queue.health()).toEqual({ status: 'ok', reason: null, waiting: 0, slow: false });
    expect(events).toEqual(['ledger_cannot_write', 'ledger_writes_again']);
  });

  test('rejects what has a caller', async () => {
    const created = queue.submit(createKey);
    await turn();
    latest().say(rolledBack);
    await expect(created).rejects.toMatchObject({ code: 'store_unwritable' });
    await expect(queue.submit(createKey)).rejects.toMatchObject({ code: 'store_unwritable' });
  });

  test('the end of a payment goes with the next try, ahead of any number of receipts: for the reserve (X48)', async () => {
    for (let n = 1; n <= 600; n += 1) queue.handOverReceipt(receipt(n));
    await turn();
    latest().say(rolledBack);
    const ended = queue.call('transition', exampleTransition(1, 'settled'));
    await expect(queue.call('claim', exampleClaim(2))).rejects.toMatchObject({
      code: 'settlement_unavailable',
    });
    time.advance(groupCommitBounds.retryMs);
    const [, next] = batches();
    expect(next).toHaveLength(groupCommitBounds.operationsPerCommit);
    expect(next?.[0]).toMatchObject({ kind: 'call', name: 'transition' });
    latest().say({ kind: 'committed', results: [{ ok: true, value: true }], commitMs: 1, freeBytes: plenty });
    expect(await ended).toBe(true);
    expect(idsOf(batches()[2])).toEqual(Array.from({ length: 89 }, (_, i) => i + 512));
  });

  test('below 256 MiB free new receipts are refused, and taken again when there is space', () => {
    queue.handOverReceipt(receipt(1));
    time.advance(groupCommitBounds.lingerMs);
    latest().say(committed({ freeBytes: groupCommitBounds.lowDiskBytes - 1 }));
    expect(queue.health()).toMatchObject({ status: 'failing', reason: 'disk_low' });
    expect(() => queue.handOverReceipt(receipt(2))).toThrow(
      expect.objectContaining({ code: 'settlement_unavailable' }),
    );
    time.advance(groupCommitBounds.maintainMs);
    latest().say({ kind: 'maintained', freeBytes: groupCommitBounds.lowDiskBytes });
    expect(queue.health().status).toBe('ok');
  });

  test('closing tries once more and counts what is lost', async () => {
    queue.handOverReceipt(receipt(1));
    time.advance(groupCommitBounds.lingerMs);
    latest().say(rolledBack);
    const closed = queue.close();
    latest().say(rolledBack);
    expect(latest().posted.at(-1)).toEqual({ kind: 'close' });
    latest().say({ kind: 'closed' });
    await closed;
    expect(events).toEqual(['ledger_cannot_write', 'ledger_operations_lost']);
  });
});

describe("the writer's death (P8.10, X43)", () => {
  test('uncharged receipts of the running batch are written again first, callers learn that it failed', async () => {
    queue.handOverReceipt(receipt(1));
    const created = queue.submit(createKey);
    await turn();
    queue.handOverReceipt(receipt(2));
    latest().die();
    expect(queue.health()).toMatchObject({ status: 'failing', reason: 'writer_restarting', waiting: 2 });
    await expect(created).rejects.toMatchObject({ code: 'store_unwritable' });
    expect(writers).toHaveLength(2);
    latest().say({ kind: 'ready', freeBytes: plenty });
    expect(batches().map(idsOf)).toEqual([[1, 2]]);
    latest().say(committed());
    expect(queue.health()).toEqual({ status: 'ok', reason: null, waiting: 0, slow: false });
    expect(fatal).toHaveLength(0);
  });

  test('a second death within a minute ends the process', () => {
    latest().die();
    latest().say({ kind: 'ready', freeBytes: plenty });
    queue.handOverReceipt(receipt(1));
    time.advance(59_999);
    latest().die();
    expect(fatal).toHaveLength(1);
    expect(queue.health()).toMatchObject({ status: 'failing', reason: 'writer_dead' });
    expect(() => queue.handOverReceipt(receipt(2))).toThrow(
      expect.objectContaining({ code: 'settlement_unavailable' }),
    );
    expect(events).toEqual(expect.arrayContaining(['ledger_writer_died', 'ledger_operations_lost']));
  });

  test('a death a minute after the last is restarted again', () => {
    latest().die();
    latest().say({ kind: 'ready', freeBytes: plenty });
    time.advance(60_000);
    latest().die();
    expect(fatal).toHaveLength(0);
    expect(writers).toHaveLength(3);
  });

  test('a writer that was replaced is not listened to', () => {
    const old = latest();
    queue.handOverReceipt(receipt(1));
    time.advance(groupCommitBounds.lingerMs);
    old.die();
    old.say(committed());
    expect(queue.health().waiting).toBe(1);
    expect(commits).toHaveLength(0);
  });

  test('a restart that is refused ends the process', () => {
    latest().die();
    latest().say({ kind: 'refused', code: 'store_unwritable', message: 'gone', hint: '' });
    expect(fatal).toHaveLength(1);
  });
});

describe('start, upkeep and end', () => {
  test('a refused start is the caller’s error and leaves nothing running', async () => {
    const other = groupCommit({ spawn, time, log, onFatal: (error) => fatal.push(error) });
    const opened = other.open();
    latest().say({ kind: 'refused', code: 'configuration', message: 'on nfs', hint: 'move it' });
    await expect(opened).rejects.toMatchObject({ code: 'configuration', hint: 'move it' });
    expect(other.health()).toMatchObject({ status: 'failing', reason: 'not_open' });
    await other.close();
    expect(fatal).toHaveLength(0);
  });

  test('an idle writer looks at the disk every 5 s and checkpoints every 60 s (P8.12)', () => {
    for (let i = 0; i < 12; i += 1) {
      time.advance(groupCommitBounds.maintainMs);
      latest().say({ kind: 'maintained', freeBytes: plenty });
    }
    expect(latest().posted.map((m) => m.kind === 'maintain' && m.checkpoint)).toEqual([
      ...Array(11).fill(false),
      true,
    ]);
  });

  test('closing commits what waits, then closes, and refuses everything after', async () => {
    queue.handOverReceipt(receipt(1));
    const closed = queue.close();
    expect(batches().map(idsOf)).toEqual([[1]]);
    expect(() => queue.handOverReceipt(receipt(2))).toThrow(
      expect.objectContaining({ code: 'settlement_unavailable' }),
    );
    latest().say(committed());
    expect(latest().posted.at(-1)).toEqual({ kind: 'close' });
    latest().say({ kind: 'closed' });
    await Promise.all([closed, queue.close()]);
  });

  test('an operation the database refuses alone is logged with its id and fails its caller only', async () => {
    queue.handOverReceipt(receipt(7));
    const created = queue.submit(createKey);
    await turn();
    latest().say({
      kind: 'committed',
      results: [
        { ok: false, code: 787, message: 'FOREIGN KEY constraint failed' },
        { ok: true, value: 'created' },
      ],
      commitMs: 1,
      freeBytes: plenty,
    });
    expect(await created).toBe('created');
    expect(events).toEqual(['ledger_operation_refused']);
  });
});
