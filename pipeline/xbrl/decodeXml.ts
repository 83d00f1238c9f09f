import { isUtf8 } from 'node:buffer';
import { shownText, XmlFault } from './xmlFault.ts';

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
export function* decodeXml(bytes: Uint8Array): Generator<string> {
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
