import type { DuckDBConnection } from '@duckdb/node-api';
import type { Statement } from '../../../calculators/currentReports/statement.ts';
import { readRows } from '../build/readRows.ts';
import { statementKey, storedStatements } from '../reports/storedStatements.ts';

/**
 * What the issuers of the universe had stated in current reports that were accepted on or before a day, by CIK (M17.36). A
 * later report about an earlier day is not there; an issuer without statements is absent, which is not a stock of zero.
 */
export async function selectStatements(
  connection: DuckDBConnection,
  sourceDate: string,
): Promise<ReadonlyMap<string, readonly Statement[]>> {
  const ciks = await readRows(connection, 'SELECT cik FROM universe_issuer');
  const universe = new Set(ciks.map(({ cik }) => cik));
  const marked = await readRows(
    connection,
    "SELECT concat(cik, '/', accession, '/', position) AS key FROM amount_mismatch",
  );
  const mismatched = new Set(marked.map(({ key }) => key));
  const known = await storedStatements(connection, sourceDate);
  const statements = known.flatMap((stored): Statement[] => {
    if (!universe.has(stored.statement.source.cik)) return [];
    if (!mismatched.has(statementKey(stored))) return [stored.statement];
    const notes = [...stored.statement.notes, 'price_mismatch' as const];
    return [{ ...stored.statement, usd: null, avgPrice: null, notes }];
  });
  return Map.groupBy(statements, ({ source }) => source.cik);
}
