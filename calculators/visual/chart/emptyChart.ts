import type { Scene } from '../scene/scene.ts';
import { cleanText } from '../type/cleanText.ts';
import { wrapText } from '../type/wrapText.ts';
import type { Chart } from './chart.ts';
import { label, styles } from './chartPen.ts';
import { sceneOf } from './sceneOf.ts';

/** A chart without figures: the words that say why are its picture and its description. Width in px. */
export function emptyChart({
  words,
  width,
  ...named
}: Pick<Chart, 'id' | 'title' | 'finding' | 'sentence' | 'table'> & {
  words: string;
  width: number;
}): Chart {
  return { ...named, desc: words, scene: emptyScene(words, width) };
}

/** The picture of a chart without figures: the words that say why. Width in px. */
function emptyScene(words: string, width: number): Scene {
  const { lines } = wrapText(cleanText(words), { ...styles.base, max: width * 100 });
  return sceneOf({
    width: width * 100,
    height: 2_400 + lines.length * 1_700,
    items: lines.map((text, i) => label({ text, x: 0, baseline: 2_300 + i * 1_700, style: styles.base })),
  });
}
