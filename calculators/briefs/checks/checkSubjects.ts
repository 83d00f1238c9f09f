import type { BriefViolation, Checked, EvidenceSubjects, PrintedNumbers } from './briefText.ts';
import { isPrinted, numberTokens } from './checkNumbers.ts';

/**
 * Each number is one of the issuer, loan or product it is said of (I2.44 c, M11.10): of the last one named before it in
 * its sentence, else of one named after it; where none is named, of none of them.
 */
export function checkSubjects({ claims, evidence, facts }: Checked): BriefViolation[] {
  const { subjects } = facts;
  const own = evidence.brief === 'covenant' ? evidence.ticker : null;
  return claims
    .split('\n')
    .flatMap((line) => line.replace(ranks, '').split(/(?<=\.)\s/))
    .flatMap((sentence) => {
      const named = mentions(sentence, subjects);
      if (named === null) return [];
      return numberTokens(sentence, facts).flatMap(({ text, at }) => {
        const about = subjectOf(named, { at, own });
        const known = numbersOf(about, subjects).some((numbers) => isPrinted(text, numbers));
        return known
          ? []
          : [{ rule: 'c' as const, message: `${text} is no number of ${wordsOf(about, subjects)}` }];
      });
    });
}

/** Ranks of a sentence and of an item are checked with their order. */
const ranks = /^\d+\. |\bRanks? \d+(?: to \d+)?: /g;
const word = /[\uE000-\uF8FF]|[A-Za-z0-9][A-Za-z0-9.-]*(?<![.-])/g;
const isMark = (name: string) => /^[\uE000-\uF8FF]$/.test(name);

type Mention = { readonly name: string; readonly at: number };

/** The subjects a sentence names, in its order; null where a name has another meaning too. */
function mentions(sentence: string, subjects: EvidenceSubjects): Mention[] | null {
  const words = [...sentence.matchAll(word)].map((match) => ({ name: match[0], at: match.index }));
  if (words.some(({ name }) => subjects.ambiguous.has(name))) return null;
  const issuers = words.filter(({ name }) => subjects.tickers.has(name) || isMark(name));
  // an underlying is a coin where an issuer is spoken of
  return issuers.length > 0 ? issuers : words.filter(({ name }) => subjects.underlyings.has(name));
}

/** What a number is said of: keys of subjects, any of which may own it; none where the sentence names none. */
function subjectOf(named: readonly Mention[], { at, own }: { at: number; own: string | null }): string[] {
  const before = named.filter((one) => one.at < at);
  const last = before.at(-1);
  if (last === undefined) {
    return own === null ? named.map(({ name }) => name) : [own];
  }
  if (!isMark(last.name)) return [last.name];
  const issuer = before.findLast(({ name }) => !isMark(name))?.name ?? own;
  return [issuer === null ? last.name : `${issuer}${last.name}`];
}

function numbersOf(about: readonly string[], subjects: EvidenceSubjects): PrintedNumbers[] {
  if (about.length === 0) return [subjects.common, subjects.scales];
  return [subjects.scales, ...about.flatMap((name) => subjects.numbersOf.get(name) ?? [])];
}

function wordsOf(about: readonly string[], { marks }: EvidenceSubjects): string {
  if (about.length === 0) return 'the slice, and no issuer is named';
  const names = new Map([...marks].map(([name, mark]) => [mark, ` ${name}`]));
  return about.map((one) => one.replace(/[\uE000-\uF8FF]$/, (mark) => names.get(mark) ?? '')).join(' or ');
}
