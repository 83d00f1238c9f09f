import { disclaimer } from '../../values/disclaimer.ts';
import type { BriefStyle } from '../../values/enums.ts';
import { longestBrief } from './naturalBrief.ts';

/** The sections of each kind of brief in their order; the heading of each stands there exactly once (I2.42). */
export const briefGrammar = {
  morning: [
    'Data Slice and Readiness',
    'Filing Changes Since Last Slice',
    'Risk Tier Board',
    'Most Stressed Issuers',
    'Alpha Opportunity Board',
    'Dominant Pattern',
    'How to Read the Scores',
    'Limits of the Evidence',
    'Next Checks',
  ],
  top_stressed: [
    'Data Slice and Readiness',
    'Stress Ranking',
    'Shared Drivers',
    'Limits of the Evidence',
    'Next Checks',
  ],
  covenant: [
    'Issuer Snapshot',
    'Covenant Stress Readings',
    'Live-Price Overlay',
    'Filing Evidence',
    'Limits of the Evidence',
    'Next Checks',
  ],
} as const;

export type BriefKind = keyof typeof briefGrammar;

/**
 * What speaks against a text as a brief of its evidence (I2.44), read as a client reads it: from the answer alone, without
 * knowledge of how it was compiled.
 */
export function briefProblems({
  text,
  evidence,
  kind,
  style,
}: {
  text: string;
  evidence: unknown;
  kind: BriefKind;
  style: BriefStyle;
}): string[] {
  const lines = text.split('\n');
  const headings = lines.filter((line) => line.startsWith('#')).slice(1);
  const sections = lines.slice(0, -1).join('\n').split('\n## ').slice(1);
  const stray = unverifiedNumbers(text, evidence);
  return [
    ...(headings.join('|') === briefGrammar[kind].map((one) => `## ${one}`).join('|')
      ? []
      : ['the sections are not those of I2.42']),
    ...(sections.every((section) => /\n./.test(section)) ? [] : ['a section is empty (I2.42)']),
    ...(lines.at(-1) === disclaimer ? [] : ['the last line is not the disclaimer (I2.40)']),
    ...(text.length <= longestBrief[style]
      ? []
      : [`its ${text.length} characters are more than ${style} may have (I2.43)`]),
    ...(stray.length === 0 ? [] : [`${stray[0]} is not in its evidence (I2.44)`]),
    ...(hasForeignMarkup(text)
      ? ['it holds HTML, a picture or a link to another host than SEC (I2.44)']
      : []),
  ];
}

/** Briefs have headings, lists and links to pages of EDGAR; all other markup came in with a text of the evidence. */
function hasForeignMarkup(text: string): boolean {
  const bare = text.replaceAll(/\]\(https:\/\/www\.sec\.gov\/[\w./-]*\)/g, ']');
  return /<[a-z!/?]|!\[|\]\(|\]:|`|:\/\/|(?!\n)\p{Cc}/iu.test(bare);
}

// Reads a brief as a client does who trusts neither its compiler nor its validator: the rule of M11.2 written down a
// second time, on doubles and on nothing but the answer.

const token = /(?<![\w.])[-+−]?\$?\d[\d,]*(\.\d+)?(\s?(%|x|bn|M|B|K)(?![A-Za-z]))?/g;
const scales: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, bn: 1e9 };
const forms = /\b(\d{1,2}-[KQF]T?|[SF]-\d+|424B\d|DEF 14A)(\/A)?\b/g;

/** The numbers of a text that no number of its evidence prints as; dates, accession numbers and names are texts. */
export function unverifiedNumbers(text: string, evidence: unknown): string[] {
  const numbers: number[] = [];
  const texts = new Set<string>();
  collect(evidence, numbers, texts);
  const quoted = [...texts]
    .filter((one) => /\d/.test(one) && /[^\d.-]/.test(one))
    .sort((a, b) => b.length - a.length);
  let bare = text.replace(/\]\([^)]*\)/g, ']');
  for (const quote of quoted) bare = bare.split(quote).join(' ');
  bare = bare
    .replace(/\d{10}-\d{2}-\d{6}/g, (accession) => (texts.has(accession) ? ' ' : accession))
    .replace(/\d{4}-\d{2}-\d{2}/g, (date) => ([...texts].some((one) => one.includes(date)) ? ' ' : date))
    .replace(forms, ' ')
    .replace(/^\d+\. /gm, '');
  return [...bare.matchAll(token)]
    .map(([found]) => found.trim())
    .filter((found) => !/^(30|50|70) %$/.test(found) && !isThere(found, numbers, texts));
}

function isThere(found: string, numbers: readonly number[], texts: ReadonlySet<string>): boolean {
  // an issuer without a ticker stands under its CIK
  if (texts.has(found)) return true;
  const unit = /[%xMBK]n?$|bn$/.exec(found)?.[0] ?? '';
  const digits = found
    .slice(0, found.length - unit.length)
    .replace(/[$,+\s]/g, '')
    .replace('−', '-');
  const decimals = digits.includes('.') ? digits.length - digits.indexOf('.') - 1 : 0;
  const scale = scales[unit] ?? 1;
  const said = Number(digits) * scale;
  const half = 0.5 * 10 ** -decimals * scale;
  const near = (number: number) =>
    Math.abs(number - said) <= half * (1 + 1e-9) + Math.abs(said) * 1e-12 + 1e-12;
  return numbers.some((number) => near(number) || (unit === '%' && near(number * 100)));
}

function collect(value: unknown, numbers: number[], texts: Set<string>): void {
  if (typeof value === 'number') numbers.push(value);
  else if (typeof value === 'string') {
    texts.add(value);
    if (/^-?\d+(\.\d+)?$/.test(value)) numbers.push(Number(value));
  } else if (Array.isArray(value)) for (const one of value) collect(one, numbers, texts);
  else if (value !== null && typeof value === 'object')
    for (const one of Object.values(value)) collect(one, numbers, texts);
}
