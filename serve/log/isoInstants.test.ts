import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoInstants } from './isoInstants.ts';

describe('instants', () => {
  it('read like the platform prints them, in any order', () => {
    const print = isoInstants();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.nat(3000), (ms, later) => {
        for (const at of [ms, ms + later, ms]) {
          const platform = new Date(at).toISOString();
          expect(print.milliseconds(at)).toBe(platform);
          expect(print.seconds(at)).toBe(`${platform.slice(0, 19)}Z`);
        }
      }),
    );
  });
});
