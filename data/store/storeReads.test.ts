import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryReads, type StoreReads } from './storeReads.ts';

let root: string;
let reads: StoreReads;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'store-reads-'));
  mkdirSync(join(root, 'packs'));
  for (const name of ['a', 'b', 'c']) writeFileSync(join(root, 'packs', name), `${name}123456789`);
  reads = directoryReads({ root, keepOpen: 2 });
});
afterEach(() => {
  reads.close();
  rmSync(root, { recursive: true, force: true });
});

const text = async (name: string, start: number, length: number) =>
  String(await reads.read(`packs/${name}`, { start, length }));
/** Files below the root that this process has open. */
const open = () =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(root) ? [path.slice(root.length + 7)] : [];
    } catch {
      return [];
    }
  });

describe('reading a store in a directory', () => {
  it('gives ranges, fewer bytes at the end, and null for what is not there', async () => {
    expect(await text('a', 0, 3)).toBe('a12');
    expect(await text('a', 8, 9)).toBe('89');
    expect(await text('a', 99, 9)).toBe('');
    expect(await reads.read('packs/none', { start: 0, length: 1 })).toBeNull();
    expect(await reads.read('packs/none')).toBeNull();
    expect(await reads.read('packs/a/below')).toBeNull();
    expect(String(await reads.read('packs/b'))).toBe('b123456789');
    expect((await reads.list('packs/')).sort()).toEqual(['a', 'b', 'c']);
    expect(await reads.list('nothing/')).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')(
    'keeps no more files open than it may, those used last',
    async () => {
      for (const name of ['a', 'b', 'c', 'b', 'a']) await text(name, 0, 1);
      expect(open().sort()).toEqual(['a', 'b']);
      await Promise.all(Array.from({ length: 30 }, (_, i) => text('abc'.charAt(i % 3), 1, 3)));
      expect(open().length).toBeLessThanOrEqual(2);
      reads.close();
      await expect.poll(open).toEqual([]);
    },
  );

  it('reads a file that was removed meanwhile to its end, and what replaced it once it is forgotten', async () => {
    expect(await text('a', 0, 2)).toBe('a1');
    writeFileSync(join(root, 'packs/new'), 'new bytes');
    renameSync(join(root, 'packs/new'), join(root, 'packs/a'));
    expect(await text('a', 0, 3)).toBe('a12');
    reads.forget('packs/a');
    expect(await text('a', 0, 3)).toBe('new');
  });
});
