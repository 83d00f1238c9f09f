import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import { manualTime } from '../../../../fixtures/rigs/ledger/ledgerManualTime.ts';
import { exampleKey, exampleReceipt } from '../../../../fixtures/rigs/ledger/ledgerReceipts.ts';
import { notChargedRow, unchargedReceipt } from '../../rows/receipt.ts';
import { groupCommit } from './groupCommit.ts';
import { groupCommitBounds } from './groupCommitState.ts';
import type { FromWriter, Operation, SpawnWriter } from './writerProtocol.ts';

const plenty = groupCommitBounds.lowDiskBytes;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A writer over a list instead of a disk; `step` says how the batch in flight ends. */
function listWriter() {
  const disk: Operation[] = [];
  const state = {
    generation: 0,
    inFlight: null as readonly Operation[] | null,
    starting: false,
    closed: false,
  };
  let say: (message: FromWriter) => void = () => {};
  let die: () => void = () => {};
  const spawn: SpawnWriter = (on) => {
    state.generation += 1;
    state.starting = true;
    state.inFlight = null;
    say = on.message;
    die = () => on.dead(new Error('killed by the test'));
    return {
      postMessage: (message) => {
        if (message.kind === 'batch') state.inFlight = message.operations;
        if (message.kind === 'maintain') say({ kind: 'maintained', freeBytes: plenty });
        if (message.kind === 'close') {
          state.closed = true;
          say({ kind: 'closed' });
        }
      },
    };
  };
  return {
    disk,
    state,
    spawn,
    ready: () => {
      if (!state.starting) return;
      state.starting = false;
      say({ kind: 'ready', freeBytes: plenty });
    },
    commit: (reported: boolean) => {
      const batch = state.inFlight;
      if (batch === null) return;
      disk.push(...batch);
      if (!reported) return;
      state.inFlight = null;
      say({ kind: 'committed', results: batch.map(() => null), commitMs: 1, freeBytes: plenty });
    },
    rollBack: () => {
      if (state.inFlight === null) return;
      state.inFlight = null;
      say({ kind: 'rolled_back', obstacle: 'disk_full', code: 13 });
    },
    die: () => die(),
  };
}

type Step =
  | 'receipt'
  | 'change'
  | 'turn'
  | 'linger'
  | 'commit'
  | 'roll_back'
  | 'commit_untold_and_die'
  | 'die';
const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constant<Step>('receipt') },
    { weight: 3, arbitrary: fc.constant<Step>('change') },
    { weight: 4, arbitrary: fc.constantFrom<Step>('turn', 'linger', 'commit') },
    { weight: 1, arbitrary: fc.constantFrom<Step>('roll_back', 'commit_untold_and_die', 'die') },
  ),
  { maxLength: 80 },
);

test('under every failure of disk and writer each receipt that was taken is stored in order (P8.10)', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const time = manualTime();
      const writer = listWriter();
      const queue = groupCommit({
        spawn: writer.spawn,
        time,
        log: () => {},
        onFatal: (error) => {
          throw error;
        },
      });
      const opened = queue.open();
      writer.ready();
      await opened;
      const taken: string[] = [];
      const changes: Promise<string>[] = [];
      let next = 0;
      for (const step of script) {
        if (step === 'receipt') {
          next += 1;
          const receipt = exampleReceipt(next);
          try {
            queue.handOverReceipt(unchargedReceipt(notChargedRow(receipt)));
            taken.push(receipt.receiptId);
          } catch (error) {
            expect(error).toMatchObject({ code: 'settlement_unavailable' });
            expect(queue.health().status).toBe('failing');
          }
        } else if (step === 'change') {
          // a change may fail by a full disk or a death: its caller learns of either
          changes.push(
            queue.submit({ kind: 'cold', name: 'createKey', input: exampleKey, nowMs: 0 }).then(
              () => 'stored',
              (error: IssuerError) => error.code,
            ),
          );
        } else if (step === 'turn') await turn();
        else if (step === 'linger') time.advance(groupCommitBounds.retryMs);
        else if (step === 'commit') writer.commit(true);
        else if (step === 'roll_back') writer.rollBack();
        else {
          // two deaths within a minute end the process by rule: keep them apart
          time.advance(groupCommitBounds.restartWindowMs);
          if (step === 'commit_untold_and_die') writer.commit(false);
          writer.die();
          await turn();
          writer.ready();
        }
      }
      const closed = queue.close();
      for (let i = 0; i < 400 && !writer.state.closed; i += 1) writer.commit(true);
      await closed;
      for (const outcome of await Promise.all(changes))
        expect(['stored', 'store_unwritable']).toContain(outcome);
      // the database keeps the first of a receipt that is written twice (ON CONFLICT DO NOTHING)
      const stored = writer.disk.flatMap((op) => (op.kind === 'receipt' ? [op.receiptId] : []));
      expect([...new Set(stored)]).toEqual(taken);
      expect(queue.health().waiting).toBe(0);
    }),
    { numRuns: 300 },
  );
});
