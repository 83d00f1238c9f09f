import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { parsePlain } from './filedNumbers.ts';
import type { ReportWords } from './reportWords.ts';

/** A number of coins in a sentence (M17.11). */
export type CoinQuantity = {
  readonly asset: string;
  readonly value: ExactDecimal;
  /** Where number and coin stand together. */
  readonly start: number;
  readonly end: number;
  /** Where the number alone begins. */
  readonly numberAt: number;
  /** `1.52 million`: not the number the issuer counted. */
  readonly isRounded: boolean;
  readonly isPart: boolean;
  /** One of two numbers of one coin, `500 and 600 BTC`: a range, or numbers of two times. */
  readonly isOfTwo: boolean;
  /** The coin stands before the number, with the words between, `ETH holdings total`. */
  readonly lead: string;
};

const number = '(\\d{1,3}(?:,\\d{3}){1,4}|\\d{1,12})(\\.\\d{1,10})?';
const scale = '( ?(?:million|billion|thousand|[kKmM])(?![\\w]))?';
const notInNumber = '(?<![\\w.,$/#@+-])';
const link =
  '(?: (?:total(?:s|ed|ing)?|were|was|are|is|of|to|at|stands?|stood|reach(?:es|ed|ing)?|increased|grew|rose|now|currently|include[sd]?|amounted|exceed(?:s|ed|ing)?|approximately|about|over|nearly|a|an|aggregate)){1,6}';

