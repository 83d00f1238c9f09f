import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inMemory, instance, reasons, schema } from '../../fixtures/builders/filingInMemory.ts';
import { writeZip } from '../../fixtures/builders/zipWriter.ts';
import { filesOfFolder, filesOfInstance, filesOfZip } from './filingFolder.ts';
import { boundedFiles, loadFiling } from './loadFiling.ts';

const fact = '<gaap:Assets contextRef="c" unitRef="usd" decimals="0">5</gaap:Assets>';
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'filing-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const text = async (files: ReturnType<typeof filesOfFolder>, name: string): Promise<string> =>
  Buffer.from(await files.read(name)).toString();

describe('files of a filing', () => {
  it('come from the folder, plain or gzip, and from its zip where the folder has none', async () => {
    put('own_htm.xml.gz', gzipSync('loose instance'));
    put('own.xsd', 'loose schema');
    const entries = ['own.xsd', 'own_cal.xml'].map((name) => ({ name, data: Buffer.from(`zipped ${name}`) }));
    put('0000001234-25-000001-xbrl.zip', writeZip(entries));
    const files = filesOfFolder(folder);
    expect(await files.list()).toEqual([
      '0000001234-25-000001-xbrl.zip',
      'own.xsd',
      'own_cal.xml',
      'own_htm.xml',
    ]);
    expect(await text(files, 'own_htm.xml')).toBe('loose instance');
    expect(await text(files, 'own.xsd')).toBe('loose schema');
    expect(await text(files, 'own_cal.xml')).toBe('zipped own_cal.xml');
    await expect(files.read('other.xsd')).rejects.toThrow('it is not in the archive');
  });

  it('stay when the zip beside them is damaged', async () => {
    put('own.xsd', 'loose schema');
    put('a-xbrl.zip', 'no zip at all');
    expect(await filesOfFolder(folder).list()).toEqual(['a-xbrl.zip', 'own.xsd']);
  });

  it('of a damaged archive are none, with the reason as defect', async () => {
    const files = filesOfZip(put('a-xbrl.zip', 'no zip at all'));
    const loaded = await loadFiling({ cik: '1234', accession: 'x', files });
    expect(reasons(loaded)[0]).toContain('instance: the files cannot be listed: The archive cannot be read');
  });

  it('of a single instance are that instance alone, plain or gzip', async () => {
    for (const path of [put('own_htm.xml', instance(fact)), put('b_htm.xml.gz', gzipSync(instance(fact)))]) {
      const loaded = await loadFiling({ cik: '1234', accession: 'x', files: filesOfInstance(path) });
      expect(loaded.facts.length).toBe(1);
      expect(reasons(loaded)).toEqual([
        'schema: own-20250930.xsd is missing',
        'schema: the filing has no schema that can be used',
        'calculation: the filing has no summation-item arc that can be used',
      ]);
    }
  });

  it('refuse damaged gzip data and gzip data that grows beyond 256 MiB', async () => {
    const bomb = gzipSync(Buffer.alloc(257 * 1024 * 1024), { level: 9 });
    expect(bomb.length).toBeLessThan(400_000);
    for (const bytes of [bomb, bomb.subarray(0, 100_000), Buffer.from('plain')]) {
      await expect(filesOfInstance(put('own_htm.xml.gz', bytes)).read('own_htm.xml')).rejects.toThrow(
        'it is damaged gzip data or holds more than 268435456 bytes',
      );
    }
  });

  it('are no longer read once a filing is larger than its bound', async () => {
    const files = inMemory({ a: 'x'.repeat(10), b: 'y', c: 'z' });
    const bounded = boundedFiles(files, 10);
    await bounded.read('a');
    await bounded.read('b');
    await expect(bounded.read('c')).rejects.toThrow('the filing has more than 10 bytes');
    expect(files.reads).toEqual(['a', 'b']);
  });

  it('that cannot be reached at all are an error of the system, not of the filing', async () => {
    const files = filesOfFolder(join(folder, 'nowhere'));
    await expect(loadFiling({ cik: '1234', accession: 'x', files })).rejects.toThrow('ENOENT');
  });
});

describe('the instance of a fee exhibit', () => {
  it('does not win over the one whose schema is in the filing, however many facts it has', async () => {
    put('own_htm.xml', instance(fact));
    put('ex107_htm.xml', instance(fact.repeat(9), { schema: 'https://xbrl.sec.gov/ffd/2025/ffd-2025.xsd' }));
    put('own-20250930.xsd', schema());
    const loaded = await loadFiling({ cik: '1234', accession: 'x', files: filesOfFolder(folder) });
    expect(loaded.facts.length).toBe(1);
    expect(reasons(loaded)).toContain('instance: 1 further instances not used: ex107_htm.xml');
  });
});
