import { ExactDecimal } from './exactDecimal.ts';

/** What `canon-1` can print: JSON plus exact decimals. Members with value `undefined` are omitted. */
export type CanonicalValue =
  | null
  | boolean
  | number
  | string
  | ExactDecimal
  | readonly CanonicalValue[]
  | { readonly [member: string]: CanonicalValue | undefined };

/**
 * Prints a value in the canonical form `canon-1`: RFC 8785 (members sorted by UTF-16 code unit, ECMAScript
 * number form), with one exception: an {@link ExactDecimal} is printed with its exact digits (I4.32, M10.8).
 *
 * @throws TypeError on NaN, infinities, lone surrogates or values JSON does not know.
 */
export function canonicalJson(value: CanonicalValue): string {
  const out: string[] = [];
  write(value, out);
  return out.join('');
}

function write(value: CanonicalValue, out: string[]): void {
  if (value === null) {
    out.push('null');
  } else if (typeof value === 'string') {
    out.push(quote(value));
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`canon-1 cannot print ${value}`);
    out.push(Object.is(value, -0) ? '0' : String(value));
  } else if (typeof value === 'boolean') {
    out.push(value ? 'true' : 'false');
  } else if (value instanceof ExactDecimal) {
    out.push(value.toString());
  } else if (Array.isArray(value)) {
    out.push('[');
    value.forEach((item, i) => {
      if (i > 0) out.push(',');
      write(item, out);
    });
    out.push(']');
  } else if (typeof value === 'object') {
    const members = value as { readonly [member: string]: CanonicalValue | undefined };
    // default sort compares UTF-16 code units, which is what RFC 8785 §3.2.3 asks for
    const names = Object.keys(members).sort();
    let first = true;
    out.push('{');
    for (const name of names) {
      const member = members[name];
      if (member === undefined) continue;
      out.push(first ? '' : ',', quote(name), ':');
      first = false;
      write(member, out);
    }
    out.push('}');
  } else {
    throw new TypeError(`canon-1 cannot print a ${typeof value}`);
  }
}

function quote(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('canon-1 cannot print a lone surrogate');
  return JSON.stringify(text);
}

/** Members of an object by name, each printed in the form `canon-1`. */
type PrintedMembers = Readonly<Record<string, string>>;

/** Prints each member of an object by itself, so that what several objects share is printed once. */
export function printedMembers(value: object): PrintedMembers {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, canonicalJson(member)]));
}

/** The object of printed members, as {@link canonicalJson} prints it (I4.32). */
export function canonicalObject(members: PrintedMembers): string {
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${canonicalJson(name)}:${members[name]}`).join(',')}}`;
}
