import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseSubmissionHeader, submissionHeader } from './submissionHeader.ts';

const accession = '0001213900-25-041307';
const header = [
  '<SEC-DOCUMENT>0001213900-25-041307.txt : 20250509',
  '<ACCEPTANCE-DATETIME>20250509105920',
  'ACCESSION NUMBER:\t\t0001213900-25-041307',
  'CONFORMED SUBMISSION TYPE:\t10-Q',
  'CONFORMED PERIOD OF REPORT:\t20250331',
  'FILED AS OF DATE:\t\t20250509',
  '</SEC-HEADER>',
  '',
].join('\n');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'header-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('reads form, filing date and period from the head of a long text, plain or packed', async () => {
  const expected = {
    form: '10-Q',
    filed: '2025-05-09',
    period: '2025-03-31',
    acceptedAt: '2025-05-09 14:59:20',
  };
  const long = Buffer.concat([Buffer.from(header), Buffer.alloc(300_000, 'a line of the filing\n')]);
  await writeFile(join(folder, `${accession}.txt.gz`), gzipSync(long));
  expect(await submissionHeader({ folder, accession })).toEqual(expected);
  await writeFile(join(folder, `${accession}.txt`), long);
  expect(await submissionHeader({ folder, accession })).toEqual(expected);
});

it.each([
  ['of another filing', header.replaceAll('041307', '041308')],
  ['without a filing date', header.replace(/FILED AS OF.*/, '')],
  ['with a date that is no day', header.replace(/(FILED AS OF DATE:\s*)\d+/, '$120250231')],
  ['whose lines stand after its end', `</SEC-HEADER>\n${header}`],
  ['that is empty', ''],
])('takes nothing from a header %s', (_, text) => {
  expect(parseSubmissionHeader(text, accession)).toBeNull();
});

it.each([
  ['in winter', '20251208170916', '2025-12-08 22:09:16'],
  ['in the evening', '20250509213000', '2025-05-10 01:30:00'],
  ['that is no day', '20250231105920', null],
  ['with an hour that is none', '20250509245920', null],
  ['that is cut', '202505091059', null],
])('reads an acceptance %s as New York time (M1.44d)', (_, stated, acceptedAt) => {
  const text = header.replace('20250509105920', stated);
  expect(parseSubmissionHeader(text, accession)).toMatchObject({ form: '10-Q', acceptedAt });
});

it('takes nothing where there is no text, or damaged gzip data', async () => {
  expect(await submissionHeader({ folder, accession })).toBeNull();
  await writeFile(join(folder, `${accession}.txt.gz`), 'not gzip');
  expect(await submissionHeader({ folder, accession })).toBeNull();
});
