/** Bytes of a text of `0x` and an even number of hex digits whose syntax was checked before. */
export function bytesOfHex(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}

/** `0x` and lower-case hex digits. */
export function hexOfBytes(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}
