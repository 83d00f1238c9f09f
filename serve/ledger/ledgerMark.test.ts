import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exampleClaim, exampleHold, exampleShadow } from '../../fixtures/rigs/ledgerConformance/examples.ts';
import { readMark, writeMark } from './ledgerMark.ts';
import { systemTime } from './openLedger.ts';
import type { Ledger } from './port/ledger.ts';
import { sqliteLedger } from './sqlite/sqliteLedger.ts';

let directory: string;
let path: string;
let events: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  path = join(directory, 'ledger.db');
  events = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

async function opened(): Promise<Ledger> {
  const ledger = sqliteLedger({
    path,
    time: systemTime,
    log: (line) => events.push(line.event),
    onFatal: (error) => {
      throw error;
    },
  });
  await ledger.open();
  return ledger;
}

async function pay(n: number): Promise<void> {
  const ledger = await opened();
  await ledger.claim(exampleClaim(n));
  await ledger.close();
}

describe('a ledger restored from an older copy (S38)', () => {
  beforeEach(async () => {
    await pay(1);
    copyFileSync(path, `${path}.copy`);
    await pay(2);
    copyFileSync(`${path}.copy`, path);
  });

  test('is noticed at start, takes no payment and no hold, and still takes uncharged receipts', async () => {
    const ledger = await opened();
    expect(events).toEqual(['ledger_restored_copy']);
    expect(await ledger.health()).toMatchObject({ status: 'failing', reason: 'restored_copy' });
    const refusal = { code: 'settlement_unavailable' };
    await expect(ledger.claim(exampleClaim(3))).rejects.toMatchObject(refusal);
    await expect(ledger.hold(exampleHold(4, 'grt_1'))).rejects.toMatchObject(refusal);
    ledger.noteNotCharged(exampleShadow(5));
    await ledger.close();
    const again = await opened();
    // the mark of the newer ledger is not forgotten by a restart
    expect((await again.health()).reason).toBe('restored_copy');
    expect((await again.check()).receipts).toBe(2);
    await again.close();
  });

  test('takes payments again after an operator has accepted it', async () => {
    const ledger = await opened();
    await ledger.acceptRestored('operator:ada');
    expect((await ledger.health()).status).toBe('ok');
    expect((await ledger.claim(exampleClaim(3))).won).toBe(true);
    await ledger.close();
    const again = await opened();
    expect((await again.health()).status).toBe('ok');
    await again.close();
  });
});

test('a ledger that only grew is as new as its mark', async () => {
  await pay(1);
  await pay(2);
  expect(readMark(`${path}.mark`)).toMatchObject({ newestEvent: 4, acceptedCopy: null });
  const ledger = await opened();
  expect((await ledger.health()).status).toBe('ok');
  await ledger.close();
});

test('a mark that cannot be understood counts as none', () => {
  const mark = join(directory, 'mark');
  const none = { newestEvent: 0, acceptedCopy: null, acceptedBy: null };
  expect(readMark(mark)).toEqual(none);
  for (const written of [
    { newestEvent: 12, acceptedCopy: null, acceptedBy: null },
    { newestEvent: 13, acceptedCopy: 'a copy', acceptedBy: 'operator:ada' },
  ]) {
    writeMark(mark, written);
    expect(readMark(mark)).toEqual(written);
  }
  for (const text of ['', '{}', '{"newest_event":1.5}', '[1', 'null', '{"accepted_copy":"a copy"}']) {
    writeFileSync(mark, text);
    expect(readMark(mark)).toEqual(none);
  }
});
