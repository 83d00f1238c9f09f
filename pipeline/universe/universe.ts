import { readFile, stat } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { type EndedRegistrant, endedStatuses, type Issuer } from '../../calculators/filing/rows.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type IssuerType, issuerTypes } from '../../data/contract/values/enums.ts';
import { cikPattern, isCivilDate, tickerPattern } from '../../data/contract/values/primitives.ts';
import { plainName } from '../../data/contract/values/printable.ts';

/** The classes the universe table uses. */
export const issuerClasses = [
  'crypto_treasury',
  'miner',
  'crypto_financial',
  'exchange_or_custodian',
  'digital_asset_adjacent',
  'crypto_trust_or_etf',
  // blank-check companies: a plan to hold coins, and a trust account
  'shell_or_spac',
] as const;

/** An issuer with the registry columns the calculators do not look at. */
export type RegisteredIssuer = Issuer & {
  readonly sic: string | null;
  /** `MMDD`. */
  readonly fiscalYearEnd: string | null;
};

const required = ['cik', 'ticker', 'entity_name', 'aliases', 'issuer_type', 'issuer_class'] as const;
const optional = [
  'exchange',
  'primary_asset',
  'sic',
  'fiscal_year_end',
  'status',
  'status_date',
  'successor',
  'evidence',
] as const;
const maxBytes = 16 * 1024 * 1024;

type Row = { readonly line: number; readonly cells: Readonly<Record<string, string>> };

/**
 * Reads a universe table; the order of the file is kept.
 *
 * Throws `input_missing` when the file is not there and `validation_failed` for the first bad row, with its
 * line and a hint.
 */
export async function loadUniverse(path: string): Promise<RegisteredIssuer[]> {
  let text: string;
  try {
    const { size } = await stat(path);
    if (size > maxBytes) throw bad(path, 1, `the table has ${size} bytes`, `At most ${maxBytes} are read.`);
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (cause) {
    if (cause instanceof IssuerError) throw cause;
    if (cause instanceof TypeError) {
      throw bad(path, 1, 'the table is not UTF-8', 'Save it as UTF-8.');
    }
    throw new IssuerError({
      code: 'input_missing',
      message: `The universe table ${path} cannot be read.`,
      hint: 'Name an existing CSV with columns cik, ticker, entity_name, aliases, issuer_type, issuer_class.',
      details: { path },
      cause,
    });
  }
  return parseUniverse(text, path);
}

/**
 * Parses a universe table: one registrant per CIK, tickers unique, aliases separated by `|`.
 *
 * `NA` is a ticker like any other; an empty ticker is a CIK-only issuer (I1.18). Throws `validation_failed`
 * with `details.line`.
 */
export function parseUniverse(text: string, path: string): RegisteredIssuer[] {
  const issuers: RegisteredIssuer[] = [];
  const lineOfCik = new Map<string, number>();
  const lineOfTicker = new Map<string, number>();
  for (const row of readRows(text, path)) {
    const issuer = readIssuer(row, path);
    claim({ seen: lineOfCik, key: issuer.cik, what: 'CIK', line: row.line, path });
    if (issuer.ticker !== null) {
      claim({ seen: lineOfTicker, key: issuer.ticker, what: 'ticker', line: row.line, path });
    }
    issuers.push(issuer);
  }
  if (issuers.length === 0) throw bad(path, 1, 'the table has no issuer', 'Add one row per registrant.');
  return issuers;
}

function readRows(text: string, path: string): Row[] {
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as never;
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const line = typeof cause['lines'] === 'number' ? cause['lines'] : 1;
    throw bad(path, line, 'the CSV cannot be read', `${cause.message}.`);
  }
  const header = records[0]?.record ?? [];
  const known: readonly string[] = [...required, ...optional];
  for (const name of required) {
    if (!header.includes(name))
      throw bad(path, 1, `column ${name} is missing`, `Columns: ${known.join(', ')}.`);
  }
  for (const [i, name] of header.entries()) {
    if (!known.includes(name)) {
      throw bad(path, 1, `column "${name.slice(0, 40)}" is not known`, `Columns: ${known.join(', ')}.`);
    }
    if (header.indexOf(name) !== i) throw bad(path, 1, `column ${name} occurs twice`, 'Keep one of them.');
  }
  return records.slice(1).map(({ record, info }) => {
    if (record.length !== header.length) {
      throw bad(
        path,
        info.lines,
        `the row has ${record.length} cells where the header has ${header.length}`,
        'Quote names that contain a comma.',
      );
    }
    return { line: info.lines, cells: Object.fromEntries(header.map((name, i) => [name, record[i] ?? ''])) };
  });
}

