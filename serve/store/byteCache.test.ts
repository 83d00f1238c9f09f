import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteCache } from './byteCache.ts';

describe('byteCache', () => {
  it('forgets what was unused for longest', () => {
    const cache = byteCache<string>(10);
    cache.set('a', 'A', 4);
    cache.set('b', 'B', 4);
    cache.get('a');
    cache.set('c', 'C', 4);
    expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.bytes]).toEqual(['A', undefined, 'C', 8]);
    cache.set('huge', 'H', 11);
    expect([cache.get('huge'), cache.bytes]).toEqual([undefined, 8]);
    cache.set('a', 'A2', 6);
    expect([cache.get('a'), cache.bytes]).toEqual(['A2', 10]);
  });

  it('drops used entries when all were used', () => {
    const cache = byteCache<number>(3);
    for (const key of ['a', 'b', 'c']) cache.set(key, 1, 1);
    for (const key of ['a', 'b', 'c']) cache.get(key);
    cache.set('d', 1, 2);
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([undefined, undefined, 1, 1]);
  });

  it('never holds more than its bytes, always the newest, and only what was set', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      size: fc.integer({ min: 0, max: 12 }),
      read: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cache = byteCache<number>(10);
        const last = new Map<string, { value: number; size: number }>();
        steps.forEach(({ key, size, read }, value) => {
          if (read) {
            const found = cache.get(key);
            if (found !== undefined) expect(found).toBe(last.get(key)?.value);
            return;
          }
          cache.set(key, value, size);
          last.set(key, { value, size });
          expect(cache.bytes).toBeLessThanOrEqual(10);
          expect(cache.get(key)).toBe(size > 10 ? undefined : value);
        });
        const held = [...last].filter(([key]) => cache.get(key) !== undefined);
        expect(cache.bytes).toBe(held.reduce((sum, [, { size }]) => sum + size, 0));
      }),
    );
  });
});
