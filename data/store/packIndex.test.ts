import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePackIndex, encodePackIndex, type PackedObject, type PackIndex } from './packIndex.ts';

const hashOf = (n: number) => createHash('sha256').update(String(n)).digest('hex');

function decoded(bytes: Buffer): PackIndex {
  const found = decodePackIndex(bytes);
  if ('fault' in found) throw new Error(found.fault);
  return found.index;
}

const coding = fc.option(fc.record({ length: fc.integer({ min: 1, max: 9999 }), crc32: fc.nat() }));
const objects = fc
  .array(fc.record({ length: fc.nat(1e6), gzip: coding, zstd: coding }), { maxLength: 40 })
  .map((list) => {
    let offset = 0;
    const placed = list.map((object, i): PackedObject => {
      const at = offset;
      offset += object.length + (object.gzip?.length ?? 0) + (object.zstd?.length ?? 0);
      return { sha256: hashOf(i), offset: at, ...object };
    });
    return { objects: placed, packLength: offset };
  });

describe('the index of a pack', () => {
  it('finds every object it was made of, and no other', () => {
    fc.assert(
      fc.property(objects, (pack) => {
        const index = decoded(encodePackIndex(pack));
        expect([index.count, index.packLength]).toEqual([pack.objects.length, pack.packLength]);
        for (const object of pack.objects) expect(index.find(object.sha256)).toEqual(object);
        expect(index.find(hashOf(-1))).toBeNull();
        expect(index.position(hashOf(-1))).toBe(-1);
        const all = [...index.all()];
        expect(all.map(({ sha256 }) => sha256)).toEqual(pack.objects.map(({ sha256 }) => sha256).sort());
        expect(all.map(({ sha256 }) => index.position(sha256))).toEqual(all.map((_, i) => i));
      }),
    );
  });

  it('is 64 bytes an object beside 56', () => {
    const object = { sha256: hashOf(1), offset: 0, length: 5, gzip: null, zstd: null };
    expect(encodePackIndex({ objects: [], packLength: 0 })).toHaveLength(56);
    expect(encodePackIndex({ objects: [object], packLength: 5 })).toHaveLength(120);
  });

  it('is refused with any byte changed, or cut anywhere', () => {
    const lengths = [7, 11];
    const bytes = encodePackIndex({
      objects: lengths.map((length, i) => ({
        sha256: hashOf(i),
        offset: 7 * i,
        length,
        gzip: null,
        zstd: null,
      })),
      packLength: 18,
    });
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(decodePackIndex(changed)).toHaveProperty('fault');
      expect(decodePackIndex(bytes.subarray(0, at))).toHaveProperty('fault');
    }
    expect(decodePackIndex(Buffer.concat([bytes, Buffer.from('x')]))).toEqual({ fault: 'it is cut short' });
  });

  it('that puts an object outside of its pack, or one object twice, is refused whatever its checksum', () => {
    const object = { sha256: hashOf(1), offset: 3, length: 5, gzip: null, zstd: { length: 2, crc32: 1 } };
    expect(decodePackIndex(encodePackIndex({ objects: [object], packLength: 9 }))).toEqual({
      fault: 'an object lies outside of its pack',
    });
    expect(decodePackIndex(encodePackIndex({ objects: [object, object], packLength: 10 }))).toEqual({
      fault: 'its objects are out of order',
    });
  });
});
