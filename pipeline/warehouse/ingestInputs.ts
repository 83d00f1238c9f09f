import type { DuckDBConnection } from '@duckdb/node-api';
import type { Issuer } from '../../calculators/rows.ts';
import { recordScan, rememberArchive, type ScanOrder } from '../changes/recordScan.ts';
import type { Effects } from '../effects.ts';
import { type IngestReport, ingestCompanyFacts } from '../ingest/ingestCompanyFacts.ts';
import type { SourceInputs } from '../source/directorySource.ts';
import { forgetInput, inputTables, type Loaded, type Refused } from './inputFile.ts';
import { insertRows } from './insertRows.ts';
import { loadFilingFolders } from './loadFilingFolders.ts';
import { type LoadedFilings, loadFilings } from './loadFilings.ts';
import { loadInstanceIndex } from './loadInstanceIndex.ts';
import { loadPrices } from './loadPrices.ts';
import { loadSubmissions } from './loadSubmissions.ts';
import { loadTickers } from './loadTickers.ts';
import { readRows } from './readRows.ts';
import { readSql } from './readSql.ts';

/**
 * What one ingest did. The companyfacts part is that of the archive reader (zeros without an archive);
 * `quarantined` names what was refused of any input.
 */
export type BuildReport = IngestReport & {
  /** Rows the build holds after the run. */
  readonly factRows: number;
  readonly filings: number;
  /** Filings whose files are at hand, how many of them were read in this run, and the facts read. */
  readonly xbrl: Pick<LoadedFilings, 'filings' | 'changed' | 'facts'>;
  readonly submissions: number;
  readonly prices: number;
  readonly tickers: number;
  readonly issuers: number;
  /** Input files beside companyfacts whose content differs from the last run. */
  readonly changedInputs: number;
  readonly missing: readonly string[];
};

const universeColumns = {
  position: 'INTEGER',
  cik: 'VARCHAR',
  ticker: 'VARCHAR',
  entity_name: 'VARCHAR',
  aliases: ['VARCHAR'],
  exchange: 'VARCHAR',
  issuer_type: 'VARCHAR',
  issuer_class: 'VARCHAR',
  primary_asset: 'VARCHAR',
} as const;

const NO_FACTS: IngestReport = {
  entries: 0,
  unchanged: 0,
  changed: [],
  added: [],
  removed: [],
  facts: 0,
  quarantined: [],
  bytes: 0,
};

/**
 * Brings a build to the state of a source: facts first, then everything else in one transaction.
 *
 * Inputs that did not change since the build's predecessor are not read again; rows of inputs the source no
 * longer holds go away, so a build depends on its inputs alone.
 */
