import { Buffer } from 'node:buffer';
import { type CanonicalValue, canonicalJson } from '../../contract/values/canonicalJson.ts';

/** The value of one member: stored bytes, a list of stored rows, or something generated (I4.33). */
export type MemberValue =
  | { readonly stored: Buffer }
  | { readonly rows: readonly Buffer[] }
  | { readonly made: CanonicalValue };

export type Members = ReadonlyMap<string, MemberValue>;

const comma = Buffer.from(',');

/**
 * Assembles an object without its closing brace in the order of `canon-1`, so that its hash can be recomputed from
 * the answer (I4.32). Stored bytes go in as they are.
 */
export function assembleObject(members: Members): Buffer {
  const parts: Buffer[] = [];
  for (const name of [...members.keys()].sort()) {
    const value = members.get(name);
    if (value === undefined) continue;
    parts.push(Buffer.from(`${parts.length === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    if ('stored' in value) parts.push(value.stored);
    else if ('made' in value) parts.push(Buffer.from(canonicalJson(value.made)));
    else pushRows(parts, value.rows);
  }
  if (parts.length === 0) parts.push(Buffer.from('{'));
  return Buffer.concat(parts);
}

/** A JSON array of values that are bytes already. */
export function listOf(rows: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [];
  pushRows(parts, rows);
  return Buffer.concat(parts);
}

function pushRows(parts: Buffer[], rows: readonly Buffer[]): void {
  parts.push(Buffer.from('['));
  rows.forEach((row, i) => {
    if (i > 0) parts.push(comma);
    parts.push(row);
  });
  parts.push(Buffer.from(']'));
}

/** An open object with its brace. */
export function closed(open: Buffer): Buffer {
  return Buffer.concat([open, Buffer.from('}')]);
}
