import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storedZip } from '../../../fixtures/replicas/edgarFiles.ts';
import { checkContent } from './checkContent.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'content-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function check(kind: 'zip' | 'json', bytes: Buffer | string): Promise<string | null> {
  const path = join(directory, 'file');
  await writeFile(path, bytes);
  return checkContent({ path, kind });
}

describe('content check', () => {
  const zip = storedZip({ seed: 5, size: 3_000 });

  it('accepts an archive, with and without a comment', async () => {
    expect(await check('zip', zip)).toBeNull();
    const commented = Buffer.concat([zip, Buffer.from('PK\x05\x06 made today')]);
    commented.writeUInt16LE(commented.length - zip.length, zip.length - 2);
    expect(await check('zip', commented)).toBeNull();
  });

  it('refuses every proper prefix of an archive', async () => {
    for (let cut = 1; cut < zip.length; cut += 97) {
      expect(await check('zip', zip.subarray(0, zip.length - cut))).not.toBeNull();
    }
  });

  it.each([
    ['nothing', ''],
    ['an error page', `<html>${'x'.repeat(500)}</html>`],
    ['an end record that points elsewhere', Buffer.concat([Buffer.alloc(50), zip])],
    ['bytes after the end', Buffer.concat([zip, Buffer.alloc(3)])],
  ])('refuses %s as a zip', async (_, bytes) => {
    expect(await check('zip', bytes)).not.toBeNull();
  });

  it('accepts a JSON object and nothing else', async () => {
    expect(await check('json', '{"a":[1]}')).toBeNull();
    for (const text of ['', '[]', '1', 'null', '{"a":', '<html>']) {
      expect(await check('json', text)).not.toBeNull();
    }
  });
});
