import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { readerVersion } from './readerVersion.ts';
import { readRows } from './readRows.ts';
import { readSql } from './readSql.ts';

/**
 * Creates the tables of a new build, checks those of a copied one, and renews the views.
 *
 * @throws Error when a copied build was made by other table scripts or readers; its stress rows are then worth
 * keeping.
 */
export async function prepareSchema(connection: DuckDBConnection): Promise<void> {
  const scripts = await Promise.all(
    [
      ...['facts.sql', 'warehouse.sql', 'xbrl.sql', 'changes.sql', 'filingEvents.sql'],
      'periodicFilings.sql',
      'standing.sql',
    ].map(readSql),
  );
  const version = createHash('sha256')
    .update(scripts.join('\n'))
    .update(await readerVersion())
    .digest('hex');
  const [tables] = await readRows(
    connection,
    "SELECT count(*)::INTEGER AS n FROM duckdb_tables() WHERE table_name = 'build_info'",
  );
  if (tables?.['n'] === 1) {
    const [info] = await readRows(connection, "SELECT value FROM build_info WHERE name = 'tables'");
    if (info?.['value'] !== version)
      throw new Error('its tables were made by another version of the program');
  }
  // one transaction: a comment is a statement, and each would wait for the disk
  await connection.run('BEGIN');
  await connection.run(scripts[0] ?? '');
  await connection.run(scripts[1] ?? '');
  await connection.run(scripts[2] ?? '');
  await connection.run(scripts[3] ?? '');
  await connection.run(scripts[4] ?? '');
  await connection.run(scripts[6] ?? '');
  await connection.run(await readSql('views.sql'));
  await connection.run(await readSql('asOfViews.sql'));
  await connection.run(await readSql('xbrlViews.sql'));
  await connection.run(await readSql('changeViews.sql'));
  if (tables?.['n'] !== 1) {
    await connection.run("INSERT INTO build_info VALUES ('tables', $version)", { version });
  }
  await connection.run('COMMIT');
}
