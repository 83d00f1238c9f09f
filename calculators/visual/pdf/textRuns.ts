import type { Cpx } from '../geometry/cpx.ts';
import { faces } from '../type/faces.ts';
import { measureText, subsetFor, type TextStyle } from '../type/measureText.ts';

/** A part of a line that one subset draws, at its measured distance from the line's left edge. */
export type TextRun = { readonly text: string; readonly subset: string; readonly x: Cpx };

const substitute = '?';

/**
 * A line of text as runs of single subsets, each where V9 measures it. What no subset has is drawn as a question mark
 * and `replaced` says so: the file then carries the true text beside the drawn one (V12).
 */
export function textRuns(text: string, style: TextStyle): { runs: readonly TextRun[]; replaced: boolean } {
  const runs: { text: string; subset: string; x: Cpx }[] = [];
  let replaced = false;
  let before = '';
  for (const character of text) {
    const own = subsetFor(faces[style.face], character.codePointAt(0) ?? 0);
    const last = runs.at(-1);
    if (own === null) {
      replaced = true;
      const x = measureText(before, style);
      // marks and joiners take no room and are left out
      if (measureText(before + character, style) > x) runs.push({ text: substitute, subset: 'latin', x });
    } else if (last !== undefined && last.subset === own.name) {
      last.text += character;
    } else {
      runs.push({ text: character, subset: own.name, x: measureText(before, style) });
    }
    before += character;
  }
  return { runs, replaced };
}
