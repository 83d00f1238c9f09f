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
  const rows = await readRows(
    connection,
    `SELECT cik, accession, form, filed::VARCHAR AS filed, report_date::VARCHAR AS report_date,
      strftime(accepted_at, '%Y-%m-%dT%H:%M:%SZ') AS accepted_at, file_number, items, document_description
    FROM submission_filing SEMI JOIN universe_issuer USING (cik)
    WHERE filed <= $day::DATE OR form IN ('UPLOAD', 'CORRESP')
    ORDER BY cik, filed, accession`,
    { day: upTo },
  );
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const byCik = new Map<string, FilingRow[]>();
  for (const row of rows) {
    const cik = String(row['cik']);
    const filing: FilingRow = {
      cik,
      accession: String(row['accession']),
      form: String(row['form']),
      filed: String(row['filed']),
      acceptedAt: text(row['accepted_at']),
      reportDate: text(row['report_date']),
      fileNumber: text(row['file_number']),
      items: (text(row['items']) ?? '').split(',').filter((item) => item !== ''),
      description: text(row['document_description']),
    };
    const own = byCik.get(cik);
    if (own === undefined) byCik.set(cik, [filing]);
    else own.push(filing);
  }
  return byCik;
}
