import type { DuckDBConnection } from '@duckdb/node-api';
import type { FilingChoreography } from '../../calculators/choreography/filingChoreography.ts';
import type { Parameters } from '../../calculators/parameters.ts';
import { priceBook } from '../../calculators/priceBook.ts';
import type { CovenantStress } from '../../contract/covenantStress.ts';
import { readHolidays } from '../changes/readHolidays.ts';
import { choreographyOf } from '../choreography/choreographyOf.ts';
import type { Artifact } from '../release/artifact.ts';
import type { ReleasePaths } from '../release/releaseStore.ts';
import { selectPrices } from '../warehouse/selectPrices.ts';
import { fieldMapArtifacts } from './fieldMapArtifacts.ts';
import type { SliceHistory } from './sliceHistory.ts';

/**
 * The filing choreography of the universe on the slice's date, and the field maps of its issuers, which a backfilled
 * slice does not hold (I4.36).
 */
export async function issuerMaps(
  connection: DuckDBConnection,
  o: {
    paths: ReleasePaths;
    plan: {
      readonly sourceDate: string;
      readonly asOf: string;
      readonly history: SliceHistory;
      readonly parameters: Parameters;
      readonly backfilled: boolean;
    };
    covenantRows: readonly CovenantStress[];
  },
): Promise<{ choreographies: ReadonlyMap<string, FilingChoreography>; artifacts: Artifact[] }> {
  const { sourceDate, asOf, history, parameters, backfilled } = o.plan;
  const calendar = await readHolidays();
  const choreographies = await choreographyOf(connection, { sourceDate, calendar, parameters });
  if (backfilled) return { choreographies, artifacts: [] };
  const rows = await selectPrices(connection, { upTo: sourceDate });
  const artifacts = await fieldMapArtifacts({
    ...{ paths: o.paths, history, sourceDate, asOf, covenantRows: o.covenantRows },
    ...{ choreographies, parameters, prices: priceBook(rows, parameters) },
  });
  return { choreographies, artifacts };
}
