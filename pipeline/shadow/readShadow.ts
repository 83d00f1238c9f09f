import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chainStocks } from '../../calculators/currentReports/chainStocks.ts';
import { reportWords } from '../../calculators/currentReports/reportWords.ts';
import type { Statement } from '../../calculators/currentReports/statement.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { programRoot } from '../programRoot.ts';
import { reportFolders, reportsPath } from '../source/reportFolders.ts';
import { loadUniverse } from '../universe/universe.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import {
  type ListedReport,
  listReports,
  type ReadReport,
  readReport,
  storedFiles,
} from '../warehouse/reports/readReport.ts';
import { readReportWords } from '../warehouse/reports/readReportWords.ts';
import { storedStatements } from '../warehouse/reports/storedStatements.ts';

type Counts = Readonly<Record<string, number>>;

/** What reading the stored current reports gives, without publishing anything of it. */
type Shadow = {
  readonly schema_id: 'current_reports_shadow.v1';
  readonly reports: number;
  /** Reports that could not be trusted, and folders that are none. */
  readonly refused_reports: readonly { readonly name: string; readonly reason: string }[];
  readonly documents: Counts;
  /** By form, kind and confidence, `8-K holdings High`. */
  readonly statements: Counts;
  readonly refused: Counts;
  /** Verdicts of the links between stocks, over all issuers and coins. */
  readonly links: Counts;
  readonly issuers: readonly ShadowIssuer[];
  /** Beside the warehouse of the last night; null without one. */
  readonly changes: StatementChanges | null;
};

type ShadowIssuer = {
  readonly cik: string;
  readonly ticker: string | null;
  readonly reports: number;
  readonly statements: number;
  readonly refused: number;
  /** Exhibits that are pictures or over a bound, and reports whose exhibits are missing. */
  readonly unread: readonly string[];
};

/** Statements that these rules and words read otherwise than those of the last night. */
type StatementChanges = {
  readonly appeared: readonly string[];
  readonly vanished: readonly string[];
  /** Same number of the same report, another day or confidence. */
  readonly moved: readonly string[];
};

type Reading = { readonly cik: string; readonly accession: string; readonly report: ReadReport };

/**
 * Reads the current reports of a source by the rules and words of this program; writes nothing.
 *
 * @param database warehouse whose list of submissions and statements stand beside it, where there is one
 * @throws IssuerError `input_missing` where the source holds no current reports
 */
export async function readShadow({
  source,
  database,
}: {
  readonly source: string;
  readonly database: string;
}): Promise<Shadow> {
  const root = join(source, reportsPath);
  if (!existsSync(root)) {
    throw new IssuerError({
      code: 'input_missing',
      message: `The source ${source} holds no ${reportsPath}.`,
      hint: 'Name a source that does with --source, or run a night with --source edgar, which fetches them.',
    });
  }
  const held = await heldBy(database);
  const universe = await loadUniverse(join(programRoot, 'data/registry/universe.csv'));
  const issuers = new Map(universe.map((issuer) => [issuer.cik, issuer]));
  const words = reportWords(await readReportWords(programRoot));
  const { folders, refused, provenance } = await reportFolders(root);
  const refusedReports = [...refused];
  const readings: Reading[] = [];
  for (const folder of folders) {
    const { cik, accession } = folder;
    const issuer = issuers.get(cik);
    if (issuer === undefined) continue;
    try {
      const files = await storedFiles(folder, provenance);
      const names = [issuer.entityName, ...issuer.aliases];
      const listed = held.listed.get(`${cik}/${accession}`) ?? null;
      const report = await readReport({ ...folder, files, listed, names }, words);
      if (report !== null) readings.push({ cik, accession, report });
    } catch (error) {
      if (!(error instanceof IssuerError) || error.code !== 'validation_failed') throw error;
      refusedReports.push({ name: `${reportsPath}${cik}/${accession}`, reason: error.message });
    }
  }
  const reports = readings.map(({ report }) => report);
  const statements = reports.flatMap((report) => report.statements);
  return {
    schema_id: 'current_reports_shadow.v1',
    reports: readings.length,
    refused_reports: refusedReports,
    documents: counted(reports.flatMap(({ documents }) => documents.map(({ status }) => status))),
    statements: counted(
      statements.map(({ source: { form }, kind, confidence }) => `${form} ${kind} ${confidence}`),
    ),
    refused: counted(reports.flatMap(({ refused: of }) => of.map(({ reason }) => reason))),
    links: counted(linksOf(statements)),
    issuers: [...Map.groupBy(readings, ({ cik }) => cik)].map(([cik, of]) => ({
      ...{ cik, ticker: issuers.get(cik)?.ticker ?? null, reports: of.length },
      statements: of.reduce((sum, { report }) => sum + report.statements.length, 0),
      refused: of.reduce((sum, { report }) => sum + report.refused.length, 0),
      unread: of.flatMap(unreadOf),
    })),
    changes: held.statements === null ? null : changesOf(held.statements, statements),
  };
}

