// a client echoes our challenge, whose discovery schema reaches the eighth level below the payment
const maxDepth = 8;
const maxMembers = 64;

/** Why a text is not the JSON a payment may be. */
export type JsonFault = 'not_utf8' | 'not_json' | 'too_complex';

/**
 * Parses hostile JSON: fatal UTF-8, no repeated members, at most 8 levels below the outermost value and 64 members
 * or elements each (P2.16, S19).
 */
export function boundedJson(bytes: Uint8Array): { readonly value: unknown } | { readonly fault: JsonFault } {
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { fault: 'not_utf8' };
  }
  const shape = scan(source);
  if (shape !== null) return { fault: shape };
  try {
    return { value: JSON.parse(source) };
  } catch {
    return { fault: 'not_json' };
  }
}

// JSON.parse keeps the last of two equal names and says nothing; a payment must mean one thing. One pass over the
// tokens finds that, and depth and width before anything is built.
function scan(source: string): JsonFault | null {
  const open: { names: Set<string> | null; count: number }[] = [];
  // a quote that opens no text ends the scan: looked for from every quote of a line, its end costs the square of it
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,"]/g;
  let pending: string | null = null;
  for (let found = token.exec(source); found !== null; found = token.exec(source)) {
    const [piece] = found;
    const top = open.at(-1);
    switch (piece) {
      case '"':
        return 'not_json';
      case '{':
      case '[':
        if (open.length > maxDepth) return 'too_complex';
        open.push({ names: piece === '{' ? new Set() : null, count: 1 });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (top !== undefined && ++top.count > maxMembers) return 'too_complex';
        break;
      case ':':
        if (pending !== null && top?.names !== null && top?.names !== undefined) {
          if (top.names.has(pending)) return 'not_json';
          top.names.add(pending);
        }
        break;
    }
    pending = piece.charCodeAt(0) === 34 ? nameOf(piece) : null;
  }
  return null;
}

function nameOf(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
