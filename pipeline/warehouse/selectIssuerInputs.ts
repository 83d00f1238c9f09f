import type { DuckDBConnection } from '@duckdb/node-api';
import type { FiledFact, Filing, Issuer, IssuerInputs } from '../../calculators/rows.ts';
import { ExactDecimal } from '../../contract/exactDecimal.ts';
import { insertRows } from './insertRows.ts';
import { readRows } from './readRows.ts';
import { readSql } from './readSql.ts';
import { selectXbrlFilings } from './selectXbrlFilings.ts';

type FactsOfIssuer = { readonly own: FiledFact[]; readonly supporting: FiledFact[] };

/**
 * Selects, for every issuer that has one, the filing in force on `sourceDate` with its facts and the contents of its
 * files where they are at hand (M1.39, M1.44, M10.3).
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
  const facts = await readFacts(connection, { day: o.sourceDate, filings });
  const xbrl = await selectXbrlFilings(connection);
  await connection.run('DROP TABLE in_force; DROP TABLE asked');
  return o.issuers.flatMap((issuer) => {
    const filing = filings.get(issuer.cik);
    if (filing === undefined) return [];
    const { own, supporting } = facts.get(Number(issuer.cik)) ?? { own: [], supporting: [] };
    return [{ issuer, filing, facts: own, supporting, xbrl: xbrl.get(issuer.cik) ?? null }];
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

async function readFacts(
  connection: DuckDBConnection,
  o: { readonly day: string; readonly filings: ReadonlyMap<string, Filing> },
): Promise<Map<number, FactsOfIssuer>> {
  const series = await dictionary(
    connection,
    'SELECT series_id AS id, taxonomy, concept, unit FROM fact_series',
  );
  const forms = await dictionary(connection, 'SELECT form_id AS id, form FROM fact_form');
  const dayText = civilDates();
  const inForce = new Map([...o.filings.values()].map((filing) => [Number(filing.cik), filing.accession]));
  const byIssuer = new Map<number, FactsOfIssuer>();
  const result = await connection.stream(await readSql('issuerFacts.sql'), { day: o.day });
  for await (const chunk of result) {
    const [cik, own, seriesId, value, exact, start, end, filed, formId, accession] = chunk.getColumns();
    for (let i = 0; i < chunk.rowCount; i += 1) {
      const issuer = Number(cik?.[i]);
      const { taxonomy = '', concept = '', unit = '' } = series.get(Number(seriesId?.[i])) ?? {};
      const digits = exact?.[i];
      const first = start?.[i];
      const fact: FiledFact = {
        taxonomy,
        concept,
        unit,
        value:
          typeof digits === 'string'
            ? ExactDecimal.parse(digits)
            : ExactDecimal.fromNumber(Number(value?.[i])),
        start: typeof first === 'number' ? dayText(first) : null,
        end: dayText(Number(end?.[i])),
        accession: String(accession?.[i] ?? inForce.get(issuer)),
        form: forms.get(Number(formId?.[i]))?.['form'] ?? '',
        filed: dayText(Number(filed?.[i])),
      };
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

/** Prints a day number since 1970-01-01; few distinct days fill many rows. */
function civilDates(): (days: number) => string {
  const known = new Map<number, string>();
  return (days) => {
    const text = known.get(days) ?? new Date(days * 86_400_000).toISOString().slice(0, 10);
    known.set(days, text);
    return text;
  };
}
