import type { DuckDBConnection } from '@duckdb/node-api';
import { type CloseBounds, implausibleCloses } from '../../../calculators/prices/implausibleCloses.ts';
import { insertRows } from '../build/insertRows.ts';
import { selectPrices } from '../select/selectPrices.ts';
import type { Refused } from './inputFile.ts';

const columns = { date: 'DATE', asset: 'VARCHAR', close: 'DOUBLE', source: 'VARCHAR', reason: 'VARCHAR' };

/**
 * Judges every close the build holds and keeps those that are not plausible apart: no figure uses them (M2.13b). Rows as
 * they were filed stay, so that other bounds judge the same closes.
 *
 * @param bounds null takes all closes as they are
 */
export async function refuseCloses(
  connection: DuckDBConnection,
  bounds: CloseBounds | null,
): Promise<Refused[]> {
  await connection.run('DELETE FROM close_refused');
  if (bounds === null) return [];
  const refused = implausibleCloses(await selectPrices(connection, { upTo: '9999-12-31' }), bounds);
  await insertRows(connection, {
    table: 'close_refused',
    columns,
    rows: refused.map(({ date, asset, close, source, reason }) => [date, asset, close, source, reason]),
  });
  return refused.map(({ date, asset, close, source, reason }) => ({
    name: `prices/${asset}.csv`,
    reason: `the ${asset} close ${close} of ${date} from ${source} ${reason}`,
  }));
}
