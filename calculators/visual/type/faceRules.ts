import type { FaceFamily, FaceName } from './faces.ts';
import { subsetsOf } from './measureText.ts';

/** Names of the families in CSS: those of the package are reserved by its licence (V8). */
export const cssFamilies: Readonly<Record<FaceFamily, string>> = {
  sans: 'II Sans',
  serif: 'II Serif',
  mono: 'II Mono',
};

/** Writes the `@font-face` rules of the subsets that texts in one face need, as data URIs (V8, V13). */
export function faceRules(texts: Iterable<string>, face: FaceName): string {
  const [family, weight] = face.split('-') as [FaceFamily, string];
  // of overlapping ranges the last rule wins in CSS, the first subset here
  return subsetsOf(texts, face)
    .subsets.reverse()
    .map(
      ({ range, woff2 }) =>
        `@font-face{font-family:"${cssFamilies[family]}";font-weight:${weight};` +
        `src:url(data:font/woff2;base64,${woff2}) format("woff2");unicode-range:${range}}`,
    )
    .join('');
}
