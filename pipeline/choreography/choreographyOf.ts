import type { DuckDBConnection } from '@duckdb/node-api';
import type { BusinessCalendar } from '../../calculators/changes/businessCalendar.ts';
import {
  type FilingChoreography,
  filingChoreography,
} from '../../calculators/choreography/filingChoreography.ts';
import type { Parameters } from '../../calculators/parameters.ts';
import { selectFilingRows } from './selectFilingRows.ts';

/** The choreography of every registrant of the universe with submissions, as known on the slice's date, by CIK. */
export async function choreographyOf(
  connection: DuckDBConnection,
  o: { readonly sourceDate: string; readonly calendar: BusinessCalendar; readonly parameters: Parameters },
): Promise<Map<string, FilingChoreography>> {
  const rows = await selectFilingRows(connection, { upTo: o.sourceDate });
  return new Map([...rows].map(([cik, own]) => [cik, filingChoreography(own, { ...o, asOf: o.sourceDate })]));
}
