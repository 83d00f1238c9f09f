import type { ConstantPiece } from '../body/splice.ts';
import { lazyPiece } from './lazyPiece.ts';

/** A constant text of a result in its two places: in the structured content, and in the serialization of that. */
export type TwinPiece = { readonly plain: ConstantPiece; readonly inText: ConstantPiece };

/** Prepares a constant text for both places. */
export function twinPiece(text: string): TwinPiece {
  return { plain: lazyPiece(() => text), inText: lazyPiece(() => escaped(text)) };
}

/** A text as it stands inside a JSON string. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
