import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { packOf } from '../../fixtures/rigs/samplePack.ts';
import { objectReader } from './objectReader.ts';
import { packLibrary } from './packLibrary.ts';
import { storeNames } from './storeFiles.ts';
import type { StoreReads } from './storeReads.ts';

const plain = (text: string) => ({ bytes: Buffer.from(text), gzip: null, zstd: null });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const named = (text: string) => ({ sha256: sha256(text), bytes: text.length });
const packs = { packs: ['2026-02-07.1'], drawn: {} };
const own = packOf([plain('one\n'), plain('two\nmore\n')]);
const other = packOf([plain('of another pack')]);

/** A store that gives a wrong copy of a file until it is told to forget it. */
function lyingOnce(wrong: Readonly<Record<string, Buffer>>) {
  const right = new Map([
    [storeNames.pack('2026-02-07.1'), own.pack],
    [storeNames.index('2026-02-07.1'), own.index],
  ]);
  const lies = new Map(Object.entries(wrong));
  const forgotten: string[] = [];
  const reads: StoreReads = {
    async read(name, range) {
      const bytes = lies.get(name) ?? right.get(name);
      if (bytes === undefined) return null;
      return range === undefined ? bytes : bytes.subarray(range.start, range.start + range.length);
    },
    list: async () => [],
    forget(name, range) {
      lies.delete(name);
      forgotten.push(range === undefined ? name : `${name} ${range.start}+${range.length}`);
    },
    close() {},
  };
  return { library: packLibrary(reads), forgotten };
}

const reader = (wrong: Readonly<Record<string, Buffer>>, first = packs) => {
  const { library, forgotten } = lyingOnce(wrong);
  const schema_id = 'release_packs.v1' as const;
  const again = async () => ({ schema_id, ...packs });
  return { objects: objectReader({ library, packs: { schema_id, ...first }, again }), forgotten };
};

describe('reading objects of a release', () => {
  const pack = storeNames.pack('2026-02-07.1');
  const index = storeNames.index('2026-02-07.1');

  it.each([
    ['a cut index', { [index]: own.index.subarray(0, 90) }],
    ['the index of another pack', { [index]: other.index }],
    ['a cut pack', { [pack]: own.pack.subarray(0, 6) }],
    ['a pack of other bytes', { [pack]: Buffer.alloc(own.pack.length, 120) }],
  ])('forgets %s once and reads what lies there', async (_, wrong) => {
    const { objects, forgotten } = reader(wrong);
    expect(String((await objects.read(named('two\nmore\n'))).payload)).toBe('two\nmore\n');
    expect(forgotten.length).toBeGreaterThan(0);
  });

  it('reads packs.json again when the pack it names does not hold the object', async () => {
    const { objects } = reader(
      { [storeNames.index('2026-02-06.1')]: other.index },
      { packs: ['2026-02-06.1'], drawn: {} },
    );
    expect(String((await objects.read(named('one\n'))).payload)).toBe('one\n');
  });

  it('proves a range by its hash, forgets that range alone when it is wrong, and reads it once more', async () => {
    const range = { start: 4, end: 9, sha256: sha256('more\n') };
    const { objects, forgotten } = reader({ [pack]: Buffer.alloc(own.pack.length, 120) });
    expect(String(await objects.range(named('two\nmore\n'), range))).toBe('more\n');
    expect(forgotten).toContain(`${pack} 8+5`);
    const wrong = { ...range, sha256: sha256('other') };
    await expect(objects.range(named('two\nmore\n'), wrong)).rejects.toThrow(
      'the hash of a range is not the one in its index',
    );
  });
});
