import { isUtf8 } from 'node:buffer';

/** How deep and wide a text may be. */
export type JsonBounds = {
  /** Levels below the outermost value. */
  readonly depth: number;
  /** Members of one object. */
  readonly members: number;
  /** Elements of one array. */
  readonly elements: number;
};

// a client echoes our challenge, whose discovery schema reaches the eighth level below the payment
const paymentBounds: JsonBounds = { depth: 8, members: 64, elements: 64 };

/** Why a text is not the JSON a payment may be. */
export type JsonFault = 'not_utf8' | 'not_json' | 'too_complex';

/**
 * Parses hostile JSON: fatal UTF-8, no repeated members, and, by default at most 8 levels below the
 * outermost value and 64 members or elements each (P2.16, S19).
 */
export function boundedJson(
  bytes: Uint8Array,
  bounds: JsonBounds = paymentBounds,
): { readonly value: unknown } | { readonly fault: JsonFault } {
  if (!isUtf8(bytes)) return { fault: 'not_utf8' };
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const shape = scan(source, bounds);
  if (shape !== null) return { fault: shape };
  try {
    return { value: JSON.parse(source) };
  } catch {
    return { fault: 'not_json' };
  }
}

const quote = 34;
const backslash = 92;

type Level = {
  /** Names of an object so far; null: an array. They are few, so a list is searched. */
  readonly names: string[] | null;
  /** how many members or elements it may have */
  readonly most: number;
  count: number;
};

// JSON.parse keeps the last of two equal names and says nothing; a payment must mean one thing. One pass over the
// characters finds that, and depth and width before anything is built.
function scan(source: string, bounds: JsonBounds): JsonFault | null {
  const open: Level[] = [];
  let top: Level | undefined;
  // where the text before the next sign begins and ends; a name is a text before a colon
  let textStart = -1;
  let textEnd = -1;
  for (let at = 0; at < source.length; at += 1) {
    switch (source.charCodeAt(at)) {
      case quote:
        textStart = at;
        textEnd = endOfText(source, at);
        if (textEnd === -1) return 'not_json';
        at = textEnd;
        continue;
      case 123: // {
      case 91: // [
        if (open.length > bounds.depth) return 'too_complex';
        top =
          source.charCodeAt(at) === 123
            ? { names: [], most: bounds.members, count: 1 }
            : { names: null, most: bounds.elements, count: 1 };
        open.push(top);
        break;
      case 125: // }
      case 93: // ]
        open.pop();
        top = open.at(-1);
        break;
      case 44: // ,
        if (top !== undefined && ++top.count > top.most) return 'too_complex';
        break;
      case 58: // :
        if (textStart !== -1 && top !== undefined && top.names !== null) {
          const name = nameOf(source.slice(textStart, textEnd + 1));
          if (top.names.includes(name)) return 'not_json';
          // members that no comma parts are no JSON, and must not make the list long
          if (top.names.push(name) > bounds.members) return 'not_json';
        }
        break;
      default:
        // digits, literals and white space belong to no name
        continue;
    }
    textStart = -1;
  }
  return null;
}

/** Index of the quote that ends the text, -1 where there is none. */
function endOfText(source: string, start: number): number {
  for (let end = source.indexOf('"', start + 1); end !== -1; end = source.indexOf('"', end + 1)) {
    let first = end;
    while (source.charCodeAt(first - 1) === backslash) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return -1;
}

function nameOf(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
