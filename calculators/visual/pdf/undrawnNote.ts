import { cleanText } from '../type/cleanText.ts';
import { faces } from '../type/faces.ts';
import { measureText, subsetFor } from '../type/measureText.ts';

const named = 12;

/**
 * What a report's PDF says of the letters that its faces lack, so that a question mark on paper is not read as a part of
 * a name (V12); null where there is none. Marks and joiners take no room, and nothing stands for them.
 */
export function undrawnNote(text: string): string | null {
  const undrawn = [...new Set(cleanText(text))].filter(
    (character) =>
      subsetFor(faces['sans-400'], character.codePointAt(0) ?? 0) === null &&
      measureText(character, { face: 'sans-400', size: 1_000 }) > 0,
  );
  if (undrawn.length === 0) return null;
  const codes = undrawn.map((character) => `U+${hex(character)}`);
  const more = codes.length > named ? ` and ${codes.length - named} more` : '';
  return `This file draws a question mark in place of letters that its typeface does not have: ${codes.slice(0, named).join(', ')}${more}. The file carries the true text, and the page of the same report shows it.`;
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
