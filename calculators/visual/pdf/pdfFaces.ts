import type { FaceName, Subset } from '../type/face.ts';
import { faces } from '../type/faces.ts';
import { subsetsOf } from '../type/subsetsOf.ts';
import sans400 from '../type/woff/sans-400.json' with { type: 'json' };
import sans600 from '../type/woff/sans-600.json' with { type: 'json' };
import { sfntOf } from './sfntOf.ts';

/** A font file under the name by which a document registers it, and the subset that its texts are measured with. */
export type PdfFont = { readonly name: string; readonly font: Uint8Array; readonly subset: Subset };

/** The name of a subset of a face. */
export const pdfFontName = (face: FaceName, subset: string) => `${face} ${subset}`;

/**
 * The faces that a PDF of these texts embeds: Sans at both weights (V7), of the subsets those that the texts need and the
 * first one, which has the question mark. A document takes in what it uses of them (V62).
 */
export async function pdfFaces(texts: Iterable<string>): Promise<readonly PdfFont[]> {
  const used = new Set(subsetsOf(texts, 'sans-400').subsets.map(({ name }) => name));
  const files = { 'sans-400': sans400, 'sans-600': sans600 };
  const fonts: PdfFont[] = [];
  for (const face of ['sans-400', 'sans-600'] as const)
    for (const subset of faces[face].subsets) {
      const file = files[face].subsets.find(({ name }) => name === subset.name);
      if (file === undefined || (subset.name !== 'latin' && !used.has(subset.name))) continue;
      const font = await sfntOf(Uint8Array.fromBase64(file.woff));
      fonts.push({ name: pdfFontName(face, subset.name), font, subset });
    }
  return fonts;
}
