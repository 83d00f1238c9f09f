import { type ConstantPiece, constantPiece } from '../body/splice.ts';

/** A constant text of a result in its two places: in the structured content, and in the serialization of that. */
export type TwinPiece = { readonly plain: ConstantPiece; readonly inText: ConstantPiece };

/** Prepares a constant text for both places. */
export function twinPiece(text: string): TwinPiece {
  return { plain: constantPiece(text), inText: constantPiece(escaped(text)) };
}

/** A text as it stands inside a JSON string. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
