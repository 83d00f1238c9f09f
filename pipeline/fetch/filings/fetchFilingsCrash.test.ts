import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EdgarHarness, edgarHarness } from '../../../fixtures/replicas/edgarHarness.ts';
import type { EdgarReplica } from '../../../fixtures/replicas/edgarReplica.ts';
import { filingFiles, filingFolder } from '../../../fixtures/replicas/filingFiles.ts';
import type { FilingRequest } from './fetchFiling.ts';

const child = fileURLToPath(new URL('../../../fixtures/replicas/fetchFilingsChild.ts', import.meta.url));
const filing: FilingRequest = { cik: '1318605', accession: '0001628280-24-032662', form: '10-Q' };
const names = [
  't-20240630.xsd',
  't-20240630_cal.xml',
  't-20240630_lab.xml',
  't-20240630_pre.xml',
  't_htm.xml',
];
const files = filingFiles({ ...filing, names });
const path = (name: string) => `${filingFolder(filing)}/${name}`;

let t: EdgarHarness;
beforeEach(async () => {
  t = await edgarHarness();
});
afterEach(() => t.close());

const folder = () => join(t.root, 'source/edgar/filings/1318605/000162828024032662');
const recordPath = () => join(t.root, 'raw/edgar/filings/1318605/000162828024032662.json');

async function expectComplete(): Promise<void> {
  expect((await readdir(folder())).sort()).toEqual(names);
  for (const name of names) expect(await readFile(join(folder(), name))).toEqual(files[path(name)]?.body);
  expect(await t.partials()).toEqual([]);
  expect(await readdir(join(t.root, 'source/edgar'))).toEqual(['filings']);
}

/** Runs the fetch in a child and kills it as soon as the replica has seen the request of `name`. */
async function killDuring(replica: EdgarReplica, name: string): Promise<void> {
  const started = spawn(process.execPath, [child, replica.origin, t.root, JSON.stringify([filing])], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(started, 'close');
  while (replica.requestsOf(path(name)).length === 0) await new Promise((resolve) => setImmediate(resolve));
  started.kill('SIGKILL');
  await ended;
}

describe('a process that dies while fetching a filing', () => {
  it.each(['index.json', ...names])(
    'during %s leaves no folder, and the next asks for that file and the rest only',
    async (name) => {
      const replica = await t.start({ ...files }, { [path(name)]: [{ kind: 'stall', afterBytes: 10 }] });
      await killDuring(replica, name);
      await expect(readdir(folder())).rejects.toThrow('ENOENT');
      const report = await t.runFilings(replica, [filing]);
      expect(report.filings[0]?.status).toBe('fetched');
      // six addresses, one of them twice
      expect(replica.requests).toHaveLength(7);
      expect(replica.requestsOf(path(name))).toHaveLength(2);
      await expectComplete();
    },
  );
});

describe('what a dead process left', () => {
  it('is used without a request: files recorded, folder not yet there', async () => {
    const replica = await t.start({ ...files });
    await t.runFilings(replica, [filing]);
    const record = JSON.parse(await readFile(recordPath(), 'utf8'));
    await writeFile(recordPath(), JSON.stringify({ ...record, state: 'fetching', folder: [] }));
    await rm(folder(), { recursive: true });
    const report = await t.runFilings(replica, [filing]);
    expect([report.filings[0]?.status, report.requests]).toEqual(['relinked', 0]);
    await expectComplete();
  });

  it('is used without a request: folder there, not yet recorded', async () => {
    const replica = await t.start({ ...files });
    await t.runFilings(replica, [filing]);
    const record = JSON.parse(await readFile(recordPath(), 'utf8'));
    await writeFile(recordPath(), JSON.stringify({ ...record, state: 'fetching', folder: [] }));
    expect((await t.runFilings(replica, [filing])).requests).toBe(0);
    await expectComplete();
  });

  it('is cleared away: a half-linked folder and the folder it was to replace', async () => {
    const replica = await t.start({ ...files });
    const staging = join(t.root, 'source/edgar/.filings/1318605-0001628280-24-032662');
    await mkdir(join(staging, 'new'), { recursive: true });
    await mkdir(join(staging, 'old'));
    await writeFile(join(staging, 'new/half.xml'), 'x');
    expect((await t.runFilings(replica, [filing])).filings[0]?.status).toBe('fetched');
    await expectComplete();
  });

  it('is finished: a file moved in that no record names yet costs no second download', async () => {
    const replica = await t.start({ ...files });
    await t.runFilings(replica, [filing]);
    const record = JSON.parse(await readFile(recordPath(), 'utf8'));
    const [row] = record.rows;
    // as between moving the file in and recording it: the sidecar names the hash
    const rows = record.rows.slice(1);
    await writeFile(recordPath(), JSON.stringify({ ...record, state: 'fetching', folder: [], rows }));
    const stem = createHash('sha256').update(row.url).digest('hex').slice(0, 16);
    const sidecar = { url: row.url, etag: row.etag, last_modified: row.last_modified, sha256: row.sha256 };
    await writeFile(
      join(t.root, 'raw/edgar/partial', `${stem}.json`),
      JSON.stringify({ ...sidecar, size: row.size, offset: row.size }),
    );
    const report = await t.runFilings(replica, [filing]);
    expect([report.requests, report.bytes]).toEqual([1, 0]);
    await expectComplete();
  });
});

describe('a disk that is full', () => {
  it('is reported, leaves no folder, and what was stored is not asked for again', async () => {
    const big = { ...files };
    const body = Buffer.from(`<xbrl>${' '.repeat(600_000)}</xbrl>`);
    const instance = files[path('t_htm.xml')];
    if (instance === undefined) throw new Error('no instance');
    big[path('t_htm.xml')] = { ...instance, body };
    const replica = await t.start(big);
    // 1,000 blocks of 512 bytes, less than the instance
    const command = [process.execPath, child, replica.origin, t.root, JSON.stringify([filing])];
    const started = spawn('sh', ['-c', 'ulimit -f 1000; exec "$@"', 'sh', ...command], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(started, 'close');
    let output = '';
    for await (const chunk of started.stdout) output += String(chunk);
    await ended;
    expect(JSON.parse(output).error).toMatchObject({ code: 'store_unwritable', exitCode: 1 });
    await expect(readdir(folder())).rejects.toThrow('ENOENT');
    const report = await t.runFilings(replica, [filing]);
    expect([report.filings[0]?.status, report.requests]).toEqual(['fetched', 1]);
    expect(await readFile(join(folder(), 't_htm.xml'))).toEqual(body);
  });
});