export async function ingestInputs(o: {
  readonly connection: DuckDBConnection;
  readonly inputs: SourceInputs;
  readonly universe: readonly Issuer[];
  readonly effects: Effects;
  /** For which night the archive is scanned; without it nothing is recorded of what changed. */
  readonly scan?: ScanOrder;
}): Promise<BuildReport> {
  const { connection, inputs } = o;
  const scan = inputs.companyfacts === null ? undefined : o.scan;
  if (scan !== undefined) await rememberArchive(connection);
  const facts = await ingestFacts(o);
  await connection.run('BEGIN');
  try {
    if (scan !== undefined) await recordScan(connection, { ...scan, report: facts });
    const beside = await loadBesideFacts(o);
    await replaceUniverse(connection, o.universe);
    for (const name of [...facts.changed, ...facts.added, ...facts.removed]) {
      await connection.run('INSERT INTO renewed VALUES ($cik)', { cik: name.slice(3, 13) });
    }
    await connection.run(await readSql('periodicFilings.sql'));
    await connection.run('DELETE FROM renewed');
    await connection.run('COMMIT');
    const [count] = await readRows(
      connection,
      `SELECT (SELECT count(*) FROM fact)::INTEGER AS facts,
        (SELECT count(*) FROM periodic_filing)::INTEGER AS filings,
        (SELECT count(*) FROM price_close)::INTEGER AS prices`,
    );
    return {
      ...facts,
      quarantined: [...facts.quarantined, ...beside.refused],
      factRows: Number(count?.['facts']),
      filings: Number(count?.['filings']),
      prices: Number(count?.['prices']),
      xbrl: { filings: beside.xbrl.filings, changed: beside.xbrl.changed, facts: beside.xbrl.facts },
      submissions: beside.submissions,
      tickers: beside.tickers,
      issuers: o.universe.length,
      changedInputs: beside.changedInputs,
      missing: inputs.missing,
    };
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function ingestFacts(o: {
  readonly connection: DuckDBConnection;
  readonly inputs: SourceInputs;
  readonly effects: Effects;
}): Promise<IngestReport> {
  const { connection, inputs, effects } = o;
  if (inputs.companyfacts !== null) {
    return ingestCompanyFacts({ archivePath: inputs.companyfacts, connection, effects });
  }
  const held = await readRows(connection, 'SELECT name FROM archive_entry ORDER BY name');
  if (held.length === 0) return NO_FACTS;
  await connection.run('BEGIN');
  for (const table of ['fact', 'fact_entity', 'fact_exact', 'archive_entry', 'quarantine', 'fact_change']) {
    await connection.run(`DELETE FROM ${table}`);
  }
  await connection.run('COMMIT');
  return { ...NO_FACTS, removed: held.map((row) => String(row['name'])) };
}

type BesideFacts = {
  readonly refused: readonly Refused[];
  readonly submissions: number;
  readonly tickers: number;
  readonly changedInputs: number;
  readonly xbrl: LoadedFilings;
};

async function loadBesideFacts(o: {
  readonly connection: DuckDBConnection;
  readonly inputs: SourceInputs;
  readonly universe: readonly Issuer[];
  readonly effects: Effects;
}): Promise<BesideFacts> {
  const { connection, inputs } = o;
  const ciks = o.universe.map((issuer) => issuer.cik);
  // whoever files facts for the first time may be on its way to an offering (M6.11)
  const newcomers = await readRows(
    connection,
    'SELECT DISTINCT substr(name, 4, 10) AS cik FROM scan_file WHERE crc_before IS NULL ORDER BY cik',
  );
  const known = [...ciks, ...newcomers.map((row) => String(row['cik']))];
  const submissions =
    inputs.submissions === null
      ? null
      : await loadSubmissions(connection, { path: inputs.submissions, ciks: known });
  const tickers = inputs.tickers === null ? null : await loadTickers(connection, inputs.tickers);
  const instances =
    inputs.instancesIndex === null ? null : await loadInstanceIndex(connection, inputs.instancesIndex);
  const folders =
    inputs.filingsRoot === null ? null : await loadFilingFolders(connection, inputs.filingsRoot);
  const xbrl = await loadFilings(connection, { ...inputs, ciks, effects: o.effects });
  const prices: Loaded[] = [];
  for (const path of inputs.prices) prices.push(await loadPrices(connection, path));
  const single = [tickers, instances, folders, ...prices].filter((loaded) => loaded !== null);
  const names = [...single.map((loaded) => loaded.name), ...(submissions?.names ?? []), ...xbrl.names];
  const gone = await forgetOthers(connection, names);
  return {
    refused: [
      ...(submissions?.refused ?? []),
      ...single.flatMap((loaded) => loaded.refused),
      ...xbrl.refused,
    ],
    submissions: submissions?.rows ?? 0,
    tickers: tickers?.rows ?? 0,
    changedInputs:
      (submissions?.changed ?? 0) + single.filter((loaded) => !loaded.unchanged).length + xbrl.changed + gone,
    xbrl,
  };
}

async function forgetOthers(connection: DuckDBConnection, names: readonly string[]): Promise<number> {
  const present = new Set(names);
  const known = await readRows(connection, 'SELECT name FROM input_file ORDER BY name');
  const gone = known.map((row) => String(row['name'])).filter((name) => !present.has(name));
  for (const name of gone) await forgetInput(connection, { name, tables: inputTables });
  return gone.length;
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
  ]);
  await insertRows(connection, { table: 'universe_issuer', columns: universeColumns, rows });
}
