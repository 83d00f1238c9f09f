import type { DuckDBConnection } from '@duckdb/node-api';
import { compareText } from '../../data/contract/values/compareText.ts';
import { plainName } from '../../data/contract/values/printable.ts';
import type { ArchiveEntry, Quarantined } from './planIngest.ts';
import { cikOfName, type ReadFile } from './readCompanyFacts.ts';

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
