import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  exampleClaim,
  exampleShadow,
  exampleTransition,
} from '../../../../fixtures/rigs/ledgerConformance/examples.ts';
import { notChargedRow, unchargedReceipt } from '../../rows/receipt.ts';
import { reserveBounds, reserveFile, serveWriter, type WriterPort } from './serveWriter.ts';
import type { FromWriter, Operation, ToWriter } from './writerProtocol.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  path = join(directory, 'ledger.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

test('the reserve is real space, made only when the disk has room to spare, and spent once (P8.12)', () => {
  const file = join(directory, 'reserve');
  const reserve = reserveFile(file, 1_500_000);
  reserve.keep(reserveBounds.leaveFreeBytes);
  expect(existsSync(file)).toBe(false);
  reserve.keep(Number.POSITIVE_INFINITY);
  expect(statSync(file).size).toBe(1_500_000);
  expect(statSync(file).blocks * 512).toBeGreaterThanOrEqual(1_500_000);
  expect(reserve.spend()).toBe(true);
  expect(reserve.spend()).toBe(false);
});

test('a full disk costs the reserve for the end of a payment, not for a new receipt (X48)', () => {
  const said: FromWriter[] = [];
  let hear: (message: ToWriter) => void = () => {};
  const port: WriterPort = {
    on: (_event, listener) => {
      hear = listener;
    },
    postMessage: (message) => said.push(message),
    close: () => {},
  };
  let fill = () => {};
  let room = false;
  serveWriter({
    port,
    path,
    hasRoom: () => room,
    tune: (database) => {
      fill = () => {
        database.exec('PRAGMA max_page_count = 1');
      };
    },
  });
  const batch = (...operations: Operation[]) => {
    hear({ kind: 'batch', operations });
    return said.at(-1);
  };
  const receipts: Operation[] = Array.from({ length: 200 }, (_, n) =>
    unchargedReceipt(notChargedRow(exampleShadow(100 + n))),
  );
  const claims: Operation[] = Array.from({ length: 200 }, (_, n) => ({
    kind: 'call',
    name: 'claim',
    input: exampleClaim(n + 1),
  }));
  const settlements: Operation[] = claims.map((_, n) => ({
    kind: 'call',
    name: 'transition',
    input: exampleTransition(n + 1, 'settled'),
  }));
  expect(batch(...claims)).toMatchObject({ kind: 'committed' });
  writeFileSync(`${path}.reserve`, 'space');
  fill();
  expect(batch(...receipts)).toMatchObject({ kind: 'rolled_back', obstacle: 'disk_full' });
  expect(existsSync(`${path}.reserve`)).toBe(true);
  // this disk stays full: the reserve is gone, and the batch was tried with its space
  expect(batch(...settlements)).toMatchObject({ kind: 'rolled_back', obstacle: 'disk_full' });
  expect(existsSync(`${path}.reserve`)).toBe(false);
  // trying again with nothing to write proves nothing of the disk, until a batch would have room
  expect(batch()).toMatchObject({ kind: 'rolled_back', obstacle: 'disk_full' });
  room = true;
  expect(batch()).toMatchObject({ kind: 'committed' });
  hear({ kind: 'close' });
});
