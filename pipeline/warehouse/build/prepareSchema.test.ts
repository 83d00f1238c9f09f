import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programRoot } from '../../programRoot.ts';
import { importClosure, readerVersion } from './startBuild.ts';

describe('readerVersion', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'readers-'));
    for (const room of ['calculators', 'data/contract', 'data/store', 'pipeline'])
      await cp(join(programRoot, room), join(root, room), { recursive: true });
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it.each([
    'pipeline/warehouse/select/selectVintages.ts',
    'pipeline/warehouse/derived/stressRows.ts',
    'pipeline/warehouse/build/warehouseBuild.ts',
    'pipeline/warehouse/load/recordScan.ts',
    'pipeline/nightly/doctor.ts',
    'calculators/debt/resolveDebt.ts',
    'data/contract/errors/errorCodes.ts',
  ])('is the same after an edit of %s, which reads no input', async (file) => {
    const before = await readerVersion(root);
    await appendFile(join(root, file), '// edited\n');
    expect(await readerVersion(root)).toBe(before);
  });

  it.each([
    'pipeline/ingest/scanCompanyFacts.ts',
    'pipeline/ingest/scanWorker.ts',
    'pipeline/xbrl/effectiveArcs.ts',
    'pipeline/zip/readZipEntry.ts',
    'pipeline/source/submissionHeader.ts',
    'pipeline/warehouse/load/parseSubmissions.ts',
    'pipeline/warehouse/load/readFilingWorker.ts',
    'data/contract/values/exactDecimal.ts',
  ])('is another one after an edit of %s', async (file) => {
    const before = await readerVersion(root);
    await appendFile(join(root, file), '// edited\n');
    expect(await readerVersion(root)).not.toBe(before);
  });
});

describe('importClosure', () => {
  it('names the modules that Node loads, and the workers they start', async () => {
    const entries = ['pipeline/warehouse/inputs.ts', 'pipeline/ingest/ingestCompanyFacts.ts'];
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const at = (name) => new URL(name, ${JSON.stringify(pathToFileURL(programRoot).href)});
      for (const entry of ${JSON.stringify(entries)}) await import(at(entry));
      process.stdout.write(JSON.stringify(loaded));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const own = pathToFileURL(programRoot).href;
    const loaded = (JSON.parse(stdout) as string[])
      .filter((url) => url.startsWith(own) && !url.includes('/node_modules/'))
      .map((url) => url.slice(own.length));
    const workers = ['pipeline/ingest/scanWorker.ts', 'pipeline/warehouse/load/readFilingWorker.ts'];
    const expected = [...new Set([...loaded, ...workers])].sort();
    expect(await importClosure({ root: programRoot, entries })).toEqual(expected);
  });
});
