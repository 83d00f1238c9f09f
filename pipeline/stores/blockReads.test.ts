import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ByteRange, StoreReads } from '../../data/store/storeReads.ts';
import { blockReads } from './blockReads.ts';

function inMemory(objects: Map<string, Buffer>): StoreReads & { readonly asked: (ByteRange | null)[] } {
  const asked: (ByteRange | null)[] = [];
  return {
    asked,
    async read(name, range) {
      asked.push(range ?? null);
      const bytes = objects.get(name);
      if (bytes === undefined) return null;
      return range === undefined ? bytes : bytes.subarray(range.start, range.start + range.length);
    },
    list: async () => [],
    forget: () => undefined,
    close: () => undefined,
  };
}

describe('reads in blocks', () => {
  it('give the bytes that single reads give, for any ranges of any object', async () => {
    const range = fc.record({ start: fc.nat(80), length: fc.nat(40) });
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 64 }),
        fc.array(range, { minLength: 1, maxLength: 12 }),
        async (bytes, ranges) => {
          const plain = inMemory(new Map([['a', Buffer.from(bytes)]]));
          const blocks = blockReads(plain, { blockBytes: 16 });
          for (const one of ranges) {
            const expected = await plain.read('a', one);
            expect((await blocks.read('a', one))?.toString('hex')).toBe(expected?.toString('hex'));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('ask once for many small ranges, and again for what was forgotten or failed', async () => {
    const objects = new Map([['a', Buffer.from('0123456789')]]);
    const plain = inMemory(objects);
    const blocks = blockReads(plain, { blockBytes: 16 });
    for (let start = 0; start < 10; start += 1) await blocks.read('a', { start, length: 1 });
    expect(plain.asked).toEqual([{ start: 0, length: 16 }]);
    objects.set('a', Buffer.from('changed'));
    expect(String(await blocks.read('a', { start: 0, length: 2 }))).toBe('01');
    blocks.forget('a');
    expect(String(await blocks.read('a', { start: 0, length: 2 }))).toBe('ch');
    expect(await blocks.read('none', { start: 0, length: 2 })).toBeNull();
    objects.set('none', Buffer.from('there now'));
    blocks.forget('none');
    expect(String(await blocks.read('none', { start: 0, length: 5 }))).toBe('there');
  });
});
