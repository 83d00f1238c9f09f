import zlib from 'node:zlib';
import type { Coding, OpenBodies } from './answer/openBodies.ts';

/** A finished body: chunks in sending order and the digest over exactly these bytes (I9.14). */
export type SplicedBody = {
  readonly chunks: readonly Uint8Array[];
  /** RFC 9530 field value. */
  readonly contentDigest: string;
};

// the suffix is a few KiB, so a small window costs no size and saves most of the set-up
const suffixDeflate = { level: 1, windowBits: 12, memLevel: 4 } as const;
const suffixZstd = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } } as const;

/**
 * Ends an open body with a suffix (`,"member":…}`): plain bytes as they are, gzip with a final block and a
 * trailer that continues the stored CRC-32, zstd with a second frame (ARCHITECTURE 6.3, I9.20).
 */
export function splice(o: { bodies: OpenBodies; coding: Coding; suffix: string }): SplicedBody {
  const open = o.bodies.body(o.coding);
  const tail = encodeTail(o.bodies, o.coding, Buffer.from(o.suffix));
  const digest = open.digestState.copy().update(tail).digest('base64');
  return { chunks: [open.bytes, tail], contentDigest: `sha-256=:${digest}:` };
}

function encodeTail(bodies: OpenBodies, coding: Coding, suffix: Buffer): Buffer {
  switch (coding) {
    case 'identity':
      return suffix;
    case 'gzip': {
      const block = zlib.deflateRawSync(suffix, suffixDeflate);
      const tail = Buffer.allocUnsafe(block.length + 8);
      block.copy(tail);
      tail.writeUInt32LE(zlib.crc32(suffix, bodies.crc32), block.length);
      tail.writeUInt32LE((bodies.length + suffix.length) >>> 0, block.length + 4);
      return tail;
    }
    case 'zstd':
      return zlib.zstdCompressSync(suffix, suffixZstd);
  }
}
