import { type ConstantPiece, constantPiece } from '../body/splice.ts';

/** A long piece of a suffix, made in a coding when that is first asked for: most are never sent. */
export function lazyPiece(print: () => string): ConstantPiece {
  let text: Buffer | null = null;
  let made: ConstantPiece | null = null;
  const coded = (): ConstantPiece => {
    made ??= constantPiece(print());
    return made;
  };
  return {
    short: null,
    get text() {
      text ??= Buffer.from(print());
      return text;
    },
    get deflated() {
      return coded().deflated;
    },
    get crc() {
      return coded().crc;
    },
    get frame() {
      return coded().frame;
    },
  };
}
