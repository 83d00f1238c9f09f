import { Buffer } from 'node:buffer';
import { type CanonicalValue, canonicalJson } from '../../contract/values/canonicalJson.ts';

/** The value of one member: stored bytes, a list of stored rows, or something generated (I4.33). */
export type MemberValue = Buffer | readonly Buffer[] | CanonicalValue;

/** Members by name; one that is undefined is omitted. */
export type Members = ReadonlyMap<string, MemberValue> | Readonly<Record<string, MemberValue | undefined>>;

const comma = Buffer.from(',');

/**
 * Assembles an object without its closing brace in the order of `canon-1`, so that its hash can be recomputed from
 * the answer (I4.32). Stored bytes go in as they are.
 */
export function assembleObject(members: Members): Buffer {
  const values = new Map<string, MemberValue>(members instanceof Map ? members : Object.entries(members));
  const parts: Buffer[] = [];
  for (const name of [...values.keys()].sort()) {
    const value = values.get(name);
    if (value === undefined) continue;
    parts.push(Buffer.from(`${parts.length === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    if (Buffer.isBuffer(value)) parts.push(value);
    else if (isRows(value)) pushRows(parts, value);
    else parts.push(Buffer.from(canonicalJson(value as CanonicalValue)));
  }
  if (parts.length === 0) parts.push(Buffer.from('{'));
  return Buffer.concat(parts);
}

function isRows(value: MemberValue): value is readonly Buffer[] {
  return Array.isArray(value) && value.every(Buffer.isBuffer);
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
