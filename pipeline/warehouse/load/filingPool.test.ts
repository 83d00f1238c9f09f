import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FilingAnswer, readFilings } from './filingPool.ts';
import type { FilingOrder } from './readFilingRows.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pool-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const cik = '0000000001';

/** An instance of `n` facts with values 0 … n − 1. */
async function order(name: string, n: number): Promise<FilingOrder> {
  const facts = Array.from(
    { length: n },
    (_, i) => `<us-gaap:Assets contextRef="c" unitRef="usd" decimals="0">${i}</us-gaap:Assets>`,
  );
  const extracted = join(root, `${name}_htm.xml`);
  await writeFile(
    extracted,
    `<xbrl xmlns="http://www.xbrl.org/2003/instance" xmlns:iso4217="http://www.xbrl.org/2003/iso4217"
      xmlns:us-gaap="http://fasb.org/us-gaap/2025"><context id="c"><entity>
      <identifier scheme="http://www.sec.gov/CIK">${cik}</identifier></entity>
      <period><instant>2025-09-30</instant></period></context>
      <unit id="usd"><measure>iso4217:USD</measure></unit>${facts.join('')}</xbrl>`,
  );
  const accession = '0000000009-25-000001';
  return { input: name, cik, accession, folder: null, archives: [], extracted, bytes: 5_000_000 };
}

async function all(orders: readonly FilingOrder[], input: { workers: number; heapMb?: number }) {
  const answers: FilingAnswer[] = [];
  for await (const answer of readFilings(orders, input)) answers.push(answer);
  return answers;
}

const counts = (answers: readonly FilingAnswer[]) =>
  answers.map((answer) => ('rows' in answer ? answer.rows.factCount : answer.failure));

it('answers in the order asked, whichever worker is first', async () => {
  const orders = await Promise.all([4000, 1, 2000, 2, 3].map((n) => order(`n${n}`, n)));
  expect(counts(await all(orders, { workers: 2 }))).toEqual([4000, 1, 2000, 2, 3]);
  expect(counts(await all(orders, { workers: 0 }))).toEqual([4000, 1, 2000, 2, 3]);
});

it('answers for a filing that is too large for its worker, and goes on with a new one', async () => {
  const orders = [await order('small', 2), await order('large', 150_000), await order('last', 3)];
  const [small, large, last] = counts(await all(orders, { workers: 1, heapMb: 32 }));
  expect([small, last]).toEqual([2, 3]);
  expect(large).toMatch(/^its reader ended: .*memory limit/);
});

it('ends its workers when nobody takes the rest', async () => {
  const orders = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => order(`n${n}`, n)));
  for await (const answer of readFilings(orders, { workers: 2 })) {
    expect(counts([answer])).toEqual([1]);
    break;
  }
});
