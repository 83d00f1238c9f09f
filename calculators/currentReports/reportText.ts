// Bytes of a filed document to the characters the rules read (M17.2).

/** Stand around the text of a superscript until a paragraph is finished; removed from what a document holds itself. */
export const superscript = { start: '\uE001', end: '\uE002' } as const;

/** A footnote marker behind a character of a paragraph. */
export type Mark = { readonly at: number; readonly name: string };

export type MarkedText = { readonly text: string; readonly marks: readonly Mark[] };

const byteOrderMarks = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** The text of a document: by its byte order mark, else valid UTF-8, else windows-1252, in which every byte is valid. */
export function decodeDocument(bytes: Uint8Array): string {
  const marked = byteOrderMarks.find((mark) => mark.bytes.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) return new TextDecoder(marked.encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const replacements: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w.,])(\d{1,3})['\u2019](?=\d{3}(?!\d))/g, '$1,'],
  [/[\u0000\u00ad\u200b-\u200d\u2060\ufeff\uE001\uE002]/g, ''],
  [/[\u0009-\u000d\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g, ' '],
  [/[\u2018\u2019\u201a\u201b\u2032]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\uff04\ufe69]/g, '$'],
];

const printable = /^[ -&(-~]*$/;

/** Characters of one text token, those that only look different made equal. */
export function plainCharacters(text: string): string {
  if (printable.test(text)) return text;
  return replacements.reduce((plain, [pattern, by]) => plain.replace(pattern, by), text);
}

const ordinal = /^(?:st|nd|rd|th)$/i;
const markName = /^[([]?([0-9]{1,2}|[a-z]|\*{1,3})[)\]]?\.?$/i;

/** One space between words, superscripts taken out as marks; ordinals and longer superscripts are text. */
export function finishParagraph(raw: string): MarkedText {
  const marks: Mark[] = [];
  let text = '';
  for (const [index, piece] of raw.split(superscript.start).entries()) {
    const end = index === 0 ? -1 : piece.indexOf(superscript.end);
    const inside = end < 0 ? '' : piece.slice(0, end).trim();
    const name = markName.exec(inside)?.[1];
    if (name !== undefined) marks.push({ at: text.trimEnd().length, name: name.toLowerCase() });
    else if (ordinal.test(inside)) text = text.trimEnd() + inside;
    else if (inside.length > 3) text += inside;
    text += collapse(piece.slice(end + 1).replaceAll(superscript.end, ''), text);
  }
  return { text: text.trimEnd(), marks };
}

function collapse(piece: string, before: string): string {
  const single = piece.replace(/ {2,}/g, ' ');
  return before === '' || before.endsWith(' ') ? single.trimStart() : single;
}

const disguisedNumber =
  /[0-9][.,]?[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069][.,]?[0-9]/;

/** True where a bidirectional control stands at a digit, so that the number shown is not the number stored. */
export function isDisguised(text: string): boolean {
  return disguisedNumber.test(text);
}
