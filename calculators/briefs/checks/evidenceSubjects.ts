import type { ExactDecimal } from '../../../contract/values/exactDecimal.ts';
import type { BriefEvidence } from '../compileBrief.ts';
import { memberWords } from '../plainText.ts';
import type { EvidenceSubjects } from './briefText.ts';
import { abbreviations } from './checkWords.ts';
import { numberOf, printedNumbers } from './printedNumbers.ts';

const firstMark = 0xe000;
const mostMarks = 0x1900;
/** Words of a text, and units behind a number. */
const otherWords: readonly string[] = [...abbreviations, 'A', 'I', 'B', 'K', 'M'];

/** Whose numbers are whose: each belongs to the issuer, loan or product whose object it stands in (I2.44 c). */
export function evidenceSubjects(evidence: BriefEvidence): EvidenceSubjects {
  const tickers = new Set<string>();
  const underlyings = new Set<string>();
  const coins = new Set<string>();
  const marks = new Map<string, string>();
  const found = new Map<string, ExactDecimal[]>();
  const common: ExactDecimal[] = [];

  const keep = (number: ExactDecimal, owners: readonly string[]) => {
    if (owners.length === 0) common.push(number);
    for (const owner of owners) found.set(owner, [...(found.get(owner) ?? []), number]);
  };
  const walk = (value: unknown, { ticker, own }: { ticker: string | null; own: readonly string[] }): void => {
    const number = numberOf(value);
    if (number !== null) keep(number, ticker === null ? own : [ticker, ...own]);
    else if (Array.isArray(value)) for (const one of value) walk(one, { ticker, own });
    else if (value !== null && typeof value === 'object') {
      const issuer = textOf(value, 'ticker') ?? ticker;
      const loan = markOf(textOf(value, 'name'));
      const underlying = textOf(value, 'underlying');
      const coin = textOf(value, 'collateral_asset');
      if (issuer !== null) tickers.add(issuer);
      if (underlying !== null) underlyings.add(underlying);
      if (coin !== null) coins.add(coin);
      const inside = [
        ...own,
        ...(loan === null ? [] : [loan, ...(issuer === null ? [] : [`${issuer}${loan}`])]),
        ...(underlying === null ? [] : [underlying]),
      ];
      for (const inner of Object.values(value)) walk(inner, { ticker: issuer, own: inside });
    }
  };
  /** A name of one word could be any word of a sentence. */
  const markOf = (member: string | null): string | null => {
    const name = member === null ? '' : memberWords(member);
    if (!name.includes(' ') || marks.size >= mostMarks) return null;
    const mark = marks.get(name) ?? String.fromCodePoint(firstMark + marks.size);
    marks.set(name, mark);
    return mark;
  };
  walk(evidence, { ticker: null, own: [] });

  const others = new Set([...otherWords, ...coins, ...underlyings]);
  return {
    numbersOf: new Map([...found].map(([owner, numbers]) => [owner, printedNumbers(numbers)])),
    common: printedNumbers(common),
    scales: printedNumbers(scalesIn(evidence)),
    tickers,
    underlyings,
    ambiguous: new Set([...tickers].filter((ticker) => others.has(ticker))),
    marks,
  };
}

function scalesIn(evidence: BriefEvidence): ExactDecimal[] {
  const scales = [
    evidence.reference_covenant_ltv,
    ...Object.values(evidence.stress_bands),
    ...(evidence.brief === 'morning' ? [evidence.alpha_score_max] : []),
  ];
  return scales.flatMap((scale) => numberOf(scale) ?? []);
}

function textOf(value: object, member: string): string | null {
  const text = (value as Readonly<Record<string, unknown>>)[member];
  return typeof text === 'string' ? text : null;
}
