import zlib from 'node:zlib';

/** The CRC-32 of constant bytes, ready to be appended to another without reading the bytes again. */
export type AppendedCrc = {
  /** CRC-32 of what has the given one, followed by these bytes. */
  after(crc: number): number;
};

/**
 * Prepares the CRC-32 of bytes (RFC 1952 §8). The checksum of a whole is that of its first part moved on by the length of
 * the second, which is a multiplication by x^(8 × length) modulo the polynomial, plus that of the second.
 */
export function appendedCrc(bytes: Uint8Array): AppendedCrc {
  const own = zlib.crc32(bytes);
  const shift = powerOfX(bytes.length * 8);
  return { after: (crc) => (product(shift, crc) ^ own) >>> 0 };
}

// polynomials over two elements, modulo that of CRC-32; the highest bit is the coefficient of x^0
const polynomial = 0xedb88320;
const one = 0x8000_0000;
const x = 0x4000_0000;

// masks in place of branches, which a processor guesses wrong half the time
function product(a: number, b: number): number {
  let sum = 0;
  let shifted = b | 0;
  for (let power = 0; power < 32; power += 1) {
    sum ^= shifted & ((a << power) >> 31);
    shifted = (shifted >>> 1) ^ (polynomial & -(shifted & 1));
  }
  return sum >>> 0;
}

function powerOfX(exponent: number): number {
  let power = one;
  let square = x;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = product(power, square);
    square = product(square, square);
  }
  return power;
}
