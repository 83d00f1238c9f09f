import { disclaimer, tierMeaning } from '../../../contract/values/disclaimer.ts';
import { researchPostures, riskTiers } from '../../../contract/values/enums.ts';
import { ExactDecimal } from '../../../contract/values/exactDecimal.ts';
import { caveatSentence } from '../briefCaveats.ts';
import type { BriefEvidence } from '../compileBrief.ts';
import { memberWords, plainText } from '../plainText.ts';
import type { EvidenceFacts } from './briefText.ts';

/** Members whose text a brief may quote as it is. */
const quoted: ReadonlySet<string> = new Set([
  'accession_number',
  'computed_at_utc',
  'concept',
  'filing_form',
  'filing_url',
  'label',
  'live_price_last_updated',
  'price_last_updated',
]);
const named: ReadonlySet<string> = new Set(['entity_name', 'name']);
const stating: ReadonlySet<string> = new Set<string>([...riskTiers, ...researchPostures]);
const decimalText = /^-?\d+(\.\d+)?$/;

/** Walks an evidence once and keeps what the checks ask for (I2.44). */
export function evidenceFacts(evidence: BriefEvidence): EvidenceFacts {
  const numbers = new Map<string, ExactDecimal>();
  const words = new Set<string>();
  const dates = new Set<string>();
  const quotes = new Set<string>([disclaimer, tierMeaning, ...evidence.caveats.map(caveatSentence)]);
  const stated = new Map<string, Set<string>>();

  const keepText = (text: string, member: string, ticker: string | null) => {
    if (decimalText.test(text)) keepNumber(ExactDecimal.parse(text));
    for (const date of text.match(/\d{4}-\d{2}-\d{2}/g) ?? []) dates.add(date);
    for (const word of text.match(/[A-Za-z0-9.-]+/g) ?? []) words.add(word);
    if (quoted.has(member)) quotes.add(text);
    if (named.has(member)) for (const name of [text, plainText(text), memberWords(text)]) quotes.add(name);
    if (ticker !== null && stating.has(text)) stated.get(ticker)?.add(text);
  };
  const keepNumber = (number: ExactDecimal) => numbers.set(number.toString(), number);
  const walk = (value: unknown, member: string, ticker: string | null): void => {
    if (typeof value === 'number') keepNumber(ExactDecimal.fromNumber(value));
    else if (typeof value === 'string') keepText(value, member, ticker);
    else if (Array.isArray(value)) for (const one of value) walk(one, member, ticker);
    else if (value !== null && typeof value === 'object') {
      const own = 'ticker' in value && typeof value.ticker === 'string' ? value.ticker : ticker;
      if (own !== null && !stated.has(own)) stated.set(own, new Set());
      for (const [name, inner] of Object.entries(value)) walk(inner, name, own);
    }
  };
  walk(evidence, '', null);

  const all = [...numbers.values()];
  const counts = new Set(all.filter(({ scale }) => scale === 0).map(({ units }) => units));
  return {
    printsAs: printing(all),
    isCount: (value) => counts.has(value),
    words,
    dates,
    quotes: [...quotes].filter((text) => text.length > 1).sort((a, b) => b.length - a.length),
    stated,
    caveats: evidence.caveats,
  };
}

/** Every number rounded once for each precision that is asked for. */
function printing(numbers: readonly ExactDecimal[]): EvidenceFacts['printsAs'] {
  const known = new Map<string, ReadonlySet<string>>();
  return ({ units, digits, exponent }) => {
    const key = `${digits} ${exponent}`;
    const printed =
      known.get(key) ?? new Set(numbers.map((number) => printedAs(number, { digits, exponent })));
    known.set(key, printed);
    return printed.has(new ExactDecimal(units, digits).toString());
  };
}

function printedAs(number: ExactDecimal, { digits, exponent }: { digits: number; exponent: number }): string {
  const factor =
    exponent > 0 ? new ExactDecimal(1n, exponent) : new ExactDecimal(10n ** BigInt(-exponent), 0);
  return number.times(factor).rounded(digits).toString();
}
