import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { localName } from '../../crypto/statedFacts.ts';
import { divide, exactly, rounded } from '../../exact/fraction.ts';
import type { TermFact } from '../../filing/xbrlFiling.ts';
import type { DepositaryShares } from '../parts.ts';

const title = /^Security12[bg]Title$/;
const depositary = /\bdepositary (?:shares?|receipts?)\b|\bAD[SR]s?\b/i;
/** A share of preferred stock is deposited in parts: such a title says nothing of the common stock. */
const preferred = /\bpreferred\b|\bpreference\b/i;
const number = '(\\d[\\d,]{0,9}(?:\\.\\d{1,6})?(?: ?\\/ ?\\d{1,6})?|[a-z]{3,9}(?:[- ][a-z]{3,9}){0,3}?)';
const share =
  '(?:(?:fully|paid|validly|issued|class|series|[a-d]) ){0,4}(?:ordinary|common|equity|registered)? ?shares?\\b';
const represents =
  '(?:represent(?:s|ing)?|evidenc(?:es|ing)|equal(?:s| to)) (?:the right to receive )?(?:an? (?:interest|ownership interest) in )?';
const oneForSome = new RegExp(
  `\\b(?:each|one|every|1)\\b[^.;]{0,60}?\\b${represents}${number}(?: \\(\\d{1,6}\\))? (?:of (?:one|an?) )?${share}`,
  'i',
);
const someForOne = new RegExp(
  `\\b${number} (?:american depositary shares|adss?|adrs?),? ${represents}(?:one|1|an?) ${share}`,
  'i',
);

/** The depositary shares that a cover's title of a security names; null where it names none. */
export function depositaryShares(terms: readonly TermFact[]): DepositaryShares | null {
  const titles = terms
    .filter(
      ({ concept, value }) =>
        title.test(localName(concept)) && depositary.test(value) && !preferred.test(value),
    )
    .map(({ value }) => value);
  if (titles.length === 0) return null;
  const [first, ...others] = titles.flatMap((text) => ordinarySharesOf(text) ?? []);
  const isOne = first !== undefined && others.every((other) => other.equals(first));
  return { ordinaryShares: isOne ? first : null };
}

/** Ordinary shares that one depositary share stands for by a title: `each representing ten ordinary shares` is 10. */
export function ordinarySharesOf(text: string): ExactDecimal | null {
  const plain = text.replace(/[\u2010-\u2015]/g, '-').replace(/\s+/g, ' ');
  const several = someForOne.exec(plain)?.[1];
  const inverse = several === undefined ? null : numberOf(several);
  if (inverse !== null) return rounded(divide(exactly(1), exactly(inverse)), 12);
  const stated = oneForSome.exec(plain)?.[1];
  return stated === undefined ? null : numberOf(stated);
}

function numberOf(text: string): ExactDecimal | null {
  const [above = '', below] = text.replaceAll(',', '').split('/');
  if (/\d/.test(text)) {
    const value = ExactDecimal.tryParse(above.trim());
    const parts = below === undefined ? null : ExactDecimal.tryParse(below.trim());
    if (value === null || value.sign <= 0) return null;
    if (below === undefined) return value;
    return parts === null || parts.sign <= 0 ? null : rounded(divide(exactly(value), exactly(parts)), 12);
  }
  return wordsValue(
    text
      .toLowerCase()
      .split(/[- ]/)
      .filter((word) => word !== 'and'),
  );
}

/** `one hundred and fifty`, `twenty-five`, `one-half`; null for another word. */
function wordsValue(words: readonly string[]): ExactDecimal | null {
  const last = fractions[words.at(-1) ?? ''];
  if (last !== undefined) {
    const count = words.length === 1 ? 1 : (small[words[0] ?? ''] ?? 0);
    return words.length > 2 || count === 0 ? null : rounded(divide(exactly(count), exactly(last)), 12);
  }
  let total = 0;
  for (const word of words) {
    const value = small[word];
    if (word === 'hundred' && total > 0 && total < 10) total *= 100;
    else if (value === undefined) return null;
    else total += value;
  }
  return total === 0 ? null : ExactDecimal.fromNumber(total);
}

const fractions: Readonly<Record<string, number>> = {
  half: 2,
  third: 3,
  quarter: 4,
  fourth: 4,
  fifth: 5,
  tenth: 10,
};
const small: Readonly<Record<string, number>> = Object.fromEntries([
  ...'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, value) => [word, value] as const),
  ...'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, at) => [word, (at + 2) * 10] as const),
]);
