import type { DuckDBConnection } from '@duckdb/node-api';
import type { FiledFact, Filing, Issuer, IssuerInputs } from '../../calculators/rows.ts';
import { ExactDecimal } from '../../contract/exactDecimal.ts';
import { insertRows } from './insertRows.ts';
import { readRows } from './readRows.ts';
import { readSql } from './readSql.ts';

type FactsOfIssuer = { readonly own: FiledFact[]; readonly supporting: FiledFact[] };

/**
 * Selects, for every issuer that has one, the filing in force on `sourceDate` with its facts (M1.39, M1.44, M10.3).
 *
 * Only facts filed and filings accepted on or before `sourceDate` are seen (M10.2). Issuers without an eligible
 * filing are left out; the order is that of `issuers`.
 */
export async function selectIssuerInputs(
  connection: DuckDBConnection,
  o: { readonly sourceDate: string; readonly issuers: readonly Issuer[] },
): Promise<IssuerInputs[]> {
  await connection.run('CREATE OR REPLACE TEMP TABLE asked (cik VARCHAR NOT NULL)');
  const ciks = [...new Set(o.issuers.map((issuer) => issuer.cik))].sort();
  await insertRows(connection, {
    table: 'asked',
    columns: { cik: 'VARCHAR' },
    rows: ciks.map((cik) => [cik]),
  });
  await connection.run(await readSql('issuerFilings.sql'), { day: o.sourceDate });
  const filings = await readFilings(connection);
  const facts = await readFacts(connection, o.sourceDate);
  await connection.run('DROP TABLE in_force; DROP TABLE asked');
  return o.issuers.flatMap((issuer) => {
    const filing = filings.get(issuer.cik);
    if (filing === undefined) return [];
    const { own, supporting } = facts.get(Number(issuer.cik)) ?? { own: [], supporting: [] };
    return [{ issuer, filing, facts: own, supporting }];
  });
}

async function readFilings(connection: DuckDBConnection): Promise<Map<string, Filing>> {
  const rows = await readRows(
    connection,
    `SELECT cik, accession, accession_status, form, filed::VARCHAR AS filed, acceptance_estimated,
      strftime(accepted_at, '%Y-%m-%dT%H:%M:%SZ') AS accepted_at, period::VARCHAR AS period FROM in_force`,
  );
  return new Map(
    rows.map((row) => [
      String(row['cik']),
      {
        cik: String(row['cik']),
        accession: String(row['accession']),
        accessionStatus: row['accession_status'] === 'placeholder' ? 'placeholder' : 'filed',
        form: String(row['form']),
        filed: String(row['filed']),
        acceptedAt: String(row['accepted_at']),
        acceptanceEstimated: row['acceptance_estimated'] === true,
        period: String(row['period']),
      },
    ]),
  );
}

async function readFacts(connection: DuckDBConnection, day: string): Promise<Map<number, FactsOfIssuer>> {
  const series = await dictionary(
    connection,
    'SELECT series_id AS id, taxonomy, concept, unit FROM fact_series',
  );
  const forms = await dictionary(connection, 'SELECT form_id AS id, form FROM fact_form');
  const dayText = civilDates();
  const accessionText = accessions();
  const byIssuer = new Map<number, FactsOfIssuer>();
  const result = await connection.stream(await readSql('issuerFacts.sql'), { day });
  for await (const chunk of result) {
    const [cik, own, seriesId, value, exact, start, end, filed, formId, code, odd] = chunk.getColumns();
    for (let i = 0; i < chunk.rowCount; i += 1) {
      const { taxonomy = '', concept = '', unit = '' } = series.get(Number(seriesId?.[i])) ?? {};
      const digits = exact?.[i];
      const fact: FiledFact = {
        taxonomy,
        concept,
        unit,
        value:
          digits === null ? ExactDecimal.fromNumber(Number(value?.[i])) : ExactDecimal.parse(String(digits)),
        start: start?.[i] === null ? null : dayText(start?.[i]),
        end: dayText(end?.[i]),
        accession: odd?.[i] === null ? accessionText(code?.[i]) : String(odd?.[i]),
        form: forms.get(Number(formId?.[i]))?.['form'] ?? '',
        filed: dayText(filed?.[i]),
      };
      const issuer = Number(cik?.[i]);
      const facts = byIssuer.get(issuer) ?? { own: [], supporting: [] };
      byIssuer.set(issuer, facts);
      (own?.[i] === true ? facts.own : facts.supporting).push(fact);
    }
  }
  return byIssuer;
}

async function dictionary(
  connection: DuckDBConnection,
  sql: string,
): Promise<Map<number, Record<string, string>>> {
  const rows = await readRows(connection, sql);
  return new Map(rows.map((row) => [Number(row['id']), row as Record<string, string>]));
}

/** Prints a DuckDB date; few distinct days fill many rows. */
function civilDates(): (value: unknown) => string {
  const known = new Map<number, string>();
  return (value) => {
    const { days } = value as { days: number };
    const text = known.get(days) ?? new Date(days * 86_400_000).toISOString().slice(0, 10);
    known.set(days, text);
    return text;
  };
}

function accessions(): (code: unknown) => string {
  const known = new Map<unknown, string>();
  return (code) => {
    const digits = String(code).padStart(18, '0');
    const text = known.get(code) ?? `${digits.slice(0, 10)}-${digits.slice(10, 12)}-${digits.slice(12)}`;
    known.set(code, text);
    return text;
  };
}