async function heldBy(database: string): Promise<{
  listed: ReadonlyMap<string, ListedReport>;
  statements: readonly Statement[] | null;
}> {
  if (!existsSync(database)) return { listed: new Map(), statements: null };
  const { connection, close } = await openWarehouse(database);
  try {
    const stored = await storedStatements(connection, null);
    return {
      listed: await listReports(connection),
      statements: stored.map(({ statement }) => statement),
    };
  } finally {
    close();
  }
}

function unreadOf({ accession, report }: Reading): string[] {
  const unread = report.documents
    .filter(({ status }) => status !== 'read')
    .map(({ type, document, status }) => `${accession} ${type} ${document}: ${status}`);
  const names = report.refused.some(({ reason }) => reason === 'exhibit_title');
  return report.isWhole || !names ? unread : [...unread, `${accession}: exhibit_missing`];
}

function linksOf(statements: readonly Statement[]): string[] {
  const coins = Map.groupBy(
    statements.filter(({ kind }) => kind === 'holdings'),
    ({ source, asset }) => `${source.cik} ${asset}`,
  );
  return [...coins.values()].flatMap(([one]) => {
    if (one === undefined) return [];
    const own = statements.filter(({ source }) => source.cik === one.source.cik);
    return chainStocks(own, one.asset).map(({ verdict }) => verdict);
  });
}

/** What one reading says and the other does not, statement by statement. */
function changesOf(before: readonly Statement[], now: readonly Statement[]): StatementChanges {
  const keys = (of: readonly Statement[]) => new Map(of.map((one) => [keyOf(one), one]));
  const [old, fresh] = [keys(before), keys(now)];
  const gone = [...old].filter(([key]) => !fresh.has(key)).map(([, one]) => one);
  const added = [...fresh].filter(([key]) => !old.has(key)).map(([, one]) => one);
  const numbers = new Set(gone.map(numberOf));
  const moved = added.filter((one) => numbers.has(numberOf(one)));
  const movedNumbers = new Set(moved.map(numberOf));
  const texts = (of: readonly Statement[]) => of.map(keyOf).sort(compareText);
  return {
    appeared: texts(added.filter((one) => !moved.includes(one))),
    vanished: texts(gone.filter((one) => !movedNumbers.has(numberOf(one)))),
    moved: texts(moved),
  };
}

function numberOf({ source, kind, asset, units, usd }: Statement): string {
  return `${source.cik} ${source.accession} ${kind} ${asset} ${units ?? `$${usd}`}`;
}

function keyOf(one: Statement): string {
  return `${numberOf(one)} ${one.periodFrom ?? ''}..${one.asOf ?? ''} ${one.confidence}`;
}

function counted(names: readonly string[]): Counts {
  const groups = [...Map.groupBy(names, (name) => name)];
  return Object.fromEntries(
    groups.map(([name, of]) => [name, of.length] as const).sort(([a], [b]) => compareText(a, b)),
  );
}

const mostLines = 20;

/** What a reading of current reports gave, for an operator. */
export function shadowText(shadow: Shadow): string {
  const { reports, refused_reports: refusedReports, documents, issuers, changes } = shadow;
  const unread = issuers.flatMap(({ ticker, cik, unread: of }) =>
    of.map((line) => `${ticker ?? cik} ${line}`),
  );
  const moves =
    changes === null
      ? []
      : [
          ...changes.appeared.map((line) => `appears   ${line}`),
          ...changes.vanished.map((line) => `vanishes  ${line}`),
          ...changes.moved.map((line) => `moves to  ${line}`),
        ];
  return [
    `${reports} reports read, ${refusedReports.length} refused; nothing is published`,
    ...section('documents', counts(documents)),
    ...section('statements', counts(shadow.statements)),
    ...section('refused', counts(shadow.refused)),
    ...section('links between stocks', counts(shadow.links)),
    ...section(
      'issuers',
      issuers.map(
        ({ ticker, cik, reports: n, statements, refused, unread: of }) =>
          `${(ticker ?? cik).padEnd(10)} ${n} reports, ${statements} statements, ${refused} refused, ${of.length} unread`,
      ),
    ),
    ...section('unread', unread),
    ...section(
      'reports refused',
      refusedReports.map(({ name, reason }) => `${name}: ${reason}`),
    ),
    ...(changes === null
      ? ['', 'no warehouse to compare with']
      : section('beside the last night', moves.length === 0 ? ['every statement the same'] : moves)),
    '',
  ].join('\n');
}

function counts(of: Readonly<Record<string, number>>): string[] {
  return Object.entries(of).map(([name, count]) => `${String(count).padStart(6)} ${name}`);
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > mostLines ? [`  … and ${lines.length - mostLines} more (--json has all)`] : [];
  return ['', title, ...lines.slice(0, mostLines).map((line) => `  ${line}`), ...more];
}
