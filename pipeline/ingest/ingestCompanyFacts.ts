import type { DuckDBConnection } from '@duckdb/node-api';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { plainName } from '../../data/contract/values/printable.ts';
import type { Effects } from '../effects.ts';
import { type CentralDirectory, readCentralDirectory } from '../zip/readCentralDirectory.ts';
import { openRandomAccessFile, type RandomAccessFile, type ZipLimits } from '../zip/zipEntry.ts';
import type { ArchiveRead } from './appendBatches.ts';
import { appendBatches } from './appendBatches.ts';
import { type ArchiveEntry, type IngestPlan, planIngest, type Quarantined } from './planIngest.ts';
import { cikOfName, type ReadFile } from './readCompanyFacts.ts';
import { replaceFacts } from './replaceFacts.ts';
import { onOneThread } from './scanBatch.ts';

export type { Quarantined } from './planIngest.ts';

/** What one run did; names are entry names, `bytes` the uncompressed size of the entries read. */
export type IngestReport = {
  readonly entries: number;
  readonly unchanged: number;
  readonly changed: string[];
  readonly added: string[];
  readonly removed: string[];
  /** rows appended by this run */
  readonly facts: number;
  readonly quarantined: Quarantined[];
  readonly bytes: number;
};

const defaultWorkers = 2;

/**
 * Brings the fact tables of a build to the state of a companyfacts archive, in one transaction.
 *
 * Only entries whose (name, crc32, size) differ from the build's `archive_entry` are inflated. A bad entry is
 * quarantined with its reason and keeps its earlier rows; a file's rows are all taken over or none.
 * Throws input_missing when the archive cannot be opened and bad_archive when its structure cannot be trusted;
 * the build is then as before.
 */
export async function ingestCompanyFacts(
  request: ArchiveRead & {
    limits?: Partial<ZipLimits>;
    /** Share of the companies held that an archive may lack and still replace them; any where it is not given. */
    lostShare?: number;
    /** Companies of the newest scan: what a build counts as held that reads its facts again and holds none. */
    scanned?: number;
  },
): Promise<IngestReport> {
  const { connection } = request;
  const directory = readDirectory(request.archivePath, request.limits ?? {});
  const held = await readHeld(connection);
  const plan = planIngest({ ...directory, held });
  const entries = directory.entries.length + directory.refused.length;
  const scanned = request.scanned ?? 0;
  refuseHalf(
    request,
    held.size > 0
      ? { removed: plan.removed.length, held: held.size }
      : { removed: scanned - entries, held: scanned },
  );
  const apply = () => inTransaction(connection, () => applyPlan({ ...request, plan, held, entries }));
  // later runs append little and spend their time in queries
  const report = await (held.size === 0 ? onOneThread(connection, apply) : apply());
  logReport(request.effects, report);
  return report;
}

/** An archive that lacks much of what the last one had is damaged before it is news (M6.4). */
function refuseHalf(
  { archivePath, lostShare }: { archivePath: string; lostShare?: number },
  { removed, held }: { removed: number; held: number },
): void {
  if (lostShare === undefined || removed <= lostShare * held) return;
  throw new IssuerError({
    code: 'validation_failed',
    message: `The archive ${archivePath} lacks ${removed} of the ${held} companies that the last one had; nothing is replaced.`,
    hint: 'Fetch it again. If so many companies are really gone, run the night with --force.',
    details: { path: archivePath, removed, held },
  });
}

async function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN TRANSACTION');
  try {
    const result = await work();
    await connection.run('COMMIT');
    return result;
  } catch (cause) {
    await connection.run('ROLLBACK');
    throw cause;
  }
}

function readDirectory(path: string, limits: Partial<ZipLimits>): CentralDirectory {
  let file: RandomAccessFile;
  try {
    file = openRandomAccessFile(path);
  } catch (cause) {
    throw new IssuerError({
      code: 'input_missing',
      message: `The archive ${path} cannot be opened.`,
      hint: 'Check that the file exists and can be read, or fetch it again.',
      cause,
    });
  }
  try {
    return readCentralDirectory({ file, limits });
  } finally {
    file.close();
  }
}

async function readHeld(connection: DuckDBConnection): Promise<Map<string, ArchiveEntry>> {
  const result = await connection.runAndReadAll('SELECT name, crc32, size FROM archive_entry ORDER BY name');
  return new Map(
    result
      .getRows()
      .map(([name, crc32, size]) => [
        String(name),
        { name: String(name), crc32: Number(crc32), size: Number(size) },
      ]),
  );
}

