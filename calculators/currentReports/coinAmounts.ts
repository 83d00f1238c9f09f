import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { parsePlain, scaleOf } from './filedNumbers.ts';

/** An amount of dollars in a text with the words around it. */
export type MoneyMention = {
  readonly value: ExactDecimal;
  readonly start: number;
  readonly end: number;
};

const money =
  /(?:US)?\$ ?(\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(\.\d{1,8})?(?: ?(thousand|million|billion|trillion|MM|mm|M|B|K)\b)?/g;
const shortScales: Readonly<Record<string, string>> = {
  M: 'million',
  MM: 'million',
  mm: 'million',
  B: 'billion',
  K: 'thousand',
};

/** The amounts of dollars of a text. */
export function findMoney(text: string): MoneyMention[] {
  return [...text.matchAll(money)].map((match) => {
    const [whole, integer = '', fraction = '', scale] = match;
    const plain = parsePlain(integer + fraction);
    return {
      value: scale === undefined ? plain : plain.times(scaleOf(shortScales[scale] ?? scale)),
      start: match.index,
      end: match.index + whole.length,
    };
  });
}

const perCoin = /^ ?(?:per |each\b|\/)/i;
const average = /average[^$]{0,60}$/i;
const paid =
  /(?:\bfor(?: a total(?: consideration| cost)? of)?(?: an aggregate(?: purchase price)? of)?|aggregate (?:purchase price|cost|amount|consideration) of|total (?:purchase price|cost|consideration) of|aggregate[^$]{0,30}proceeds[^$]{0,20}|cost of)(?: approximately| about| cash)?(?: proceeds of(?: approximately)?)? $/i;
const received =
  /(?:proceeds|\bfor(?: a total(?: consideration)? of)?)(?: (?:of|totaling|were|was))?(?: approximately| about)? $/i;
const costBasis =
  /(?:aggregate|total)(?: (?:purchase price|cost(?: basis)?) of)?(?: approximately| about)? $/i;

/** Amount and price between a quantity and the next: "average" amounts are prices (M17.12). */
export function coinAmounts(
  text: string,
  kind: 'purchase' | 'sale' | 'production' | 'holdings' | 'pledge',
): { usd: ExactDecimal | null; avgPrice: ExactDecimal | null } {
  if (kind === 'production' || kind === 'pledge') return { usd: null, avgPrice: null };
  const expected = kind === 'holdings' ? costBasis : kind === 'sale' ? received : paid;
  const mentions = findMoney(text).map((mention) => ({
    ...mention,
    before: text.slice(Math.max(0, mention.start - 90), mention.start),
  }));
  const price = mentions.find(({ before }) => average.test(before));
  const amount = mentions.find(
    (mention) =>
      mention !== price &&
      expected.test(mention.before) &&
      !average.test(mention.before) &&
      !perCoin.test(text.slice(mention.end, mention.end + 16)),
  );
  return { usd: amount?.value ?? null, avgPrice: price?.value ?? null };
}
