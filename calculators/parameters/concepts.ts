import { IssuerError } from '../../data/contract/errors/issuerError.ts';

/** One line of a table of the registry: where it ends, and its cells by column; null where their number is wrong. */
export type TableRow = { readonly line: number; readonly cells: Readonly<Record<string, string>> | null };

/** `data/registry/concepts.csv` and `data/registry/concept-words.csv` as their lines. */
export type ConceptTables = { readonly concepts: readonly TableRow[]; readonly words: readonly TableRow[] };

/** C current, N noncurrent, T total of both. */
export type DebtBucket = 'C' | 'N' | 'T';

/** One debt concept of the standard taxonomies (M1.20). */
export type DebtConcept = {
  readonly concept: string;
  readonly bucket: DebtBucket;
  /** 0 umbrella, 1 line, 2 instrument, 3 disclosure only. */
  readonly level: 0 | 1 | 2 | 3;
  /** May be gross principal, hence last among the totals (‡; CLSK 835,143 K against 820,337 K carrying). */
  readonly isPrincipal: boolean;
  /** Some filers put other payables there; it counts, and says so where nothing confirms it (§). */
  readonly isDoubtful: boolean;
  /** Finance-lease liability inside a lease-inclusive concept (†), subtracted when filed. */
  readonly leasePart?: string;
};

/** A liability of the standard taxonomies that is no debt (M1.29c, M1.37). */
export type OtherLiability = {
  readonly concept: string;
  readonly bucket: DebtBucket;
  /** `certain`: identified by M1.37. The others only complete a filed total; an unnamed one says nothing of what it is. */
  readonly certainty: 'certain' | 'completes a total' | 'unnamed';
};

const roles = ['debt', 'coins', 'customer coins', 'intangible coins', 'other liability', 'part'] as const;
const certainties: Readonly<Record<(typeof roles)[number], readonly string[]>> = {
  debt: ['', 'may be the noncurrent part', 'may be principal', 'may be other payables'],
  coins: [''],
  'customer coins': [''],
  'intangible coins': ['may be other intangibles'],
  'other liability': ['', 'completes a total', 'unnamed'],
  part: [''],
};

/** What a word in a filer's own name says (M1.22, M2.3). */
const wordRoles = [
  'debt',
  'about debt',
  'not debt',
  'figure about debt',
  'debt in a breakdown',
  'other liability',
  'may be debt',
  'repurchase right',
  'payable or accrual',
  'interest owed',
  'more than an accrual',
  'more than interest',
  'coins',
  'coins as a word',
  'not coins',
  'not coins as a word',
  'beside coins',
  'says no more',
  'coins at cost',
  'figure about coins',
  'quantity of coins',
  'not a holding',
  'other asset',
  'coin name',
] as const;
export type WordRole = (typeof wordRoles)[number];

/** Concepts and words as the calculators use them; rows of one role keep the order of the table. */
export type Concepts = {
  readonly debt: readonly DebtConcept[];
  /** The debt concept of that name; undefined for any other. */
  debtConcept(concept: string): DebtConcept | undefined;
  /** Whole-entity USD concepts that state coins (M2.1), in the order of the ladder of M2.4. */
  readonly coins: readonly string[];
  /** True for a concept that has a line of the table, in any role. */
  isKnown(concept: string): boolean;
  /** Customer coins held by exchanges and custodians: in no total (M2.1); they only show an anomaly (M2.14). */
  readonly customerCoins: readonly string[];
  /** Where an issuer without `CryptoAsset*` facts may carry its coins (M2.6). */
  readonly intangibleCoins: string;
  readonly otherLiabilities: readonly OtherLiability[];
  /** Every concept that contains `concept`, directly or through others: a veto inside sums, never a resolver (M1.29a). */
  ancestorsOf(concept: string): ReadonlySet<string>;
  /** True when a word of that role stands in `text`, which is lower case and letters only (M1.22). */
  hasWord(text: string, role: WordRole): boolean;
  /** The asset each coin name stands for. */
  readonly coinNames: ReadonlyMap<string, string>;
};

/**
 * Reads the tables of concepts and words (M1.20–M1.22, M1.29a, M2.1, M2.3).
 *
 * @throws IssuerError `validation_failed` naming the first line that is not well formed, and what it needs.
 */
export function conceptTable(tables: ConceptTables): Concepts {
  const rows = tables.concepts.map(conceptRow);
  const known = new Set<string>();
  for (const { concept, line } of rows) {
    if (known.has(concept)) throw bad(line, `a concept once; ${concept} has a line already`);
    known.add(concept);
  }
  const orphan = rows.find(({ parents }) => parents.some((parent) => !known.has(parent)));
  if (orphan !== undefined) throw bad(orphan.line, 'parents that have lines of their own');
  const parents = new Map(rows.map((row) => [row.concept, row]));
  const ancestors = new Map(rows.map((row) => [row.concept, above(row, parents)]));
  const named = (role: ConceptRow['role']) => rows.filter((row) => row.role === role);
  const otherLiabilities = named('other liability').map(otherLiability);
  const debt = named('debt').map((row) => debtConcept(row, named('other liability')));
  const byName = new Map(debt.map((row) => [row.concept, row]));
  const [intangible, second] = named('intangible coins');
  if (intangible === undefined || second !== undefined)
    throw bad(second?.line ?? 1, 'one concept of the role intangible coins');
  const none: ReadonlySet<string> = new Set();
  return {
    debt,
    debtConcept: (concept) => byName.get(concept),
    coins: named('coins').map(({ concept }) => concept),
    isKnown: (concept) => known.has(concept),
    customerCoins: named('customer coins').map(({ concept }) => concept),
    intangibleCoins: intangible.concept,
    otherLiabilities,
    ancestorsOf: (concept) => ancestors.get(concept) ?? none,
    ...wordTable(tables.words),
  };
}

