import type { DuckDBConnection } from '@duckdb/node-api';
import type { Issuer } from '../../../calculators/filing/rows.ts';
import type { CloseBounds } from '../../../calculators/prices/implausibleCloses.ts';
import type { Effects } from '../../effects.ts';
import { type IngestReport, ingestCompanyFacts } from '../../ingest/ingestCompanyFacts.ts';
import type { InputId, SourceInputs } from '../../source/directorySource.ts';
import { reportsPath } from '../../source/reportFolders.ts';
import { insertRows } from '../build/insertRows.ts';
import { readRows, readSql } from '../build/readRows.ts';
import { factTables, inputTables, warehouseInputs } from '../inputs.ts';
import { deriveStatements } from '../reports/deriveStatements.ts';
import { forgetInput, knownInputs, type Refused, type RefusedRows } from './inputFile.ts';
import type { InputReport } from './inputLoader.ts';
import { recordScan, rememberArchive, type ScanOrder } from './recordScan.ts';

/**
 * What one ingest did. The companyfacts part is that of the archive reader (zeros without an archive);
 * `quarantined` names what was refused of any input.
 */
export type BuildReport = IngestReport & {
  /** Rows the build holds after the run. */
  readonly factRows: number;
  readonly filings: number;
  /** Filings whose files are available, how many of them were read in this run, and the facts read. */
  readonly xbrl: { readonly filings: number; readonly changed: number; readonly facts: number };
  readonly prices: number;
  readonly issuers: number;
  /** Input files beside companyfacts whose content differs from the last run. */
  readonly changedInputs: number;
  readonly missing: readonly string[];
  /** Files of the submissions archive, by how the zone of their acceptance instants is known (M1.44d). */
  readonly acceptance: Readonly<Record<string, number>>;
  /** Inputs and entries of archives that were refused whole. */
  readonly refusedInputs: readonly RefusedRows[];
};

/** The rows of an input as an earlier night read it. */
export type KeptRows = { readonly name: string; readonly sourceDate: string };

const noFacts: IngestReport = {
  entries: 0,
  unchanged: 0,
  changed: [],
  added: [],
  removed: [],
  facts: 0,
  quarantined: [],
  bytes: 0,
};

/** What a build is brought to the state of, and how. */
export type IngestRequest = {
  readonly inputs: SourceInputs;
  /** Inputs that are missing and whose rows of an earlier night stay. */
  readonly kept?: readonly KeptRows[];
  readonly universe: readonly Issuer[];
  /** Share of the companies held that an archive may lack and still replace them. */
  readonly lostShare?: number;
  /** What a close may be (M2.13b); without it every close is taken as it is. */
  readonly closeBounds?: CloseBounds;
  /** For which night the archive is scanned; without it nothing is recorded of what changed. */
  readonly scan?: ScanOrder;
};
type Ingest = IngestRequest & { readonly connection: DuckDBConnection; readonly effects: Effects };

/**
 * Brings a build to the state of a source: facts first, then everything else in one transaction.
 *
 * Inputs that did not change since the build's predecessor are not read again; rows of inputs the source no
 * longer holds go away unless they are to be kept, so a build depends on its inputs and those kept alone.
 */
