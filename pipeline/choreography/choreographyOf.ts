import type { DuckDBConnection } from '@duckdb/node-api';
import type { BusinessCalendar } from '../../calculators/changes/businessCalendar.ts';
import {
  type FilingChoreography,
  filingChoreography,
} from '../../calculators/choreography/filingChoreography.ts';
import type { FilingRow } from '../../calculators/choreography/filingEvent.ts';
import type { Statement } from '../../calculators/currentReports/statement.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { readRows } from '../warehouse/build/readRows.ts';

/** The choreography of every registrant of the universe with submissions, as known on the slice's date, by CIK. */
export async function choreographyOf(
  connection: DuckDBConnection,
  input: {
    readonly sourceDate: string;
    readonly calendar: BusinessCalendar;
    readonly parameters: Parameters;
    /** By CIK, statements accepted by the source date; absent where no current report was read. */
    readonly statements?: ReadonlyMap<string, readonly Statement[]>;
  },
): Promise<Map<string, FilingChoreography>> {
  const rows = await selectFilingRows(connection, { upTo: input.sourceDate });
  return new Map(
    [...rows].map(([cik, own]) => {
      const statements = input.statements && (input.statements.get(cik) ?? []);
      return [cik, filingChoreography(own, { ...input, statements, asOf: input.sourceDate })];
    }),
  );
}

/**
 * Every submissions row of the registrants of the universe filed up to a day, by CIK.
 *
 * Letters of staff reviews are read beyond it: when a review ended decides when its letters became public (M7.7).
 */
async function selectFilingRows(
  connection: DuckDBConnection,
  { upTo }: { readonly upTo: string },
): Promise<Map<string, FilingRow[]>> {
  const rows = await readRows<FilingRow>(
    connection,
    `SELECT cik, accession, form, filed::VARCHAR AS filed, report_date::VARCHAR AS "reportDate",
      strftime(accepted_at, '%Y-%m-%dT%H:%M:%SZ') AS "acceptedAt", file_number AS "fileNumber",
      list_filter(coalesce(string_split(items, ','), []), lambda i: i <> '') AS items, document_description AS description
    FROM submission_filing SEMI JOIN universe_issuer USING (cik)
    WHERE submission_filing.filed <= $day::DATE OR form IN ('UPLOAD', 'CORRESP')
    ORDER BY cik, submission_filing.filed, accession`,
    { day: upTo },
  );
  return Map.groupBy(rows, ({ cik }) => cik);
}
