import { EntryFault } from '../zip/zipEntry.ts';

const maxDepth = 32;
const quoteByte = 0x22;
const backslash = 0x5c;

/**
 * Checks what `JSON.parse` lets pass: a key given twice in one object, a lone surrogate, nesting beyond 32 levels.
 *
 * Expects text that `JSON.parse` is going to read; syntax is left to it. Throws EntryFault.
 */
export function checkJson(text: string): void {
  // one set of keys per open object, null per open array
  const open: (Set<string> | null)[] = [];
  let at = 0;
  while (at < text.length) {
    const c = text.charCodeAt(at);
    if (c === quoteByte) {
      const end = stringEnd(text, at);
      if (end < 0) throw new EntryFault('its JSON is cut inside a string');
      checkString({ raw: text.slice(at, end), isKey: isKey(text, end), keys: open.at(-1) ?? null });
      at = end;
      continue;
    }
    if (c === 0x7b || c === 0x5b) {
      open.push(c === 0x7b ? new Set() : null);
      if (open.length > maxDepth) throw new EntryFault(`its JSON nests deeper than ${maxDepth} levels`);
    } else if (c === 0x7d || c === 0x5d) open.pop();
    at += 1;
  }
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return -1;
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === backslash && quote - 1 - backslashes > start)
      backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (/\s/.test(text.charAt(at))) at += 1;
  return text.charAt(at) === ':';
}

function checkString({ raw, isKey, keys }: { raw: string; isKey: boolean; keys: Set<string> | null }): void {
  const escaped = raw.includes('\\');
  if (!escaped && !isKey) return;
  const value = escaped ? decode(raw) : raw.slice(1, -1);
  if (escaped && !value.isWellFormed()) throw new EntryFault('a string holds a lone surrogate');
  if (!isKey || keys === null) return;
  if (keys.has(value)) throw new EntryFault(`the key ${JSON.stringify(value.slice(0, 60))} is given twice`);
  keys.add(value);
}

function decode(raw: string): string {
  try {
    return JSON.parse(raw) as string;
  } catch {
    throw new EntryFault('a string holds an invalid escape');
  }
}
