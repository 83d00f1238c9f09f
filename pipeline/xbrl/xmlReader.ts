import { isUtf8 } from 'node:buffer';
import { SaxesParser } from 'saxes';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { EntryFault } from '../zip/zipEntry.ts';

/** An attribute with its namespace; unprefixed attributes have the empty one. */
type XmlAttribute = { readonly uri: string; readonly local: string; readonly value: string };

/** A start tag with names resolved; attributes are keyed by their qualified name. */
export type XmlElement = {
  readonly uri: string;
  readonly local: string;
  readonly prefix: string;
  readonly attributes: Readonly<Record<string, XmlAttribute>>;
  /** Namespaces declared on this very tag, by prefix (empty for the default). */
  readonly ns: Readonly<Record<string, string>>;
};

/** What a document is reported to; the root has depth 1. */
export type XmlHandler = {
  open(element: XmlElement, depth: number): void;
  /** Character data and CDATA; may come in several pieces. */
  text(text: string): void;
  close(element: XmlElement, depth: number): void;
};

/** Namespace bound to a prefix where the reader stands, inside `open` and `close`; undefined when unbound. */
export type ResolvePrefix = (prefix: string) => string | undefined;

export type XmlLimits = {
  readonly bytes: number;
  readonly depth: number;
  readonly attributes: number;
  /** characters of one attribute value */
  readonly attributeLength: number;
  /** characters of one piece of text; text blocks of whole notes are text */
  readonly textLength: number;
};

/** Far above what EDGAR accepts, far below what hurts. */
export const defaultXmlLimits: XmlLimits = {
  bytes: 256 * 1024 * 1024,
  depth: 256,
  attributes: 1024,
  attributeLength: 65_536,
  textLength: 32 * 1024 * 1024,
};

/**
 * Reads one XML document with namespaces and tells `handler` what it holds, in document order.
 *
 * Entities other than the five predefined ones do not exist and a document type declaration is refused, so nothing
 * outside the bytes is ever read. Throws XmlFault for that, for ill-formed text, for an encoding problem and beyond
 * a limit.
 */
export function readXml(input: {
  bytes: Uint8Array;
  handler: (resolve: ResolvePrefix) => XmlHandler;
  limits?: Partial<XmlLimits>;
}): void {
  const limits = { ...defaultXmlLimits, ...input.limits };
  if (input.bytes.byteLength > limits.bytes) throw new XmlFault(`it has more than ${limits.bytes} bytes`);
  const parser = new SaxesParser({ xmlns: true });
  const handler = input.handler((prefix) => parser.resolve(prefix));
  let depth = 0;
  let attributes = 0;
  const text = (piece: string): void => {
    if (piece.length > limits.textLength)
      throw new XmlFault(`a text has more than ${limits.textLength} characters`);
    if (depth > 0) handler.text(piece);
  };
  parser.on('error', (error) => {
    throw new XmlFault(`it is not well-formed (${shownText(error.message, 120)})`);
  });
  parser.on('doctype', () => {
    throw new XmlFault('it has a document type declaration');
  });
  parser.on('attribute', (attribute) => {
    attributes += 1;
    if (attributes > limits.attributes)
      throw new XmlFault(`a tag has more than ${limits.attributes} attributes`);
    if (attribute.value.length > limits.attributeLength) {
      throw new XmlFault(`an attribute has more than ${limits.attributeLength} characters`);
    }
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    attributes = 0;
    if (depth > limits.depth) throw new XmlFault(`its elements nest deeper than ${limits.depth}`);
    handler.open(tag, depth);
  });
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('closetag', (tag) => {
    handler.close(tag, depth);
    depth -= 1;
  });
  for (const chunk of decodeXml(input.bytes)) parser.write(chunk);
  parser.close();
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'us-ascii' | 'iso-8859-1' | 'windows-1252';

const declarationPattern = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]{1,40})["']/;
const chunk = 65_536;

/** The encodings EDGAR documents declare, by their registered names in lower case. */
const byName: Readonly<Record<string, Encoding>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'us-ascii',
  ascii: 'us-ascii',
  'iso-8859-1': 'iso-8859-1',
  latin1: 'iso-8859-1',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
};

