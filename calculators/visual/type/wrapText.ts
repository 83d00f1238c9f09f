import type { Cpx } from '../geometry/rect.ts';
import { measureText, type TextStyle } from './measureText.ts';

export type WrappedText = { readonly lines: readonly string[]; readonly width: Cpx };

/** Differences of widths below this one are not seen. */
const precision: Cpx = 50;

/**
 * Breaks a clean text at spaces into lines no wider than `max`, then narrows it to the least width that keeps the
 * number of lines. A word wider than a line is broken between characters, never before a combining mark.
 */
export function wrapText(text: string, { max, ...style }: TextStyle & { readonly max: Cpx }): WrappedText {
  const measure = measurer(style);
  const words = text.split(' ');
  let lines = breakWords(words, max, measure);
  if (lines.length > 1) {
    let [low, high] = [0, max];
    while (high - low > precision) {
      const middle = Math.floor((low + high) / 2);
      const tried = words.every((word) => measure(word) <= middle) ? breakWords(words, middle, measure) : [];
      if (tried.length === lines.length) [lines, high] = [tried, middle];
      else low = middle;
    }
  }
  return { lines, width: Math.max(...lines.map(measure)) };
}

/** Breaks a clean text into lines that are each as full as `max` allows: running text. */
export function breakLines(text: string, { max, ...style }: TextStyle & { readonly max: Cpx }): string[] {
  return breakWords(text.split(' '), max, measurer(style));
}

function measurer(style: TextStyle): (part: string) => Cpx {
  const widths = new Map<string, Cpx>();
  return (part) => {
    const known = widths.get(part) ?? measureText(part, style);
    widths.set(part, known);
    return known;
  };
}

function breakWords(words: readonly string[], max: Cpx, measure: (part: string) => Cpx): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer) <= max) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breakWord(word, max, measure);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  return [...lines, line];
}

/** No written character takes more; what does is broken. */
const longestCluster = 24;
const joining = /^(?:\p{M}|\u200d|\p{Emoji_Modifier})/u;

function breakWord(word: string, max: Cpx, measure: (part: string) => Cpx): string[] {
  if (measure(word) <= max) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const cluster of clustersOf(word)) {
    if (piece !== '' && measure(piece + cluster) > max) {
      pieces.push(piece);
      piece = '';
    }
    piece += cluster;
  }
  return [...pieces, piece];
}

function clustersOf(word: string): string[] {
  const clusters: string[] = [];
  for (const character of word) {
    const last = clusters.at(-1);
    const joins = joining.test(character) || last?.endsWith('\u200d');
    if (last !== undefined && joins && last.length < longestCluster)
      clusters[clusters.length - 1] = last + character;
    else clusters.push(character);
  }
  return clusters;
}
