import type { Scene } from '../scene/scene.ts';
import { cleanText } from '../type/cleanText.ts';
import { wrapText } from '../type/wrapText.ts';
import { label, styles } from './chartPen.ts';
import { sceneOf } from './sceneOf.ts';

/** The picture of a chart without figures: the words that say why. Width in px. */
export function emptyScene(words: string, width: number): Scene {
  const { lines } = wrapText(cleanText(words), { ...styles.base, max: width * 100 });
  return sceneOf({
    width: width * 100,
    height: 2_400 + lines.length * 1_700,
    items: lines.map((text, i) => label({ text, x: 0, baseline: 2_300 + i * 1_700, style: styles.base })),
  });
}
