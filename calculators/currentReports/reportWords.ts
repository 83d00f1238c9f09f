import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { TableRow } from '../parameters/concepts.ts';

const roles = [
  'coin name',
  'coin ticker',
  'adjective',
  'part',
  'label purchase',
  'label sale',
  'label production',
  'label holdings',
  'label quantity',
  'refused label',
  'verb purchase',
  'verb sale',
  'verb production',
  'verb holdings',
  'verb pledge',
  'forward',
  'prior',
  'cumulative',
  'rate',
  'rate before',
  'not actual',
  'planned column',
  'behind coins',
  'mean of a time',
  'other object',
  'undone',
  'object filler',
  'own noun',
  'act lead',
  'label filler',
  'refused caption',
  'money row',
  'list of holders',
  'net change',
  'staked part',
  'not coins behind',
  'derivative',
  'statement row',
  'third party',
  'bound',
  'approximately',
  'own',
  'opening',
  'cash',
  'no cash held',
  'no pledge',
  'release',
] as const;
export type ReportRole = (typeof roles)[number];

/** A coin named in a text. */
export type CoinMention = { readonly asset: string; readonly start: number; readonly end: number };

/** `data/registry/report-words.csv` compiled: what a word of a report says (M17.1). */
export type ReportWords = {
  /** The patterns of a role as one alternative, for a longer pattern. */
  source(role: ReportRole): string;
  /** True when a word of the role stands in the text. */
  has(text: string, role: ReportRole): boolean;
  /** True when the text begins with a word of the role, spaces aside. */
  begins(text: string, role: ReportRole): boolean;
  /** True when the text ends with a word of the role, spaces aside. */
  ends(text: string, role: ReportRole): boolean;
  /** Where words of the role stand, in order. */
  find(text: string, role: ReportRole): readonly { readonly start: number; readonly end: number }[];
  /** Names and tickers of coins as one alternative; a ticker counts in its own case alone ({@link ReportWords.assetOf}). */
  readonly coin: string;
  /** The asset a word is the name or ticker of; null for none. */
  assetOf(word: string): string | null;
  coins(text: string): readonly CoinMention[];
};

/**
 * Compiles the table of words.
 *
 * @throws IssuerError `validation_failed` naming the first line that is not well formed.
 */
export function reportWords(rows: readonly TableRow[]): ReportWords {
  const parsed = rows.map(wordRow);
  const sources = new Map(
    roles.map((role) => [role, parsed.filter((row) => row.role === role).map(({ pattern }) => pattern)]),
  );
  const empty = roles.find((role) => sources.get(role)?.length === 0);
  if (empty !== undefined) throw bad(1, `a word of the role ${empty}`);
  const source = (role: ReportRole) => (sources.get(role) ?? []).join('|');
  const compiled = (wrap: (alternatives: string) => string) => {
    const patterns = new Map(roles.map((role) => [role, new RegExp(wrap(source(role)), 'gi')]));
    return (role: ReportRole) => {
      const pattern = patterns.get(role) ?? /$^/g;
      pattern.lastIndex = 0;
      return pattern;
    };
  };
  const anywhere = compiled((words) => `(?<![\\w$-])(?:${words})(?!\\w)`);
  const first = compiled((words) => `^[ -]{0,3}(?:${words})(?!\\w)`);
  const last = compiled((words) => `(?<![\\w-])(?:${words}) {0,2}$`);
  const names = parsed.filter(({ role }) => role === 'coin name' || role === 'coin ticker');
  const whole = names.map(({ role, pattern, meaning }) => ({
    asset: meaning,
    pattern: new RegExp(`^(?:${pattern})$`, role === 'coin name' ? 'i' : ''),
  }));
  const assetOf = (word: string) => whole.find(({ pattern }) => pattern.test(word))?.asset ?? null;
  const coin = names.map(({ pattern }) => pattern).join('|');
  const coinPattern = new RegExp(`(?<![\\w$])(?:${coin})(?!\\w)`, 'gi');
  const tail = 120;
  return {
    source,
    coin,
    assetOf,
    has: (text, role) => anywhere(role).test(text),
    begins: (text, role) => first(role).test(text.slice(0, tail)),
    ends: (text, role) => last(role).test(text.slice(-tail)),
    find: (text, role) =>
      [...text.matchAll(anywhere(role))].map((match) => ({
        start: match.index,
        end: match.index + match[0].length,
      })),
    coins: (text) =>
      [...text.matchAll(coinPattern)].flatMap((match) => {
        const asset = assetOf(match[0]);
        return asset === null ? [] : [{ asset, start: match.index, end: match.index + match[0].length }];
      }),
  };
}

function wordRow({ line, cells }: TableRow): { role: ReportRole; pattern: string; meaning: string } {
  if (cells === null) throw bad(line, 'as many cells as the header');
  const { pattern = '', meaning = '' } = cells;
  const role = roles.find((one) => one === cells['role']);
  if (role === undefined) throw bad(line, `a role: ${roles.join(', ')}`);
  if (pattern === '' || meaning === '') throw bad(line, 'a pattern and what it says');
  try {
    new RegExp(pattern);
  } catch {
    throw bad(line, 'a pattern that is a regular expression');
  }
  // an unbounded repetition could take quadratic time on a hostile document (M17.3)
  if (/[+*]|\{\d*,\}/.test(pattern)) throw bad(line, 'a pattern without unbounded repetition');
  return { role, pattern, meaning };
}

function bad(line: number, wanted: string): IssuerError {
  const file = 'data/registry/report-words.csv';
  return new IssuerError({
    code: 'validation_failed',
    message: `Line ${line} of ${file} needs ${wanted}.`,
    hint: 'Correct the line; data/README.md says what each column holds.',
    details: { file, line },
  });
}
