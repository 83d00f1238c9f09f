import { localName } from '../../crypto/statedFacts.ts';

/** The local name without `Member`: `ConvertibleSeniorNotesDueTwentyThirty`. */
export function bareName(member: string): string {
  return localName(member).replace(/Member$/, '');
}

/** The name taken apart, number words of a year as the year: `Convertible Senior Notes Due 2030`. */
export function wordsOfMember(member: string): readonly string[] {
  const words = bareName(member)
    // no name begins with a digit (`A2030Notes`)
    .replace(/^[AN](?=\d)/, '')
    .replace(/[-_]+/g, ' ')
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .replace(/([0-9])([A-Za-z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .filter((word) => word !== '');
  return withYears(words);
}

const units = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];
const teens = [
  'Ten',
  'Eleven',
  'Twelve',
  'Thirteen',
  'Fourteen',
  'Fifteen',
  'Sixteen',
  'Seventeen',
  'Eighteen',
  'Nineteen',
];
const tens = ['Twenty', 'Thirty', 'Forty', 'Fifty'];

/** `TwoThousandAndTwentyFive` and `TwentyTwentyFive` become 2025; every other word stays. */
function withYears(words: readonly string[]): readonly string[] {
  const out: string[] = [];
  for (let at = 0; at < words.length; ) {
    const year = yearAt(words, at);
    out.push(year === null ? (words[at] ?? '') : String(year.year));
    at = year === null ? at + 1 : year.next;
  }
  return out;
}

function yearAt(
  words: readonly string[],
  at: number,
): { readonly year: number; readonly next: number } | null {
  const word = (index: number) => words[index]?.toLowerCase() ?? '';
  let next = at;
  if (word(at) === 'two' && word(at + 1) === 'thousand') next = word(at + 2) === 'and' ? at + 3 : at + 2;
  else if (word(at) === 'twenty') next = at + 1;
  else return null;
  const teen = indexOf(teens, word(next));
  if (teen >= 0) return { year: 2010 + teen, next: next + 1 };
  const ten = indexOf(tens, word(next));
  if (ten < 0) return null;
  const unit = indexOf(units, word(next + 1));
  return { year: 2020 + ten * 10 + unit + 1, next: unit < 0 ? next + 1 : next + 2 };
}

function indexOf(names: readonly string[], word: string): number {
  return names.findIndex((name) => name.toLowerCase() === word);
}

const unmeaning = new Set(['and', 'the', 'of', 'due', 'senior', 'unsecured', 'member']);

/** The words by which two names of one note are known (M18.14 b); plurals are dropped. */
export function nameTokens(member: string): readonly string[] {
  const words = wordsOfMember(member).map((word) => word.toLowerCase());
  return [...new Set(words.filter((word) => !unmeaning.has(word)).map(singular))].sort();
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

const classWords = new Set(
  `convertible note debt secured unsecured senior junior subordinated recourse nonrecourse non loan payable promissory term
  line of credit facility revolving bond mortgage long short bank borrowing debenture related party credits the and
  agreement instrument`.split(/\s+/),
);

/** True for a name of nothing but kinds of debt (`ConvertibleNote`, `RecourseDebt`): it says a class (M18.13). */
export function isBareClass(member: string): boolean {
  return wordsOfMember(member).every((word) => classWords.has(singular(word.toLowerCase())));
}

/** True for a member of a standard taxonomy. */
export function isStandardMember(member: string): boolean {
  return /^(us-gaap|srt|ifrs-full|dei):/.test(member);
}

/** Every way a name falls apart at an `And`. */
export function halvesOfName(member: string): readonly (readonly [string, string])[] {
  const name = bareName(member);
  return [...name.matchAll(/And(?=[A-Z0-9])/g)].flatMap(({ index }) => {
    const [left, right] = [name.slice(0, index), name.slice(index + 3)];
    return left === '' || right === '' ? [] : [[left, right] as const];
  });
}