/** Finds numbers of coins; compiled once for a table of words. */
export function quantityFinder(words: ReportWords): (sentence: string) => CoinQuantity[] {
  const coin = `(${words.coin})(?!\\w)`;
  const adjectives = `((?: (?:${words.source('adjective')}|${words.source('part')}|of (?:its|our|the)|the|shares of)(?!\\w)){0,3})`;
  const before = new RegExp(
    `${notInNumber}(?!(?:19|20)\\d\\d of )${number}(?: \\([a-z][a-z -]{2,60}\\))?${scale}(?: of (?:the |its |our )?\\d[\\d,.]{0,14})?${adjectives} ?-?${coin}(?: \\([A-Za-z]{2,6}\\))?(?: (?:coins?|tokens?)(?!\\w))?`,
    'gi',
  );
  const nouns =
    '(?:holdings?|treasury|balance|position|reserves?|hodl|held|mined|produced|sold|purchased|acquired|earned|production|self-mined|in treasury|tokens?|coins?)';
  const when = '(?: (?:as of|at|in|for|during)(?: [\\w,]{1,12}){1,4})?';
  const behind = new RegExp(
    `(?<![\\w$])${coin}(?: \\([A-Za-z]{2,6}\\))?((?:(?: ${nouns}(?!\\w)){1,3}${when}(?:${link}|:)|:)) ?${number}(?![\\w,]*\\d)${scale}(?! ?%)(?!\\.\\d)`,
    'gi',
  );
  const pair = new RegExp(
    `holdings? of ${coin} and ${coin} (?:were|was|are|totaled|of)(?: approximately)? ${number} and(?: approximately)? ${number}(?![\\w,]*\\d)`,
    'gi',
  );
  const partial = new RegExp(`(?:${words.source('part')})$|(?:${words.source('part')}) `, 'i');
  return (sentence) => {
    const found: CoinQuantity[] = [];
    for (const match of sentence.matchAll(pair)) {
      const [whole, one = '', two = '', integer1 = '', fraction1 = '', integer2 = '', fraction2 = ''] = match;
      const assets = [words.assetOf(one), words.assetOf(two)];
      const values = [parsePlain(integer1 + fraction1), parsePlain(integer2 + fraction2)];
      const end = match.index + whole.length;
      for (const [index, value] of values.entries()) {
        const asset = assets[index];
        if (asset === null || asset === undefined) continue;
        found.push({
          ...{ asset, value, start: match.index, end, numberAt: match.index + 1 },
          ...{ isRounded: false, isPart: false, isOfTwo: false, lead: 'holdings' },
        });
      }
    }
    for (const match of sentence.matchAll(before)) {
      const [whole, integer = '', fraction = '', scaled, adjective = '', word = ''] = match;
      const [asset, start, digits] = [words.assetOf(word), match.index, integer + fraction];
      if (asset === null || isMoneyAt(sentence, start) || isYear(sentence, start, digits)) continue;
      if (isRestOfNumber(sentence, start)) continue;
      // `2.818 BTC (two thousand …)`
      if (fraction !== '' && /^ \([a-z -]{0,40}\bthousand\b/i.test(sentence.slice(start + whole.length)))
        continue;
      const first = firstOfTwo(sentence, start);
      const isOfTwo = first !== null;
      if (first !== null) found.push({ asset, ...first, isRounded: false, isPart: false, isOfTwo, lead: '' });
      found.push({
        ...{ asset, value: parsePlain(digits), start, end: start + whole.length, numberAt: start },
        ...{
          isRounded: scaled !== undefined,
          isPart: partial.test(`${adjective.trim()} `),
          isOfTwo,
          lead: '',
        },
      });
    }
    for (const match of sentence.matchAll(behind)) {
      const [whole, word = '', lead = '', integer = '', fraction = '', scaled] = match;
      const asset = words.assetOf(word);
      const numberAt = match.index + whole.lastIndexOf(integer + fraction);
      const end = match.index + whole.length;
      if (asset === null || isMoneyAt(sentence, numberAt) || isDayNumber(sentence, numberAt)) continue;
      // "bitcoin held at 108,000" is a price
      if (/^ held (?:steady |firm )?at$/i.test(lead)) continue;
      if (found.some((other) => other.start < end && match.index < other.end)) continue;
      found.push({
        ...{ asset, value: parsePlain(integer + fraction), start: match.index, end, numberAt },
        ...{ isRounded: scaled !== undefined, isPart: false, isOfTwo: false, lead },
      });
    }
    return found.toSorted((a, b) => a.start - b.start);
  };
}

const numberBefore = /(?<![\w$€£.,/#])(\d{1,3}(?:,\d{1,3}){0,4}|\d{1,12})(\.\d{1,10})?/.source;
const spaced = new RegExp(`${numberBefore}(?: |'|, )$`);
const joined = new RegExp(`${numberBefore}(?: (?:and|or|to|&) | ?- ?)(?:approximately |about )?$`);

/** The number that ends right before an offset and is neither a year nor a day. */
function numberEnding(
  sentence: string,
  at: number,
  pattern: RegExp,
): { start: number; digits: string } | null {
  const from = Math.max(0, at - 40);
  const match = pattern.exec(sentence.slice(from, at));
  if (match === null) return null;
  const [, integer = '', fraction = ''] = match;
  const [start, digits] = [from + match.index, integer + fraction];
  return /^(?:19|20)\d\d$/.test(digits) || isDayNumber(sentence, start) ? null : { start, digits };
}

/** `20 136 BTC`, `128, 000 BNB`: the digits before belong to the number, in a form that no rule reads. */
function isRestOfNumber(sentence: string, at: number): boolean {
  return numberEnding(sentence, at, spaced) !== null;
}

/** The first of `500 and 600 BTC`, whose coin is named once; an increase `from 500 to 600 BTC` has one number. */
function firstOfTwo(
  sentence: string,
  at: number,
): Pick<CoinQuantity, 'value' | 'start' | 'end' | 'numberAt'> | null {
  const first = numberEnding(sentence, at, joined);
  if (first === null || /\bfrom (?:approximately |about )?$/i.test(sentence.slice(0, first.start)))
    return null;
  const { start, digits } = first;
  return { value: parsePlain(digits), start, end: start + digits.length, numberAt: start };
}

/** `In August 2025 bitcoin …` names a year, not coins. */
function isYear(sentence: string, at: number, digits: string): boolean {
  return (
    /^(?:19|20)\d\d$/.test(digits) &&
    /(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6}\.?,? (?:\d{1,2}(?:st|nd|rd|th)?,? )?$|\b(?:quarter|fiscal|calendar|year|FY|in|during|since|for|Q[1-4]|H[12]) $/i.test(
      sentence.slice(Math.max(0, at - 20), at),
    )
  );
}

/** True where the number stands behind a currency sign. */
function isMoneyAt(sentence: string, at: number): boolean {
  return /(?:[$€£¥]|US\$|USD|EUR|CAD) ?$/.test(sentence.slice(Math.max(0, at - 5), at));
}

/** `as of November 30` names a day, not coins. */
function isDayNumber(sentence: string, at: number): boolean {
  return /(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6}\.? $/.test(
    sentence.slice(Math.max(0, at - 12), at),
  );
}