/**
 * Yields the characters of an XML document in pieces, decoded by its byte order mark or its declaration
 * (UTF-8, UTF-16 with a mark, US-ASCII, ISO-8859-1, Windows-1252).
 *
 * Throws XmlFault for another encoding, or bytes the declared one does not have.
 */
function* decodeXml(bytes: Uint8Array): Generator<string> {
  const { encoding, start } = encodingOf(bytes);
  const body = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start);
  if (encoding === 'utf-8' || encoding === 'us-ascii') {
    if (!isUtf8(body)) throw new XmlFault('it holds bytes that are not UTF-8');
    if (encoding === 'us-ascii' && body.some((byte) => byte > 0x7f)) {
      throw new XmlFault('it holds bytes that are not US-ASCII, which it declares');
    }
    yield* decodeUtf8(body);
  } else if (encoding === 'iso-8859-1') {
    for (let at = 0; at < body.length; at += chunk) yield body.toString('latin1', at, at + chunk);
  } else {
    yield* decodeWith(body, encoding);
  }
}

function encodingOf(bytes: Uint8Array): { encoding: Encoding; start: number } {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', start: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', start: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', start: 2 };
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(256, bytes.byteLength)).toString(
    'latin1',
  );
  const declared = declarationPattern.exec(head)?.[1];
  if (declared === undefined) return { encoding: 'utf-8', start: 0 };
  const encoding = Object.hasOwn(byName, declared.toLowerCase()) ? byName[declared.toLowerCase()] : undefined;
  if (encoding === undefined) throw new XmlFault(`its encoding ${shownText(declared, 40)} is not supported`);
  return { encoding, start: 0 };
}

function* decodeUtf8(body: Buffer): Generator<string> {
  for (let at = 0; at < body.length; ) {
    let end = Math.min(at + chunk, body.length);
    // never cut inside a character: continuation bytes are 10xxxxxx
    while (end < body.length && ((body[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    yield body.toString('utf8', at, end);
    at = end;
  }
}

function* decodeWith(body: Buffer, encoding: Encoding): Generator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  try {
    for (let at = 0; at < body.length; at += chunk) {
      yield decoder.decode(body.subarray(at, at + chunk), { stream: true });
    }
    yield decoder.decode();
  } catch (cause) {
    if (cause instanceof TypeError)
      throw new XmlFault(`it holds bytes that are not ${encoding.toUpperCase()}`);
    throw cause;
  }
}

/** A document that is not read, and why; the message is the reason shown as the filing's defect. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

/** Text of an untrusted document as it may stand in a reason: printable ASCII, at most `length` characters. */
export function shownText(text: string, length = 80): string {
  const printable = text.slice(0, length + 1).replace(/[^\x20-\x7e]/g, '?');
  return printable.length > length ? `${printable.slice(0, length)}…` : printable;
}

/** Reason why a file's content is not used; rethrows all that is not the content's fault. */
export function readingFault(error: unknown): string {
  if (error instanceof XmlFault || error instanceof EntryFault) return error.message;
  if (error instanceof IssuerError) return error.message;
  throw error;
}

/** Value of the attribute `local` in namespace `uri` (empty for unprefixed ones), null when absent. */
export function xmlAttribute(element: XmlElement, local: string, uri = ''): string | null {
  if (uri === '') {
    // an unprefixed attribute is in no namespace, so its qualified name is its local name
    return element.attributes[local]?.value ?? null;
  }
  for (const name in element.attributes) {
    const attribute = element.attributes[name];
    if (attribute?.local === local && attribute.uri === uri) return attribute.value;
  }
  return null;
}
