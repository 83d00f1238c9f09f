import { constants, deflateRawSync, zstdCompressSync } from 'node:zlib';

// fixed header: no name, no time, maximum compression, unknown system, so the bytes are the same everywhere
const gzipHeader = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255);

/**
 * The gzip body of a JSON object left open before its last `}`: header and deflate blocks ended by a sync
 * flush, no final block and no trailer, so that a suffix can follow as one more block.
 */
export function openGzipBody(payload: Uint8Array): Uint8Array {
  const blocks = deflateRawSync(withoutLastBrace(payload), {
    level: 9,
    memLevel: 9,
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  return Buffer.concat([gzipHeader, blocks]);
}

/** The zstd body of a JSON object left open before its last `}`: one whole frame; a suffix is a second frame. */
export function openZstdBody(payload: Uint8Array): Uint8Array {
  const open = withoutLastBrace(payload);
  return zstdCompressSync(open, {
    pledgedSrcSize: open.length,
    params: { [constants.ZSTD_c_compressionLevel]: 12 },
  });
}

/** @throws TypeError when the payload does not end with `}`. */
export function withoutLastBrace(payload: Uint8Array): Uint8Array {
  if (payload.at(-1) !== 0x7d) throw new TypeError('an open body needs a JSON object');
  return payload.subarray(0, -1);
}
