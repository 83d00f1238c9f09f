import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ListedFiling } from '../../source/filingSources.ts';
import { type ReadOutcome, readFilings } from './filingPool.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pool-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const cik = '0000000001';

/** An instance of `n` facts with values 0 … n − 1. */
async function filing(name: string, n: number): Promise<ListedFiling> {
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
  // enough bytes for workers
  const file = { name, path: extracted, part: 'instance', bytes: 5_000_000, sha256: '' } as const;
  return { cik, accession, folder: null, extracted, files: [file] };
}

async function all(filings: readonly ListedFiling[], input: { workers: number; heapMb?: number }) {
  const outcomes: ReadOutcome[] = [];
  for await (const outcome of readFilings(filings, input)) outcomes.push(outcome);
  return outcomes;
}

const counts = (outcomes: readonly ReadOutcome[]) =>
  outcomes.map((outcome) => ('rows' in outcome ? outcome.rows.factCount : outcome.failure));

it('hands filings over in their order, whichever worker is first', async () => {
  const filings = await Promise.all([4000, 1, 2000, 2, 3].map((n) => filing(`n${n}`, n)));
  expect(counts(await all(filings, { workers: 2 }))).toEqual([4000, 1, 2000, 2, 3]);
  expect(counts(await all(filings, { workers: 0 }))).toEqual([4000, 1, 2000, 2, 3]);
});

it('reports a filing that is too large for its worker, and goes on with a new one', async () => {
  const filings = [await filing('small', 2), await filing('large', 150_000), await filing('last', 3)];
  const [small, large, last] = counts(await all(filings, { workers: 1, heapMb: 32 }));
  expect([small, last]).toEqual([2, 3]);
  expect(large).toMatch(/^its reader ended: .*memory limit/);
});

it('ends its workers when nobody takes the rest', async () => {
  const filings = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => filing(`n${n}`, n)));
  for await (const outcome of readFilings(filings, { workers: 2 })) {
    expect(counts([outcome])).toEqual([1]);
    break;
  }
});
