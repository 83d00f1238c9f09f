import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scanDirectorySource } from './directorySource.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'source-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(name: string): Promise<string> {
  const path = join(root, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, 'x');
  return path;
}

describe('scanDirectorySource', () => {
  it('uses what is there and names what is missing', async () => {
    const companyfacts = await put('edgar/companyfacts.zip');
    const eth = await put('prices/ETH.csv');
    const btc = await put('prices/BTC.csv');
    await put('prices/notes.txt');
    expect(await scanDirectorySource(root)).toEqual({
      root,
      paths: {
        companyfacts: [companyfacts],
        submissions: [],
        tickers: [],
        filings: [],
        instances: [],
        xbrl: [],
        current_reports: [],
        prices: [btc, eth],
        perps: [],
        stocks: [],
        universe: [],
      },
      missing: [
        'edgar/submissions.zip',
        'edgar/company_tickers_exchange.json',
        'edgar/filings/',
        'edgar/instances/index.csv',
        'edgar/current-reports/',
        'perps/*.csv',
        'stocks/*.csv',
        'universe.csv',
      ],
    });
  });

  it('ends with exit 3 when the directory is not there, is a file, or holds nothing usable', async () => {
    const failures = [join(root, 'nowhere'), await put('a-file'), root];
    for (const path of failures) {
      const error = await scanDirectorySource(path).catch((e) => e);
      expect(error.toCli()).toMatchObject({ exitCode: 3, code: 'input_missing' });
      expect(error.message).toContain(path);
    }
  });

  it('names an input that is a directory, a circle of links or a pipe-like oddity', async () => {
    await mkdir(join(root, 'edgar/companyfacts.zip'), { recursive: true });
    await expect(scanDirectorySource(root)).rejects.toThrow(/companyfacts\.zip is not a file/);
    await rm(join(root, 'edgar'), { recursive: true });
    await mkdir(join(root, 'edgar'));
    await symlink('submissions.zip', join(root, 'edgar/submissions.zip'));
    await expect(scanDirectorySource(root)).rejects.toThrow(/submissions\.zip cannot be read \(ELOOP\)/);
  });

  it('finds every documented input of the real directory', async (ctx) => {
    const shared = resolve('../shared/data');
    if (!existsSync(shared)) ctx.skip('../shared/data is not beside the project');
    const inputs = await scanDirectorySource(shared);
    expect(inputs.missing).toEqual([]);
    expect(inputs.paths.prices).toHaveLength(18);
  });
});
