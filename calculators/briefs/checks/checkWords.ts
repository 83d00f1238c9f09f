import { marketRegimes, researchPostures, riskTiers } from '../../../contract/values/enums.ts';
import { codeWords } from '../plainText.ts';
import type { BriefViolation, Checked } from './briefText.ts';

/** Words in capitals that are no ticker. */
export const abbreviations: ReadonlySet<string> = new Set([
  'USD',
  'SEC',
  'EDGAR',
  'XBRL',
  'CIK',
  'LTV',
  'ETF',
  'US',
  'GAAP',
  'DEF',
  'SC',
  ...riskTiers,
]);
const tiers: ReadonlySet<string> = new Set(riskTiers);
const tierWord = new RegExp(`\\b(?:${riskTiers.join('|')})\\b`);

const banned: readonly RegExp[] = [
  /\b(?:buy|buys|buying|sell|sells|selling)\b/i,
  /(?:^|[.;:!-]\s*|\b(?:should|must|to|recommend(?:ed)?|rating|advise)\s+)hold\b/im,
  /\bhold\s+(?:rating|recommendation)\b/i,
  /\b(?:target price|price target)\b/i,
  /\bguarantee[sd]?\b/i,
  /\bwill\s+(?:rise|fall)\b/i,
  /\b(?:under|over)valued\b/i,
];

/** Tickers, enumerations and vocabulary (I2.44 d, e, i). */
export function checkWords(checked: Checked): BriefViolation[] {
  const { claims } = checked;
  const advice = banned.flatMap((pattern) => {
    const [found] = pattern.exec(claims) ?? [];
    return found === undefined ? [] : [{ rule: 'i' as const, message: `"${found.trim()}" is advice` }];
  });
  return [
    ...unknownTickers(checked),
    ...falseTiers(checked),
    ...falseCounts(checked),
    ...falseRegimes(checked),
    ...advice,
  ];
}

function unknownTickers({ claims, facts }: Checked): BriefViolation[] {
  const tokens = claims.match(/(?<![\w:/.-])[A-Z][A-Z0-9]{1,5}(?:[.-][A-Z]{1,2})?(?!\w|[.-][A-Z])/g) ?? [];
  return [...new Set(tokens)]
    .filter((token) => !abbreviations.has(token) && !facts.words.has(token) && !/^Q\d$/.test(token))
    .map((token) => ({ rule: 'd', message: `${token} is not in the evidence` }));
}

/** A tier or posture belongs to the last issuer named before it in its sentence, else to those named after it. */
function falseTiers({ claims, evidence, facts }: Checked): BriefViolation[] {
  const own = evidence.brief === 'covenant' ? evidence.ticker : null;
  // a ticker that is the word of a tier leaves no way to tell what is said of whom
  if (riskTiers.some((tier) => facts.stated.has(tier))) return [];
  return claims.split(/\n|(?<=[.;])\s/).flatMap((sentence) => {
    const said = sayings(sentence, facts.stated);
    return said.flatMap(({ word, at }) => {
      const before = said.findLast((one) => one.at < at && one.isTicker)?.word ?? null;
      const after = said.filter((one) => one.at > at && one.isTicker).map((one) => one.word);
      if (facts.stated.has(word)) return [];
      const subjects = before !== null ? [before] : after.length > 0 ? after : own === null ? [] : [own];
      return subjects
        .filter((ticker) => facts.stated.get(ticker)?.has(word) === false)
        .map((ticker) => ({ rule: 'e' as const, message: `the evidence does not say ${word} of ${ticker}` }));
    });
  });
}

type Saying = { readonly word: string; readonly at: number; readonly isTicker: boolean };

function sayings(sentence: string, stated: ReadonlyMap<string, unknown>): Saying[] {
  const found: Saying[] = [];
  for (const match of sentence.matchAll(/[A-Za-z0-9][A-Za-z0-9.-]*(?<![.-])/g)) {
    const [word] = match;
    const rest = sentence.slice(match.index + word.length);
    // thresholds of the bands are checked as numbers
    if (tiers.has(word) && !/^ from \d/.test(rest)) found.push({ word, at: match.index, isTicker: false });
    else if (stated.has(word) && !tiers.has(word) && isNamed(word, rest))
      found.push({ word, at: match.index, isTicker: true });
  }
  for (const posture of researchPostures) {
    const at = sentence.indexOf(codeWords(posture));
    if (at !== -1 && posture !== 'monitor') found.push({ word: posture, at, isTicker: false });
  }
  return found.sort((a, b) => a.at - b.at);
}

// "A" and "I" are words too
const isNamed = (word: string, rest: string) => !/^[AI]$/.test(word) || /^(?:[,;.)]|\s[\dA-Z]|$)/.test(rest);

/** `CRITICAL 4` says that four issuers have the tier. */
function falseCounts({ brief, evidence }: Checked): BriefViolation[] {
  if (evidence.brief !== 'morning') return [];
  const board = (brief.sections.get('Risk Tier Board') ?? []).join('\n');
  const { filing, live } = evidence.risk_distribution;
  return riskTiers.flatMap((tier) =>
    [...board.matchAll(new RegExp(`\\b${tier} (\\d+)(?![\\d.,]*\\d)`, 'g'))]
      .map(([, count]) => Number(count))
      .filter((count) => count !== filing[tier].count && count !== live[tier].count)
      .map((count) => ({ rule: 'e' as const, message: `${count} issuers are not ${tier}` })),
  );
}

/** A regime that is named is the one of the day. */
function falseRegimes({ claims, evidence }: Checked): BriefViolation[] {
  const actual = regimeOf(evidence);
  return marketRegimes
    .filter((regime) => regime !== actual)
    .filter((regime) => {
      const forms =
        regime === 'neutral' ? ['regime neutral', 'regime is neutral'] : [regime, codeWords(regime)];
      return forms.some((form) => claims.toLowerCase().includes(form));
    })
    .map((regime) => ({ rule: 'e', message: `the market regime is not ${regime}` }));
}

/** The regime a brief may name; null where none is known. */
export function regimeOf(evidence: Checked['evidence']): string | null {
  return evidence.brief === 'covenant'
    ? (evidence.live?.market_regime ?? null)
    : evidence.readiness.market_regime;
}

/** True for a text that names a tier. */
export const namesTier = (text: string) => tierWord.test(text);
