import { caveatMeanings, noteMeanings } from '../../data/contract/meanings/noteMeanings.ts';
import words from './briefCaveats.json' with { type: 'json' };

/** What every brief says of its method (M3.2). */
export const enterpriseCaveat = 'enterprise_level_leverage';

/** Notes of a row that a brief tells in words of its own, without the amount their note carries. */
const ownSentences: Readonly<Record<string, string>> = words.sentences;
/** Notes that bear on how far a reader may trust the figures, gravest first. */
const graveNotes: readonly string[] = words.gravest;
const mostCaveats = 5;

/** The caveats of an issuer's brief by code: that of the method, then the gravest notes of its row. */
export function issuerCaveats(notes: readonly string[]): string[] {
  const codes = new Set(notes.map(codeOf));
  return [enterpriseCaveat, ...graveNotes.filter((code) => codes.has(code)).slice(0, mostCaveats - 1)];
}

/** The sentence a brief says a caveat with (I2.44). */
export function caveatSentence(code: string): string {
  return ownSentences[code] ?? caveatMeanings[code] ?? noteMeanings[code] ?? `${code.replaceAll('_', ' ')}.`;
}

/** The same in a few words: its code as words, where they say it without a number. */
export function shortCaveat(code: string): string {
  if (code === enterpriseCaveat)
    return 'Enterprise level: no margin call is meant; CRITICAL is no liquidation.';
  return /\d/.test(code) ? caveatSentence(code) : `Caveat: ${code.replaceAll('_', ' ')}.`;
}

/** The code of a note, without the amount, concept or file it names. */
export function codeOf(note: string): string {
  const end = note.indexOf(':');
  return end === -1 ? note : note.slice(0, end);
}
