/**
 * Text as it may stand on one line of a terminal: what would move the cursor, colour, hide or reorder (control and
 * format characters, separators of lines) is shown as its escape.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text
    .split(/(\r?\n)/)
    .map((part, i) => (i % 2 === 0 ? printable(part) : part))
    .join('');
}

/**
 * A registrant's name as it is stored: control characters and breaks of lines are blanks, format characters (which hide
 * or reorder what is around them) go, blanks are single. A name is no figure, so an odd one costs no rows; what is
 * matched or counted (accessions, forms, concepts, units) is never changed. It has at most 300 characters, and ends in an
 * ellipsis where it was longer: EDGAR's own have up to 150 (I1.23).
 */
export function plainName(text: string): string {
  const plain = text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Cc}\p{Zs}\u2028\u2029]+/gu, ' ')
    .trim();
  if (plain.length <= mostCharacters) return plain;
  const characters = [...plain];
  if (characters.length <= mostCharacters) return plain;
  return `${characters
    .slice(0, mostCharacters - 1)
    .join('')
    .trimEnd()}…`;
}

const mostCharacters = 300;
