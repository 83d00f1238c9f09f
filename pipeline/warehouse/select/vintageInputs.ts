import type { DuckDBConnection } from '@duckdb/node-api';
import type { FiledFact, IssuerInputs } from '../../../calculators/filing/rows.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { readRows } from '../build/readRows.ts';
import { readSql } from '../build/readSql.ts';
import type { Vintage } from './selectVintages.ts';
import { selectXbrlFilings } from './selectXbrlFilings.ts';

/** What the warehouse holds of one vintage. */
export type VintageContents = Pick<IssuerInputs, 'facts' | 'supporting' | 'xbrl'>;

/** Vintages whose facts have been looked up but not handed over yet. */
export type OpenVintageInputs = {
  /** A hash over everything {@link OpenVintageInputs.read} would return, by vintage; null when nothing vouches for it. */
  hashes(): Promise<Map<number, string | null>>;
  /** Hands the contents over, but for the vintages in `except`, and forgets them all. */
  read(except: ReadonlySet<number>): Promise<Map<number, VintageContents>>;
};

/** Looks up the facts of some of the vintages that `selectVintages` listed; they fit into memory. */
export async function openVintageInputs(
  connection: DuckDBConnection,
  vintages: readonly Vintage[],
): Promise<OpenVintageInputs> {
  const ids = vintages.map((vintage) => vintage.id);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE in_force AS FROM vintage WHERE vintage IN (${integers(ids)})`,
  );
  await connection.run(await readSql('vintageFacts.sql'));
  return {
    async hashes() {
      const rows = await readRows(connection, await readSql('vintageContents.sql'));
      return new Map(
        rows.map(({ vintage, hash }) => [Number(vintage), typeof hash === 'string' ? hash : null]),
      );
    },
    async read(except) {
      await connection.run(`DELETE FROM in_force WHERE vintage IN (${integers([...except])})`);
      const contents = new Map<number, VintageContents>();
      const wanted = vintages.filter((vintage) => !except.has(vintage.id));
      if (wanted.length > 0) {
        const facts = await readFacts(connection, wanted);
        const xbrl = await selectXbrlFilings(connection);
        for (const { id } of wanted) {
          const { own, supporting } = facts.get(id) ?? { own: [], supporting: [] };
          contents.set(id, { facts: own, supporting, xbrl: xbrl.get(id) ?? null });
        }
      }
      await connection.run('DROP TABLE vintage_fact; DROP TABLE in_force');
      return contents;
    },
  };
}

type FactsOfVintage = { readonly own: FiledFact[]; readonly supporting: FiledFact[] };

async function readFacts(
  connection: DuckDBConnection,
  vintages: readonly Vintage[],
): Promise<Map<number, FactsOfVintage>> {
  const series = await dictionary(
    connection,
    'SELECT series_id AS id, taxonomy, concept, unit FROM fact_series WHERE series_id IN (SELECT series_id FROM vintage_fact)',
  );
  const forms = await dictionary(connection, 'SELECT form_id AS id, form FROM fact_form');
  const dayText = civilDates();
  const inForce = new Map(vintages.map(({ id, filing }) => [id, filing.accession]));
  const byVintage = new Map<number, FactsOfVintage>();
  const result = await connection.stream(await readSql('readVintageFacts.sql'));
  for await (const chunk of result) {
    const [vintage, own, seriesId, value, exact, start, end, filed, formId, accession] = chunk.getColumns();
    for (let i = 0; i < chunk.rowCount; i += 1) {
      const id = Number(vintage?.[i]);
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
        accession: String(accession?.[i] ?? inForce.get(id)),
        form: forms.get(Number(formId?.[i]))?.['form'] ?? '',
        filed: dayText(Number(filed?.[i])),
      };
      const facts = byVintage.get(id) ?? { own: [], supporting: [] };
      byVintage.set(id, facts);
      (own?.[i] === true ? facts.own : facts.supporting).push(fact);
    }
  }
  return byVintage;
}

async function dictionary(
  connection: DuckDBConnection,
  sql: string,
): Promise<Map<number, Record<string, string>>> {
  const rows = await readRows(connection, sql);
  return new Map(rows.map((row) => [Number(row['id']), row as Record<string, string>]));
}

/** A list for `IN`; never empty, because SQL has no empty list there. */
function integers(ids: readonly number[]): string {
  return ids.length === 0 ? '-1' : ids.map((id) => String(Math.trunc(id))).join(', ');
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
