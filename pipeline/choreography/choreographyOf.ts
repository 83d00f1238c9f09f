import type { DuckDBConnection } from '@duckdb/node-api';
import type { BusinessCalendar } from '../../calculators/changes/businessCalendar.ts';
import {
  type FilingChoreography,
  filingChoreography,
} from '../../calculators/choreography/filingChoreography.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { selectFilingRows } from './selectFilingRows.ts';

/** The choreography of every registrant of the universe with submissions, as known on the slice's date, by CIK. */
export async function choreographyOf(
  connection: DuckDBConnection,
  input: {
    readonly sourceDate: string;
    readonly calendar: BusinessCalendar;
    readonly parameters: Parameters;
  },
): Promise<Map<string, FilingChoreography>> {
  const rows = await selectFilingRows(connection, { upTo: input.sourceDate });
  return new Map(
    [...rows].map(([cik, own]) => [cik, filingChoreography(own, { ...input, asOf: input.sourceDate })]),
  );
}
