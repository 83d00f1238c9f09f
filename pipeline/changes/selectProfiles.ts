import type { DuckDBConnection } from '@duckdb/node-api';
import type { CompanyProfile } from '../../calculators/changes/companyProfile.ts';
import type { Issuer } from '../../calculators/filing/rows.ts';
import { insertRows } from '../warehouse/build/insertRows.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { readSql } from '../warehouse/build/readSql.ts';

/** What the slice itself knows better than the archive: coins over assets and whether the debt is a measured zero. */
export type SliceReading = {
  readonly cryptoShareOfAssets: number | null;
  readonly debtIsZero: boolean | null;
};

/**
 * What is known on a day of the registrants asked for: universe, ticker file, submissions, and what their facts say
 * (M6.9). Only facts and filings filed up to the day are seen (M10.2).
 *
 * @param entityNames names of registrants the archive no longer holds
 */
export async function selectProfiles(
  connection: DuckDBConnection,
  {
    day,
    ciks,
    universe,
    entityNames,
    readings,
  }: {
    day: string;
    ciks: readonly string[];
    universe: ReadonlyMap<string, Issuer>;
    entityNames: ReadonlyMap<string, string>;
    readings: ReadonlyMap<string, SliceReading>;
  },
): Promise<Map<string, CompanyProfile>> {
  if (ciks.length === 0) return new Map();
  await connection.run('CREATE OR REPLACE TEMP TABLE changed_cik (cik VARCHAR NOT NULL)');
  await insertRows(connection, {
    table: 'changed_cik',
    columns: { cik: 'VARCHAR' },
    rows: ciks.map((cik) => [cik]),
  });
  const rows = await readRows(connection, await readSql('changedCompanies.sql'), { day });
  const forms = await readRows(
    connection,
    `SELECT cik, form, max(filed)::VARCHAR AS filed FROM submission_filing SEMI JOIN changed_cik USING (cik)
    WHERE filed <= $day::DATE GROUP BY cik, form, date_trunc('month', filed) ORDER BY cik, filed, form`,
    { day },
  );
  await connection.run('DROP TABLE changed_cik');
  const formsOf = Map.groupBy(forms, (row) => String(row['cik']));
  return new Map(
    rows.map((row): [string, CompanyProfile] => {
      const cik = String(row['cik']);
      const issuer = universe.get(cik);
      const reading = readings.get(cik);
      const is = (name: string) => row[name] === true;
      const crude = row['crypto_share'] === null ? null : Number(row['crypto_share']);
      return [
        cik,
        {
          cik,
          entityName: issuer?.entityName ?? textOf(row['name']) ?? entityNames.get(cik) ?? cik,
          ticker: issuer?.ticker ?? textOf(row['ticker']),
          exchange: issuer?.exchange ?? textOf(row['exchange']),
          sic: textOf(row['sic']),
          ownerOrg: textOf(row['owner_org']),
          forms: is('in_submissions')
            ? (formsOf.get(cik) ?? []).map((one) => ({
                form: String(one['form']),
                filed: String(one['filed']),
              }))
            : null,
          universe:
            issuer === undefined ? null : { issuerType: issuer.issuerType, issuerClass: issuer.issuerClass },
          cryptoShareOfAssets: reading?.cryptoShareOfAssets ?? crude,
          debtIsZero: reading?.debtIsZero ?? null,
          facts: {
            crypto: is('crypto') || (reading?.cryptoShareOfAssets ?? 0) > 0,
            safeguarding: is('safeguarding'),
            mining: is('mining'),
            operations: is('operations'),
            creationUnits: is('creation_units'),
          },
        },
      ];
    }),
  );
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
