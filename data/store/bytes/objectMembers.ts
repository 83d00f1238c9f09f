import type { Buffer } from 'node:buffer';

/**
 * The members of a canonical JSON object as the byte ranges they lie in: names in stored order, values untouched and
 * never read.
 *
 * @param open the object without its closing brace
 * @throws TypeError when the bytes are no canonical JSON object
 */
export function objectMembers(open: Buffer): ReadonlyMap<string, Buffer> {
  const members = new Map<string, Buffer>();
  let at = 1;
  while (at < open.length) {
    const nameEnd = endOfString(open, at);
    if (open[nameEnd] !== colon) throw new TypeError('a member has no value');
    const name = JSON.parse(open.toString('utf8', at, nameEnd)) as string;
    const valueEnd = endOfValue(open, nameEnd + 1);
    members.set(name, open.subarray(nameEnd + 1, valueEnd));
    at = valueEnd + 1;
  }
  return members;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);

function endOfString(open: Buffer, start: number): number {
  if (open[start] !== quote) throw new TypeError('a member has no name');
  let at = start + 1;
  while (at < open.length && open[at] !== quote) at += open[at] === backslash ? 2 : 1;
  if (at >= open.length) throw new TypeError('a string has no end');
  return at + 1;
}

// the closing brace of the object itself is not part of an open body, so its last value ends with the bytes
function endOfValue(open: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  while (at < open.length) {
    const byte = open[at] ?? 0;
    if (byte === quote) {
      at = endOfString(open, at);
      continue;
    }
    if (depth === 0 && byte === comma) return at;
    if (opening.has(byte)) depth += 1;
    else if (closing.has(byte)) depth -= 1;
    at += 1;
  }
  return at;
}
