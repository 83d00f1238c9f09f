import { writeSvg } from '../scene/writeSvg.ts';
import type { ThemeName } from '../theme/tokens.ts';
import { cleanText } from '../type/cleanText.ts';
import type { Chart } from './chart.ts';

/**
 * Writes a chart as SVG: the colours of the theme as attributes, beside them role classes so that the sheet of a page
 * wins (V54). With `faces: 'none'` the page carries the faces and the text rule of V10.
 *
 * @param idPrefix starts every id in the file; a letter first.
 */
export function writeChartSvg(
  { id, title, desc, scene }: Chart,
  { theme, idPrefix, faces }: { theme: ThemeName; idPrefix: string; faces: 'none' | 'embedded' },
): string {
  return writeSvg(scene, {
    id: `${idPrefix}${id}`,
    language: 'en',
    title: cleanText(title),
    description: cleanText(desc),
    theme,
    family: 'sans',
    faces,
    roleClasses: true,
  });
}