/** The same for one issuer: a name of its primary asset says coins too, where it is a word of its own (M2.3). */
export function conceptsOfIssuer(concepts: Concepts, primaryAsset: string | null): Concepts {
  const { hasWord, coinNames } = concepts;
  return {
    ...concepts,
    hasWord: (text, role) =>
      hasWord(text, role) ||
      (role === 'coins as a word' &&
        primaryAsset !== null &&
        (coinNames.get(text) === primaryAsset || text === primaryAsset.toLowerCase())),
  };
}

type ConceptRow = {
  readonly line: number;
  readonly concept: string;
  readonly role: (typeof roles)[number];
  readonly bucket: string;
  readonly level: string;
  /** What the concept is a part of, by the taxonomy. */
  readonly parents: readonly string[];
  readonly certainty: string;
};

function conceptRow({ line, cells }: TableRow): ConceptRow {
  if (cells === null) throw bad(line, 'as many cells as the header');
  const { concept = '', bucket = '', level = '', certainty = '', taxonomy = '', file = '' } = cells;
  const [, prefix] = /^(us-gaap|srt|ifrs)(?:-full)?:[A-Z]\w+$/.exec(concept) ?? [];
  if (prefix === undefined) throw bad(line, 'a concept of us-gaap, srt or ifrs-full with its prefix');
  if (!new RegExp(`^${prefix}-20\\d\\d$`).test(taxonomy) || file === '')
    throw bad(line, `the taxonomy of ${concept} with its year, and the file of it that has the concept`);
  const role = roles.find((one) => one === cells['role']);
  if (role === undefined) throw bad(line, `a role: ${roles.join(', ')}`);
  if (role === 'debt' && !/^[CNT][0-3]$/.test(bucket + level))
    throw bad(line, 'a bucket (C, N or T) and a level (0 to 3), as every debt concept');
  if (role !== 'debt' && (level !== '' || !/^[CNT]?$/.test(bucket)))
    throw bad(line, 'no level, and C, N, T or nothing as its bucket');
  if (!certainties[role].includes(certainty)) {
    throw bad(line, `a certainty that ${role} has: ${certainties[role].join(', ') || 'none, empty'}`);
  }
  const parents = (cells['parents'] ?? '').split(' ').filter((parent) => parent !== '');
  return { line, concept, role, bucket, level, parents, certainty };
}

/** A part of a debt concept that is a liability of another kind is the lease inside it (†). */
function debtConcept(row: ConceptRow, liabilities: readonly ConceptRow[]): DebtConcept {
  const lease = liabilities.find(({ parents }) => parents.includes(row.concept));
  return {
    concept: row.concept,
    bucket: row.bucket as DebtBucket,
    level: Number(row.level) as DebtConcept['level'],
    isPrincipal: row.certainty === 'may be principal',
    isDoubtful: row.certainty === 'may be other payables',
    ...(lease === undefined ? {} : { leasePart: lease.concept }),
  };
}

function otherLiability({ line, concept, bucket, certainty }: ConceptRow): OtherLiability {
  if (bucket === '') throw bad(line, 'a bucket (C, N or T), as every other liability');
  return {
    concept,
    bucket: bucket as DebtBucket,
    certainty: certainty === '' ? 'certain' : (certainty as OtherLiability['certainty']),
  };
}

function above(row: ConceptRow, rows: ReadonlyMap<string, ConceptRow>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...row.parents];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === row.concept) throw bad(row.line, 'parents that are no parts of it');
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(rows.get(next)?.parents ?? []));
  }
  return found;
}

function wordTable(rows: readonly TableRow[]): Pick<Concepts, 'hasWord' | 'coinNames'> {
  const words = rows.map(({ line, cells }) => {
    const role = wordRoles.find((one) => one === cells?.['role']);
    const { pattern = '', meaning = '' } = cells ?? {};
    if (role === undefined) throw bad(line, `a role: ${wordRoles.join(', ')}`, wordsFile);
    if (meaning === '') throw bad(line, 'a meaning', wordsFile);
    if (!isPattern(pattern)) throw bad(line, 'a pattern in lower case that compiles', wordsFile);
    return { role, pattern, meaning };
  });
  const patternOf = (role: WordRole) => {
    const own = words.filter((word) => word.role === role).map(({ pattern }) => pattern);
    return new RegExp(own.length === 0 ? '(?!)' : own.join('|'));
  };
  const patterns = Object.fromEntries(wordRoles.map((role) => [role, patternOf(role)]));
  const coinNames = words.filter(({ role }) => role === 'coin name');
  return {
    hasWord: (text, role) => patterns[role]?.test(text) === true,
    coinNames: new Map(coinNames.map(({ pattern, meaning }) => [pattern, meaning])),
  };
}

function isPattern(pattern: string): boolean {
  try {
    return pattern !== '' && pattern === pattern.toLowerCase() && new RegExp(pattern) !== null;
  } catch {
    return false;
  }
}

const wordsFile = 'data/registry/concept-words.csv';

function bad(line: number, wanted: string, file = 'data/registry/concepts.csv'): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `Line ${line} of ${file} needs ${wanted}.`,
    hint: 'Correct the line; data/README.md says what each column holds.',
    details: { file, line },
  });
}