function readIssuer({ line, cells }: Row, path: string): RegisteredIssuer {
  const cell = (name: string) => cells[name] ?? '';
  const fail = (what: string, hint: string) => bad(path, line, what, hint);
  const cik = cell('cik');
  if (!cikPattern.test(cik)) {
    throw fail(`cik "${cik.slice(0, 20)}" is not 10 digits`, 'Pad the CIK with leading zeros.');
  }
  const entityName = plainName(cell('entity_name'));
  if (entityName === '') throw fail('entity_name is empty', 'Write the name of the registrant.');
  const issuerType = cell('issuer_type');
  if (!isIssuerType(issuerType)) {
    throw fail(`issuer_type "${issuerType.slice(0, 40)}" is not known`, `Use ${issuerTypes.join(', ')}.`);
  }
  const issuerClass = cell('issuer_class');
  if (!(issuerClasses as readonly string[]).includes(issuerClass)) {
    throw fail(`issuer_class "${issuerClass.slice(0, 40)}" is not known`, `Use ${issuerClasses.join(', ')}.`);
  }
  const fiscalYearEnd = orNull(cell('fiscal_year_end'));
  if (fiscalYearEnd !== null && !/^(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.test(fiscalYearEnd)) {
    throw fail(`fiscal_year_end "${fiscalYearEnd.slice(0, 20)}" is not MMDD`, 'Write 1231 for 31 December.');
  }
  const ended = readEnded(cells, fail);
  const ticker = orNull(cell('ticker'));
  const aliases = cell('aliases') === '' ? [] : cell('aliases').split('|');
  for (const label of ticker === null ? aliases : [ticker, ...aliases]) {
    // a longer alias (a name) is allowed, a ticker is not
    if (label === ticker ? !tickerPattern.test(label) : !/^[A-Z0-9.-]{1,32}$/.test(label)) {
      throw fail(`"${label.slice(0, 40)}" is not a ticker`, 'Use capitals, digits, dots and hyphens.');
    }
  }
  if (new Set([ticker, ...aliases]).size !== aliases.length + 1) {
    throw fail('a ticker or alias is listed twice in the row', 'List each label once.');
  }
  return {
    cik,
    ticker,
    entityName,
    aliases,
    exchange: orNull(cell('exchange')),
    issuerType,
    issuerClass,
    primaryAsset: orNull(cell('primary_asset')),
    sic: orNull(cell('sic')),
    fiscalYearEnd,
    ...(ended === null ? {} : { ended }),
  };
}

/** How a registrant ended, by its cells; null while it files. */
function readEnded(
  cells: Row['cells'],
  fail: (what: string, hint: string) => IssuerError,
): EndedRegistrant | null {
  const [status = '', on = '', successor = ''] = ['status', 'status_date', 'successor'].map(
    (name) => cells[name],
  );
  const known = endedStatuses.find((one) => one === status);
  if (status === '' && on === '' && successor === '') return null;
  if (known === undefined) {
    throw fail(
      `status "${status.slice(0, 20)}" is not known`,
      `Use ${endedStatuses.join(', ')}, or leave it empty.`,
    );
  }
  if (!isCivilDate(on))
    throw fail(`status_date "${on.slice(0, 20)}" is not a day`, 'Write the day it ended on.');
  if (successor !== '' && !cikPattern.test(successor)) {
    throw fail(`successor "${successor.slice(0, 20)}" is not 10 digits`, 'Write the CIK of the successor.');
  }
  return { status: known, on, successor: orNull(successor) };
}

function claim({
  seen,
  key,
  what,
  line,
  path,
}: {
  seen: Map<string, number>;
  key: string;
  what: string;
  line: number;
  path: string;
}): void {
  const first = seen.get(key);
  if (first !== undefined) {
    throw bad(
      path,
      line,
      `${what} ${key} is already on line ${first}`,
      'Keep one row; former tickers go to aliases.',
    );
  }
  seen.set(key, line);
}

function isIssuerType(text: string): text is IssuerType {
  return (issuerTypes as readonly string[]).includes(text);
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}

function bad(path: string, line: number, what: string, hint: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `Universe table ${path}, line ${line}: ${what}.`,
    hint,
    details: { path, line },
  });
}

/**
 * Drops from every issuer the aliases that `listed` gives to another CIK: a former ticker that another
 * registrant trades under today no longer means its former owner (I1.16, I1.17).
 *
 * `listed` maps the tickers of SEC's ticker file to their CIK.
 */
export function dropReassignedAliases<I extends Issuer>({
  issuers,
  listed,
}: {
  readonly issuers: readonly I[];
  readonly listed: ReadonlyMap<string, string>;
}): I[] {
  return issuers.map((issuer) => ({
    ...issuer,
    aliases: issuer.aliases.filter((alias) => (listed.get(alias) ?? issuer.cik) === issuer.cik),
  }));
}

/** Tickers named in one sentence. */
const shown = 5;

/**
 * A sentence about the issuers without a row whose ticker SEC lists under a CIK that the universe does not know: a wrong
 * digit, or a ticker that has moved. Empty without one.
 *
 * @param listed SEC's tickers with their CIK
 * @param hasRow whether the slice has a row of a CIK
 */
export function tickersElsewhere({
  issuers,
  listed,
  hasRow,
}: {
  readonly issuers: readonly Pick<Issuer, 'cik' | 'ticker'>[];
  readonly listed: ReadonlyMap<string, string>;
  readonly hasRow: (cik: string) => boolean;
}): readonly string[] {
  const known = new Set(issuers.map(({ cik }) => cik));
  const found = issuers.flatMap(({ cik, ticker }) => {
    const owner = ticker === null ? undefined : listed.get(ticker);
    return owner === undefined || known.has(owner) || hasRow(cik)
      ? []
      : [`${ticker} is CIK ${cik} in the universe and ${owner} in SEC's ticker list`];
  });
  if (found.length === 0) return [];
  const more = found.length > shown ? `; ${found.length - shown} more` : '';
  return [`the universe names CIKs without a filing: ${found.slice(0, shown).join('; ')}${more}`];
}
