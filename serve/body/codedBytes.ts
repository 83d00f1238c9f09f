import zlib from 'node:zlib';

export type ContentCoding = 'identity' | 'gzip' | 'zstd' | 'br';

/** Bytes that are the same for every reader, in each coding that is asked for. */
export type CodedBytes = {
  readonly bytes: Buffer;
  /** Made when it is first asked for. */
  coded(coding: ContentCoding): Buffer;
};

const smallest = 1024;

/** Wraps finished bytes. */
export function codedBytes(bytes: Buffer): CodedBytes {
  const made = new Map<ContentCoding, Buffer>();
  return {
    bytes,
    coded(coding) {
      const known = made.get(coding);
      if (known !== undefined) return known;
      const encoded = encode(bytes, coding);
      made.set(coding, encoded);
      return encoded;
    },
  };
}

/** The strong entity tag of bytes in one coding (I9.13). */
export function strongTag(value: string, coding: ContentCoding): string {
  return `"${value}${{ identity: '', gzip: '-gz', zstd: '-zst', br: '-br' }[coding]}"`;
}

/** True when compressing this many bytes is worth a coding (I9.20). */
export function worthCoding(length: number): boolean {
  return length >= smallest;
}

function encode(bytes: Buffer, coding: ContentCoding): Buffer {
  switch (coding) {
    case 'identity':
      return bytes;
    case 'gzip':
      return zlib.gzipSync(bytes);
    case 'zstd':
      return zlib.zstdCompressSync(bytes);
    case 'br':
      return zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } });
  }
}
