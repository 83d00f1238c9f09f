import type { ReportWords } from './reportWords.ts';

/** What a label of a table or list says its numbers count (M17.6). */
type Measure =
  | { readonly is: 'measure'; readonly kind: MeasureKind; readonly asset: string | null }
  | { readonly is: 'refused' }
  | { readonly is: 'none' };
export type MeasureKind = 'purchase' | 'sale' | 'production' | 'holdings' | 'purchase or sale';

const none: Measure = { is: 'none' };
const refused: Measure = { is: 'refused' };
const signed = /purchased? ?\/ ?\(?sold|acquired ?\/ ?\(?sold|purchases? ?\/ ?\(?sales?/i;

/** The measure a label names by its words: what is done or held, and of which coin; null where the coin is not named. */
export function measureOf(label: string, words: ReportWords): Measure {
  if (label.length > 160) return none;
  const asset = oneAsset(label, words);
  const kinds = (['purchase', 'sale', 'production', 'holdings'] as const).filter((kind) =>
    words.has(label, `label ${kind}`),
  );
  if (asset === undefined || kinds.length === 0) return none;
  if (words.has(label, 'refused label') || /[%$]/.test(label) || hasUnknownWord(label, words)) return refused;
  if (signed.test(label)) return { is: 'measure', kind: 'purchase or sale', asset };
  const [kind, second] = kinds;
  // "bitcoin held in treasury" is one measure, "bitcoin mined and held" is two
  if (kind === undefined || second !== undefined) return refused;
  return { is: 'measure', kind, asset };
}

const dateWords = new RegExp(
  [
    '\\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|tember|ober|ember)?\\b',
    '\\b(?:first|second|third|fourth|q[1-4]|h[12]) ?(?:quarter|half)?\\b',
    '\\(?\\b[a-z]\\)',
  ].join('|'),
  'gi',
);

/** A word that names another thing: blocks mined, notes held, coins earned by others (M17.6). */
export function hasUnknownWord(label: string, words: ReportWords): boolean {
  const known = [
    ...words.coins(label),
    ...(['purchase', 'sale', 'production', 'holdings'] as const).flatMap((kind) =>
      words.find(label, `label ${kind}`),
    ),
  ].toSorted((a, b) => b.start - a.start);
  const rest = known.reduce((text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`, label);
  const left = rest.replace(dateWords, ' ').match(/[a-z][a-z'-]{0,30}/gi) ?? [];
  return left.some((word) => !words.begins(word, 'label filler'));
}

/** The asset of a label; null for none, undefined for several. */
function oneAsset(label: string, words: ReportWords): string | null | undefined {
  const assets = new Set(words.coins(label).map(({ asset }) => asset));
  const [asset = null] = assets;
  return assets.size > 1 ? undefined : asset;
}

/** The coin a label is nothing but the name of, `Bitcoin (BTC)`; null for any other label. */
export function coinLabel(label: string, words: ReportWords): string | null {
  const mentions = words.coins(label);
  const rest = mentions.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), label);
  const asset = oneAsset(label, words);
  return typeof asset === 'string' && /^[ ():]*$/.test(rest) ? asset : null;
}

/** What a money column states of the measure beside it (M17.7). */
export function moneyRole(label: string): 'usd' | 'avgPrice' | null {
  if (
    /market|fair|carrying|lowest|highest|impairment|notional|available|\b(?:jpy|yen|eur|euros?|gbp|cad|cdn|canadian|hkd|krw|brl)\b|[€£¥]/i.test(
      label,
    )
  )
    return null;
  if (/average|avg\.?|per (?:bitcoin|btc|coin|token|eth)/i.test(label))
    return /price|cost|value|purchase/i.test(label) ? 'avgPrice' : null;
  return /purchase price|sale price|cost basis|\bcost\b|proceeds/i.test(label) ? 'usd' : null;
}
