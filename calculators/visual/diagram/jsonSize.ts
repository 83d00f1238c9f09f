export type JsonSize = {
  /** UTF-8 bytes of the compact JSON text. */
  readonly bytes: number;
  /** Pointer to a value that is no JSON, is nested too deep, or is text with a lone surrogate; null when all is well. */
  readonly broken: string | null;
};

const deepest = 32;

/** Counts what a value takes as compact JSON without writing it, and finds what cannot be written. */
export function jsonSize(value: unknown): JsonSize {
  let bytes = 0;
  let broken: string | null = null;
  const open: { value: unknown; path: string; depth: number }[] = [{ value, path: '', depth: 0 }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { value: item, path, depth } = at;
    if (depth > deepest) {
      broken ??= path;
    } else if (typeof item === 'string') {
      if (!item.isWellFormed()) broken ??= path;
      bytes += utf8Bytes(JSON.stringify(item));
    } else if (item === null || typeof item === 'boolean' || Number.isFinite(item)) {
      bytes += String(item).length;
    } else if (Array.isArray(item)) {
      bytes += 2 + Math.max(0, item.length - 1);
      for (let i = item.length - 1; i >= 0; i--)
        open.push({ value: item[i], path: `${path}/${i}`, depth: depth + 1 });
    } else if (typeof item === 'object') {
      const members = Object.entries(item).filter(([, member]) => member !== undefined);
      bytes += 2 + Math.max(0, members.length - 1);
      for (const [name, member] of members.toReversed()) {
        bytes += utf8Bytes(JSON.stringify(name)) + 1;
        open.push({ value: member, path: `${path}/${pointerPart(name)}`, depth: depth + 1 });
      }
    } else {
      broken ??= path;
    }
  }
  return { bytes, broken };
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** A name as a part of a JSON pointer (RFC 6901). */
export function pointerPart(name: string): string {
  return name.replace(/~/g, '~0').replace(/\//g, '~1');
}
