import type { FileHandle } from 'node:fs/promises';

/** Local name of the root element of each kind of XBRL document. */
const roots = { instance: 'xbrl', schema: 'schema', linkbase: 'linkbase' } as const;

/** The kinds of XBRL document that can be checked. */
export type XbrlDocumentKind = keyof typeof roots;

const headBytes = 65_536;
const tailBytes = 65_536;

/**
 * Says what is wrong with a downloaded XBRL document, or null: after comments and instructions it must open
 * with the root element of its kind (an error page or a document with a DOCTYPE does not) and end by closing it
 * (a body cut short does not).
 *
 * Reads the two ends of the file; whether what is between is well-formed, the parser says.
 */
export async function checkXbrlDocument(
  file: FileHandle,
  { size, kind }: { size: number; kind: XbrlDocumentKind },
): Promise<string | null> {
  const head = (await readAt(file, { position: 0, bytes: Math.min(size, headBytes) })).replace(/^\ufeff/, '');
  const start = rootStart(head);
  const root =
    start === null ? null : /^<((?:[\w.-]+:)?([\w.-]+))[\s/>]/.exec(head.slice(start, start + 300));
  if (start === null || root?.[1] === undefined || root[2] !== roots[kind]) {
    return `it does not begin with a ${roots[kind]} element`;
  }
  const at = Math.max(0, size - tailBytes);
  const tail = withoutTrailingMisc(await readAt(file, { position: at, bytes: size - at }));
  const close = tail.lastIndexOf('</');
  const last = close < 0 ? '' : tail.slice(close + 2);
  const closed = last.endsWith('>') && last.slice(0, -1).trimEnd() === root[1];
  const empty =
    size <= headBytes && tail.endsWith('/>') && head.indexOf('>', start) === head.lastIndexOf('>');
  return closed || empty ? null : `it does not end with its ${roots[kind]} element`;
}

async function readAt(
  file: FileHandle,
  { position, bytes }: { position: number; bytes: number },
): Promise<string> {
  const buffer = Buffer.alloc(bytes);
  await file.read(buffer, 0, bytes, position);
  return buffer.toString('utf8');
}

/** Index of the first tag that is neither declaration, instruction nor comment; null when there is none. */
function rootStart(head: string): number | null {
  const blank = /\s*/y;
  let at = 0;
  for (;;) {
    blank.lastIndex = at;
    at += blank.exec(head)?.[0].length ?? 0;
    const end = head.startsWith('<?', at) ? '?>' : head.startsWith('<!--', at) ? '-->' : null;
    if (end === null) return head[at] === '<' ? at : null;
    const next = head.indexOf(end, at);
    if (next < 0) return null;
    at = next + end.length;
  }
}

function withoutTrailingMisc(tail: string): string {
  let text = tail.trimEnd();
  for (;;) {
    const open = text.endsWith('-->') ? '<!--' : text.endsWith('?>') ? '<?' : null;
    const at = open === null ? -1 : text.lastIndexOf(open);
    if (at < 0) return text;
    text = text.slice(0, at).trimEnd();
  }
}
