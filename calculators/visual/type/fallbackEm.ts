const marks = /^[\p{M}\u200b-\u200d\u2060\ufeff]$/u;
const emoji = /^\p{Emoji_Presentation}$/u;

// East Asian Width W and F, by block
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18aff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];

/** Width in hundredths of an em that a code point outside the faces is given (V12). */
export function fallbackEm(character: string): number {
  if (marks.test(character)) return 0;
  if (emoji.test(character)) return 130;
  const codePoint = character.codePointAt(0) ?? 0;
  return wide.some(([from, to]) => from <= codePoint && codePoint <= to) ? 100 : 75;
}
