import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readXml, XmlFault, type XmlLimits } from './xmlReader.ts';

/** Elements and text of a document, written down; the reason when it is refused. */
function told(text: string | Uint8Array, limits: Partial<XmlLimits> = {}): string {
  const seen: string[] = [];
  try {
    readXml({
      bytes: typeof text === 'string' ? Buffer.from(text) : text,
      limits,
      handler: (resolve) => ({
        open: (tag, depth) => seen.push(`<${depth} {${tag.uri}}${tag.local}`),
        text: (piece) => seen.push(piece),
        close: (tag, depth) => seen.push(`/${depth} ${tag.local} ${(resolve(tag.prefix) ?? '') === tag.uri}`),
      }),
    });
  } catch (error) {
    if (error instanceof XmlFault) return error.message;
    throw error;
  }
  return seen.join('|');
}

function utf16(text: string, order: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
}

describe('reading', () => {
  it('resolves namespaces of elements and of prefixes in content', () => {
    expect(told('<a xmlns="u"><b:c xmlns:b="v">1</b:c></a>')).toBe('<1 {u}a|<2 {v}c|1|/2 c true|/1 a true');
  });

  it('joins what CDATA, comments and character references split', () => {
    expect(told('<a>1<![CDATA[2]]>3<!-- x -->4&#53;&amp;</a>').replaceAll('|', '')).toBe(
      '<1 {}a12345&/1 a true',
    );
  });

  it.for([
    ['UTF-8 by default', Buffer.from('<a>é€</a>')],
    ['UTF-8 with a mark', Buffer.from('\ufeff<?xml version="1.0" encoding="utf-8"?><a>é€</a>')],
    ['UTF-16 little endian', utf16('<?xml version="1.0" encoding="UTF-16"?><a>é€</a>', 'le')],
    ['UTF-16 big endian', utf16('<a>é€</a>', 'be')],
    [
      'Windows-1252',
      Buffer.concat([
        Buffer.from('<?xml version="1.0" encoding="windows-1252"?><a>'),
        Buffer.from([0xe9, 0x80]),
        Buffer.from('</a>'),
      ]),
    ],
  ] as const)('decodes %s', ([, bytes]) => {
    expect(told(bytes)).toBe('<1 {}a|é€|/1 a true');
  });

  it('decodes ISO-8859-1 and US-ASCII as declared', () => {
    const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1');
    expect(told(latin)).toBe('<1 {}a|é|/1 a true');
    expect(told('<?xml version="1.0" encoding="us-ascii" standalone="yes"?><a>e</a>')).toBe(
      '<1 {}a|e|/1 a true',
    );
  });

  it('decodes characters of any width wherever a chunk ends (65,536 bytes)', () => {
    for (const shift of [0, 1, 2, 3]) {
      const body = `${'x'.repeat(65_530 + shift)}€𝄞é`;
      expect(told(`<a>${body}</a>`).replaceAll('|', '')).toBe(`<1 {}a${body}/1 a true`);
    }
  });
});

describe('refusals', () => {
  it.for([
    ['an entity of its own', '<a>&lol;</a>', 'undefined entity'],
    ['a name of Object.prototype as entity', '<a>&constructor;</a>', 'undefined entity'],
    [
      'a billion laughs',
      '<!DOCTYPE a [<!ENTITY l "ha"><!ENTITY m "&l;&l;&l;">]><a>&m;</a>',
      'document type declaration',
    ],
    ['an external entity', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'document type declaration'],
    ['an unclosed element', '<a><b></a>', 'not well-formed'],
    ['a cut document', '<a><b>text', 'not well-formed'],
    ['a duplicate attribute', '<a x="1" x="2"/>', 'duplicate attribute'],
    [
      'a duplicate attribute by namespace',
      '<a xmlns:p="u" xmlns:q="u" p:x="1" q:x="2"/>',
      'duplicate attribute',
    ],
    ['an unbound prefix', '<p:a/>', 'unbound namespace prefix'],
    ['two roots', '<a/><b/>', 'not well-formed'],
    ['no root', '', 'not well-formed'],
    ['a control character', '<a>\u0001</a>', 'not well-formed'],
    ['a raw ampersand', '<a>R&D</a>', 'not well-formed'],
    [
      'an encoding EDGAR has not',
      '<?xml version="1.0" encoding="EBCDIC-US"?><a/>',
      'encoding EBCDIC-US is not supported',
    ],
    [
      'a name of Object.prototype as encoding',
      '<?xml version="1.0" encoding="constructor"?><a/>',
      'not supported',
    ],
  ] as const)('refuses %s', ([, text, reason]) => {
    expect(told(text)).toContain(reason);
  });

  it('refuses bytes that the declared encoding does not have', () => {
    expect(told(Buffer.from('<a>é</a>', 'latin1'))).toBe('it holds bytes that are not UTF-8');
    expect(told('<?xml version="1.0" encoding="US-ASCII"?><a>é</a>')).toBe(
      'it holds bytes that are not US-ASCII, which it declares',
    );
    expect(told(utf16('<a>é</a>', 'le').subarray(0, 15))).toBe('it holds bytes that are not UTF-16LE');
  });

  it('refuses what is deeper, larger, longer or wider than its limits, and takes what just fits', () => {
    const nested = (depth: number): string => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
    expect(told(nested(256))).toContain('/1 a true');
    expect(told(nested(257))).toBe('its elements nest deeper than 256');
    expect(told(nested(100_000))).toBe('its elements nest deeper than 256');
    expect(told(`<a b="${'x'.repeat(65_537)}"/>`)).toBe('an attribute has more than 65536 characters');
    const many = Array.from({ length: 1025 }, (_, n) => `a${n}=""`).join(' ');
    expect(told(`<a ${many}/>`)).toBe('a tag has more than 1024 attributes');
    expect(told('<a>12345</a>', { textLength: 4 })).toBe('a text has more than 4 characters');
    expect(told('<a></a>', { bytes: 6 })).toBe('it has more than 6 bytes');
  });

  it('never fails in another way, whatever the bytes', () => {
    const piece = fc.constantFrom(
      '<a>',
      '</a>',
      '<b x="1"',
      '/>',
      '>',
      '&',
      ';',
      'é',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<?',
      '?>',
      '<!DOCTYPE',
      '\u0000',
      'xmlns:p="u"',
      '<p:c',
      '"',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => typeof told(pieces.join('')) === 'string'),
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => typeof told(bytes) === 'string'));
  });
});
