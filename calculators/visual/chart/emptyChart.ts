import type { Chart } from './chart.ts';
import { emptyScene } from './emptyScene.ts';

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
