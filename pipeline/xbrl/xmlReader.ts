import { SaxesParser } from 'saxes';
import { decodeXml } from './decodeXml.ts';
import { shownText, XmlFault } from './xmlFault.ts';

/** An attribute with its namespace; unprefixed attributes have the empty one. */
export type XmlAttribute = { readonly uri: string; readonly local: string; readonly value: string };

/** A start tag with names resolved; attributes are keyed by their qualified name. */
export type XmlElement = {
  readonly uri: string;
  readonly local: string;
  readonly prefix: string;
  readonly attributes: Readonly<Record<string, XmlAttribute>>;
  /** Namespaces declared on this very tag, by prefix (empty for the default). */
  readonly ns: Readonly<Record<string, string>>;
};

/** What a document is told to; the root has depth 1. */
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
