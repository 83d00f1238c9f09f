import type { FaceName } from '../type/face.ts';
import sans400 from '../type/woff/sans-400.json' with { type: 'json' };
import sans600 from '../type/woff/sans-600.json' with { type: 'json' };
import { sfntOf } from './sfntOf.ts';

/** A font file of a subset, under the name by which a document registers it. */
export type PdfFont = { readonly name: string; readonly font: Uint8Array };

/** The name of a subset of a face. */
export const pdfFontName = (face: FaceName, subset: string) => `${face} ${subset}`;

/** The faces that a PDF embeds: Sans at both weights (V7). A document takes in what it uses of them (V62). */
export async function pdfFaces(): Promise<readonly PdfFont[]> {
  const fonts: PdfFont[] = [];
  for (const [face, { subsets }] of [
    ['sans-400', sans400],
    ['sans-600', sans600],
  ] as const)
    for (const { name, woff } of subsets)
      fonts.push({ name: pdfFontName(face, name), font: await sfntOf(Uint8Array.fromBase64(woff)) });
  return fonts;
}