export async function ingestInputs(request: Ingest): Promise<BuildReport> {
  const { connection, inputs } = request;
  const scan = inputs.paths.companyfacts.length === 0 ? undefined : request.scan;
  if (scan !== undefined) await rememberArchive(connection);
  const facts = await ingestFacts(request);
  await connection.run('BEGIN');
  try {
    if (scan !== undefined) await recordScan(connection, { ...scan, report: facts });
    const beside = await loadBesideFacts(request);
    await replaceUniverse(connection, request.universe);
    const names = [...facts.changed, ...facts.added, ...facts.removed];
    await renewFilings(
      connection,
      names.map((name) => name.slice(3, 13)),
    );
    await connection.run(await readSql('preferredStock.sql'));
    await deriveStatements(connection);
    await recordInputs(connection, request);
    await connection.run('COMMIT');
    const [held] = await readRows<Pick<BuildReport, 'factRows' | 'filings' | 'prices'>>(
      connection,
      `SELECT (SELECT count(*) FROM fact)::INTEGER AS "factRows",
        (SELECT count(*) FROM periodic_filing)::INTEGER AS filings,
        (SELECT count(*) FROM price_close)::INTEGER AS prices`,
    );
    return {
      ...facts,
      quarantined: [...facts.quarantined, ...beside.refused],
      ...(held ?? { factRows: 0, filings: 0, prices: 0 }),
      xbrl: beside.xbrl,
      issuers: request.universe.length,
      changedInputs: beside.changedInputs,
      missing: inputs.missing,
      acceptance: await acceptanceZones(connection),
      refusedInputs: [
        ...(await refusedCompanies(connection, facts)),
        ...beside.refused.flatMap((one) => (one.kept === undefined ? [] : [{ ...one, kept: one.kept }])),
      ],
    };
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function acceptanceZones(connection: DuckDBConnection): Promise<Record<string, number>> {
  const rows = await readRows<{ basis: string; n: number }>(
    connection,
    `SELECT acceptance_basis AS basis, count(DISTINCT input)::INTEGER AS n FROM submission_filing
    WHERE acceptance_basis IS NOT NULL GROUP BY basis ORDER BY basis`,
  );
  return Object.fromEntries(rows.map(({ basis, n }) => [basis, n]));
}

async function ingestFacts({
  connection,
  inputs,
  kept = [],
  lostShare,
  effects,
}: Ingest): Promise<IngestReport> {
  const [archivePath] = inputs.paths.companyfacts;
  if (archivePath !== undefined) {
    const bound = lostShare === undefined ? {} : { lostShare, scanned: await scannedCompanies(connection) };
    return ingestCompanyFacts({ archivePath, connection, effects, ...bound });
  }
  if (kept.some(({ name }) => name === 'edgar/companyfacts.zip')) return noFacts;
  const held = await readRows<{ name: string }>(connection, 'SELECT name FROM archive_entry ORDER BY name');
  if (held.length === 0) return noFacts;
  await connection.run('BEGIN');
  for (const table of factTables) await connection.run(`DELETE FROM ${table}`);
  await connection.run('COMMIT');
  return { ...noFacts, removed: held.map(({ name }) => name) };
}

/** Companies in the newest scan: the record outlives the facts where another version of the program reads them again. */
async function scannedCompanies(connection: DuckDBConnection): Promise<number> {
  const [newest] = await readRows<{ entries: number }>(
    connection,
    'SELECT entries::INTEGER AS entries FROM archive_scan ORDER BY scan_date DESC LIMIT 1',
  );
  return newest?.entries ?? 0;
}

/** Company files whose facts were not taken over. */
async function refusedCompanies(
  connection: DuckDBConnection,
  { quarantined }: IngestReport,
): Promise<RefusedRows[]> {
  if (quarantined.length === 0) return [];
  const rows = await readRows<{ name: string }>(connection, 'SELECT name FROM archive_entry');
  const held = new Set(rows.map(({ name }) => name));
  return quarantined.map(({ name, reason }) => ({
    name: `edgar/companyfacts.zip!${name}`,
    reason,
    kept: held.has(name),
  }));
}

type BesideFacts = Pick<BuildReport, 'xbrl' | 'changedInputs'> & { readonly refused: readonly Refused[] };

async function loadBesideFacts({
  connection,
  inputs,
  kept = [],
  universe,
  closeBounds,
  effects,
}: Ingest): Promise<BesideFacts> {
  const newcomers = await readRows<{ cik: string }>(
    connection,
    'SELECT DISTINCT substr(name, 4, 10) AS cik FROM scan_file WHERE crc_before IS NULL ORDER BY cik',
  );
  const request = {
    connection,
    source: inputs.paths,
    ciks: universe.map((issuer) => issuer.cik),
    issuers: universe,
    newcomers: newcomers.map(({ cik }) => cik),
    closeBounds: closeBounds ?? null,
    known: await knownInputs(connection),
    effects,
  };
  const reports = new Map<InputId, InputReport>();
  for (const { id, load } of warehouseInputs) {
    if (load !== null) reports.set(id, await load({ ...request, paths: inputs.paths[id] }));
  }
  const all = [...reports.values()];
  const gone = await forgetOthers(
    connection,
    all.flatMap(({ names }) => names),
    kept,
  );
  const xbrl = reports.get('xbrl');
  return {
    refused: all.flatMap(({ refused }) => refused),
    changedInputs: all.reduce((sum, { changed }) => sum + changed, gone),
    xbrl: { filings: xbrl?.names.length ?? 0, changed: xbrl?.changed ?? 0, facts: xbrl?.rows ?? 0 },
  };
}

async function forgetOthers(
  connection: DuckDBConnection,
  names: readonly string[],
  kept: readonly KeptRows[],
): Promise<number> {
  const present = new Set(names);
  const known = await readRows<{ name: string }>(connection, 'SELECT name FROM input_file ORDER BY name');
  const gone = known.map(({ name }) => name).filter((name) => !present.has(name) && !isKept(name, kept));
  for (const name of gone) await forgetInput(connection, { name, tables: inputTables });
  return gone.length;
}

/** Contents of filings come from folders and from extracted instances, under one name (M1.44); reports lie in a folder each. */
function isKept(name: string, kept: readonly KeptRows[]): boolean {
  const isFiling = /^edgar\/filings\/./.test(name);
  return kept.some((input) => {
    if (isFiling) return /^edgar\/(filings|instances)\//.test(input.name);
    return input.name === reportsPath ? name.startsWith(reportsPath) : name === input.name;
  });
}

async function replaceUniverse(connection: DuckDBConnection, universe: readonly Issuer[]): Promise<void> {
  await connection.run('DELETE FROM universe_issuer');
  const rows = universe.map((issuer, position) => [
    position,
    issuer.cik,
    issuer.ticker,
    issuer.entityName,
    issuer.aliases,
    issuer.exchange,
    issuer.issuerType,
    issuer.issuerClass,
    issuer.primaryAsset,
    issuer.ended?.status ?? null,
    issuer.ended?.on ?? null,
    issuer.ended?.successor ?? null,
    issuer.fiscalYearEnd ?? null,
  ]);
  await insertRows(connection, { table: 'universe_issuer', rows });
}

/** How each input stands in this build, for view `coverage`. */
async function recordInputs(
  connection: DuckDBConnection,
  { inputs, kept = [] }: { readonly inputs: SourceInputs; readonly kept?: readonly KeptRows[] },
): Promise<void> {
  const rows = warehouseInputs.flatMap(({ id, layout, tables }) => {
    if (layout === null || tables.length === 0) return [];
    const [start = ''] = layout.split('*');
    const nights = kept.filter(({ name }) => name.startsWith(start)).map(({ sourceDate }) => sourceDate);
    const status = nights.length > 0 ? 'kept' : inputs.paths[id].length > 0 ? 'at_hand' : 'missing';
    return [[id, status, nights.sort()[0] ?? null]];
  });
  await connection.run('DELETE FROM input_state');
  await insertRows(connection, { table: 'input_state', rows });
}

/**
 * Registrants at once. What lists dates of filings is held in memory until it is written: all 18,000 registrants of SEC's
 * archive together need more than a build may hold.
 */
const registrantsAtOnce = 1_000;

/**
 * Renews `periodic_filing` for the registrants of the temporary table `renewed` and those given, which are none of it
 * afterwards.
 */
async function renewFilings(connection: DuckDBConnection, more: Iterable<string>): Promise<void> {
  const noted = await readRows<{ cik: string }>(connection, 'SELECT DISTINCT cik FROM renewed');
  const ciks = [...new Set([...noted.map(({ cik }) => cik), ...more])].sort();
  const sql = await readSql('periodicFilings.sql');
  for (let at = 0; at < ciks.length; at += registrantsAtOnce) {
    const rows = ciks.slice(at, at + registrantsAtOnce).map((cik) => [cik]);
    await connection.run('DELETE FROM renewed');
    await insertRows(connection, { table: 'renewed', rows });
    await connection.run(sql);
  }
  await connection.run('DELETE FROM renewed');
}