async function applyPlan({
  archivePath,
  connection,
  effects,
  workers,
  plan,
  held,
  entries,
}: ArchiveRead & {
  plan: IngestPlan;
  held: ReadonlyMap<string, ArchiveEntry>;
  entries: number;
}): Promise<IngestReport> {
  const base = {
    entries,
    unchanged: plan.unchanged.length,
    removed: [...plan.removed],
    bytes: plan.toRead.reduce((sum, entry) => sum + entry.size, 0),
  };
  if (plan.toRead.length === 0 && plan.removed.length === 0) {
    await saveQuarantine(connection, plan.quarantined);
    return { ...base, changed: [], added: [], facts: 0, quarantined: [...plan.quarantined] };
  }
  const first = held.size === 0;
  if (first) await connection.run('DELETE FROM fact_order');
  const appended = await appendBatches({
    archivePath,
    connection,
    entries: plan.toRead,
    workers: workers ?? defaultWorkers,
    table: first ? 'fact' : 'fact_incoming',
    effects,
  });
  const names = appended.files.map(({ name }) => name);
  const ciks = [...names, ...plan.removed].map(cikOfName).filter((cik) => cik !== null);
  if (!first && ciks.length > 0) await replaceFacts({ connection, ciks });
  const quarantined = [...plan.quarantined, ...appended.quarantined];
  const taken = new Set(names);
  const refused = new Set(quarantined.map(({ name }) => name));
  await saveEntities({ connection, files: appended.files, replaced: first ? [] : ciks });
  await saveArchiveEntries(connection, [
    ...plan.unchanged,
    ...plan.toRead.filter(({ name }) => taken.has(name)),
    // refused now: the rows of the earlier version stay, and so does its entry
    ...[...held.values()].filter(({ name }) => refused.has(name)),
  ]);
  await saveQuarantine(connection, quarantined);
  return {
    ...base,
    changed: names.filter((name) => held.has(name)),
    added: names.filter((name) => !held.has(name)),
    facts: appended.facts,
    quarantined,
  };
}

function logReport(effects: Effects, report: IngestReport): void {
  for (const { name, reason } of report.quarantined) {
    effects.log({ level: 'warn', step: 'ingest', message: `quarantined ${name}: ${reason}` });
  }
  effects.log({
    level: 'info',
    step: 'ingest',
    message: `${report.facts} facts from ${report.changed.length + report.added.length} of ${report.entries} files`,
    fields: {
      facts: report.facts,
      unchanged: report.unchanged,
      removed: report.removed.length,
      quarantined: report.quarantined.length,
      bytes: report.bytes,
    },
  });
}

/** Replaces archive_entry by `entries`, in the order of their names. */
export async function saveArchiveEntries(
  connection: DuckDBConnection,
  entries: readonly ArchiveEntry[],
): Promise<void> {
  await connection.run('DELETE FROM archive_entry');
  const appender = await connection.createAppender('archive_entry', 'internal');
  for (const entry of entries.toSorted((a, b) => compareText(a.name, b.name))) {
    appender.appendVarchar(entry.name);
    appender.appendUInteger(entry.crc32);
    appender.appendBigInt(BigInt(entry.size));
    appender.endRow();
  }
  appender.closeSync();
}

/** Replaces the quarantine by that of this run. */
export async function saveQuarantine(
  connection: DuckDBConnection,
  quarantined: readonly Quarantined[],
): Promise<void> {
  await connection.run('DELETE FROM quarantine');
  const appender = await connection.createAppender('quarantine', 'internal');
  for (const { name, reason } of quarantined) {
    appender.appendVarchar(name);
    appender.appendVarchar(reason);
    appender.endRow();
  }
  appender.closeSync();
}

/** Drops the registrants `replaced` and adds those of the files read. */
export async function saveEntities({
  connection,
  files,
  replaced,
}: {
  connection: DuckDBConnection;
  files: readonly ReadFile[];
  replaced: readonly number[];
}): Promise<void> {
  if (replaced.length > 0) {
    const ciks = replaced.join(',');
    await connection.run(`DELETE FROM fact_entity WHERE cik_number IN (${ciks})`);
  }
  const appender = await connection.createAppender('fact_entity', 'internal');
  for (const { name, entityName } of files) {
    appender.appendInteger(cikOfName(name) ?? 0);
    appender.appendVarchar(name.slice(3, 13));
    if (entityName === null) appender.appendNull();
    else appender.appendVarchar(plainName(entityName));
    appender.endRow();
  }
  appender.closeSync();
}
