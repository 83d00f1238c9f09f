import { disclaimer, tierMeaning } from '../../../contract/values/disclaimer.ts';
import { researchPostures, riskTiers } from '../../../contract/values/enums.ts';
import type { ExactDecimal } from '../../../contract/values/exactDecimal.ts';
import { caveatSentence } from '../briefCaveats.ts';
import type { BriefEvidence } from '../compileBrief.ts';
import { memberWords, plainText } from '../plainText.ts';
import type { EvidenceFacts } from './briefText.ts';
import { evidenceSubjects } from './evidenceSubjects.ts';
import { numberOf, printedNumbers } from './printedNumbers.ts';

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

/** Walks an evidence once and keeps what the checks ask for (I2.44). */
export function evidenceFacts(evidence: BriefEvidence): EvidenceFacts {
  const numbers: ExactDecimal[] = [];
  const words = new Set<string>();
  const dates = new Set<string>();
  const quotes = new Set<string>([disclaimer, tierMeaning, ...evidence.caveats.map(caveatSentence)]);
  const stated = new Map<string, Set<string>>();

  const keepText = (text: string, member: string, ticker: string | null) => {
    for (const date of text.match(/\d{4}-\d{2}-\d{2}/g) ?? []) dates.add(date);
    for (const word of text.match(/[A-Za-z0-9.-]+/g) ?? []) words.add(word);
    if (quoted.has(member)) quotes.add(text);
    if (named.has(member)) for (const name of [text, plainText(text), memberWords(text)]) quotes.add(name);
    if (ticker !== null && stating.has(text)) stated.get(ticker)?.add(text);
  };
  const walk = (value: unknown, member: string, ticker: string | null): void => {
    const number = numberOf(value);
    if (number !== null) numbers.push(number);
    if (typeof value === 'string') keepText(value, member, ticker);
    else if (Array.isArray(value)) for (const one of value) walk(one, member, ticker);
    else if (value !== null && typeof value === 'object') {
      const own = 'ticker' in value && typeof value.ticker === 'string' ? value.ticker : ticker;
      if (own !== null && !stated.has(own)) stated.set(own, new Set());
      for (const [name, inner] of Object.entries(value)) walk(inner, name, own);
    }
  };
  walk(evidence, '', null);

  return {
    numbers: printedNumbers(numbers),
    subjects: evidenceSubjects(evidence),
    words,
    dates,
    quotes: [...quotes].filter((text) => text.length > 1).sort((a, b) => b.length - a.length),
    stated,
    caveats: evidence.caveats,
  };
}
