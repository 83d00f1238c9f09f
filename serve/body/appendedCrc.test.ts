import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendedCrc } from './splice.ts';

describe('an appended CRC-32', () => {
  it('of any two parts is that of the whole', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 3000 }), (first, second) => {
        const whole = zlib.crc32(Buffer.concat([first, second]));
        expect(appendedCrc(second)(zlib.crc32(first))).toBe(whole);
      }),
    );
  });

  it('of nothing changes nothing, and of a long part is right as well', () => {
    const long = Buffer.alloc(5_000_000, 'ledger');
    expect(appendedCrc(new Uint8Array(0))(0xdeadbeef)).toBe(0xdeadbeef);
    const whole = zlib.crc32(Buffer.concat([Buffer.from('a'), long]));
    expect(appendedCrc(long)(zlib.crc32('a'))).toBe(whole);
  });
});
