import type { DuckDBConnection, JS } from '@duckdb/node-api';
import { capitalAxis, shareConcept } from '../../../calculators/capital/capital.ts';
import { loanMember, pledgeConcept } from '../../../calculators/facilities/loanFacts.ts';
import type { EarlierFiling, FiledFact, IssuerInputs } from '../../../calculators/filing/rows.ts';
import {
  type CalculationArc,
  type ConceptDeclaration,
  type Dimension,
  type FilingDefect,
  filingParts,
  type InstanceFact,
  type LinkRole,
  type NamedLines,
  type Presentation,
  type Reporting,
  type TermFact,
  type XbrlFiling,
} from '../../../calculators/filing/xbrlFiling.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { readRows, readSql } from '../build/readRows.ts';
import type { Vintage } from './selectVintages.ts';

/** What the warehouse holds of one vintage. */
export type VintageContents = Pick<IssuerInputs, 'facts' | 'supporting' | 'xbrl' | 'earlier'>;

/** Vintages whose facts have been looked up but not handed over yet. */
export type OpenVintageInputs = {
  /** A hash over everything {@link OpenVintageInputs.read} would return, by vintage; null when nothing vouches for it. */
  hashes(): Promise<Map<number, string | null>>;
  /** Hands the contents over in the order of the vintages, some at a time, but for those in `except`, and forgets them all. */
  read(except: ReadonlySet<number>): AsyncGenerator<ReadonlyMap<number, VintageContents>>;
};

/** Vintages in memory at once: those of the whole universe are half a gigabyte. */
const atOnce = 32;

/** Looks up the facts of some of the vintages that `selectVintages` listed. */
export async function openVintageInputs(
  connection: DuckDBConnection,
  vintages: readonly Vintage[],
): Promise<OpenVintageInputs> {
  const ids = vintages.map((vintage) => vintage.id);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE in_force AS FROM vintage WHERE vintage IN (${integers(ids)})`,
  );
  await connection.run(await readSql('vintageFacts.sql'));
  await connection.run(await readSql('earlierFilings.sql'));
  return {
    async hashes() {
      const rows = await readRows(connection, await readSql('vintageContents.sql'));
      return new Map(
        rows.map(({ vintage, hash }) => [Number(vintage), typeof hash === 'string' ? hash : null]),
      );
    },
    async *read(except) {
      await connection.run('CREATE OR REPLACE TEMP TABLE earlier_known AS FROM earlier_filing');
      const wanted = vintages.filter((vintage) => !except.has(vintage.id));
      try {
        for (let at = 0; at < wanted.length; at += atOnce)
          yield await contentsOf(connection, wanted.slice(at, at + atOnce));
      } finally {
        const tables = ['vintage_fact', 'in_force', 'earlier_filing', 'earlier_known'];
        await connection.run(tables.map((table) => `DROP TABLE ${table}`).join('; '));
      }
    },
  };
}

async function contentsOf(
  connection: DuckDBConnection,
  vintages: readonly Vintage[],
): Promise<Map<number, VintageContents>> {
  const among = `WHERE vintage IN (${integers(vintages.map(({ id }) => id))})`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE in_force AS FROM vintage ${among}`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE earlier_filing AS FROM earlier_known ${among}`);
  const facts = await readFacts(connection, vintages);
  const xbrl = await selectXbrlFilings(connection);
  const earlier = await selectEarlierFilings(connection);
  return new Map(
    vintages.map(({ id }) => {
      const { own, supporting } = facts.get(id) ?? { own: [], supporting: [] };
      const before = earlier.get(id);
      const contents = { facts: own, supporting, xbrl: xbrl.get(id) ?? null };
      return [id, before === undefined ? contents : { ...contents, earlier: before }];
    }),
  );
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

type Row = Record<string, JS>;

/**
 * Selects the XBRL of the filings in temporary table `in_force`, by vintage; a filing whose files are not available is
 * absent. Facts are those a resolver looks at, everything else is whole.
 */
async function selectXbrlFilings(connection: DuckDBConnection): Promise<Map<number, XbrlFiling>> {
  const filings = await readRows(
    connection,
    `SELECT vintage, cik, accession, arcs_authored, filer_category, fiscal_year_end, fiscal_quarter FROM xbrl_filing JOIN in_force USING (cik, accession)
    ORDER BY vintage`,
  );
  if (filings.length === 0) return new Map();
  const names = {
    loan: loanMember.source,
    pledge: pledgeConcept.source,
    shares: shareConcept.source,
    capital: capitalAxis.source,
  };
  const facts = grouped(await readRows(connection, await readSql('issuerXbrl.sql'), names), fact);
  const part = async <T>({ table, order, of }: { table: string; order: string; of: (row: Row) => T }) =>
    grouped(
      await readRows(
        connection,
        `SELECT t.* EXCLUDE (input), vintage FROM ${table} t JOIN in_force USING (cik, accession)
        ORDER BY vintage, ${order}`,
      ),
      of,
    );
  const arcs = await part({
    table: 'calculation_arc',
    order: 'role, parent, arc_order, child, weight, version',
    of: arc,
  });
  const named = await part({
    table: '(SELECT * REPLACE (end_date::VARCHAR AS end_date) FROM named_line)',
    order: 'concept, end_date, position',
    of: (row: Row) => ({
      concept: String(row['concept']),
      end: String(row['end_date']),
      line: String(row['line']),
    }),
  });
  const terms = await part({
    table:
      '(SELECT * REPLACE (start_date::VARCHAR AS start_date, end_date::VARCHAR AS end_date) FROM term_fact)',
    order: 'concept, end_date, start_date, context_id, value',
    of: term,
  });
  const shown = await part({
    // a role without arcs is no candidate for anything
    table: '(FROM presentation_concept SEMI JOIN calculation_arc USING (cik, accession, role))',
    order: 'role, position',
    of: (row: Row) => ({ role: String(row['role']), concept: String(row['concept']) }),
  });
  const roles = await part({ table: 'link_role', order: 'uri, definition', of: role });
  const concepts = await part({ table: 'concept_declaration', order: 'concept', of: concept });
  const defects = await part({
    table: '(FROM filing_document WHERE defect IS NOT NULL)',
    order: 'part, defect',
    of: defect,
  });
  return new Map(
    filings.map((row) => {
      const vintage = Number(row['vintage']);
      return [
        vintage,
        {
          cik: String(row['cik']),
          accession: String(row['accession']),
          facts: facts.get(vintage) ?? [],
          ...(named.has(vintage) ? { namedLines: namedLines(named.get(vintage) ?? []) } : {}),
          ...(terms.has(vintage) ? { terms: terms.get(vintage) ?? [] } : {}),
          arcs: arcs.get(vintage) ?? [],
          ...(row['arcs_authored'] === true ? { arcsAuthored: true as const } : {}),
          ...reporting(row),
          presentations: presentations(shown.get(vintage) ?? []),
          roles: roles.get(vintage) ?? [],
          concepts: concepts.get(vintage) ?? [],
          defects: defects.get(vintage) ?? [],
        },
      ];
    }),
  );
}

/** What earlier filings of each issuer state of its notes, newest first; absent where none of them has files. */
async function selectEarlierFilings(
  connection: DuckDBConnection,
): Promise<Map<number, readonly EarlierFiling[]>> {
  const filings = await readRows(
    connection,
    'SELECT vintage, place, accession, period::VARCHAR AS period FROM earlier_filing ORDER BY vintage, place',
  );
  if (filings.length === 0) return new Map();
  const keyOf = ({ vintage, place }: Row) => `${String(vintage)} ${String(place)}`;
  const facts = Map.groupBy(await readRows(connection, await readSql('earlierFacts.sql')), keyOf);
  const terms = Map.groupBy(
    await readRows(
      connection,
      `SELECT e.vintage, e.place, t.* EXCLUDE (input, start_date, end_date), t.start_date::VARCHAR AS start_date,
        t.end_date::VARCHAR AS end_date
      FROM term_fact t JOIN earlier_filing e USING (cik, accession)
      WHERE t.end_date <= e.period
      ORDER BY e.vintage, e.place, concept, t.end_date, t.start_date, context_id, value`,
    ),
    keyOf,
  );
  return grouped(filings, (row) => ({
    accession: String(row['accession']),
    period: String(row['period']),
    facts: (facts.get(keyOf(row)) ?? []).map(fact),
    terms: (terms.get(keyOf(row)) ?? []).map(term),
  }));
}

function reporting(row: Row): Pick<XbrlFiling, 'reporting'> {
  const { filer_category: category, fiscal_quarter: quarter } = row as {
    filer_category: Reporting['filerCategory'];
    fiscal_quarter: Reporting['quarter'];
  };
  const fiscalYearEnd = text(row['fiscal_year_end']);
  if (category === null && quarter === null && fiscalYearEnd === null) return {};
  return { reporting: { filerCategory: category, fiscalYearEnd, quarter } };
}

function grouped<T>(rows: readonly Row[], of: (row: Row) => T): Map<number, T[]> {
  const byVintage = new Map<number, T[]>();
  for (const row of rows) {
    const vintage = Number(row['vintage']);
    const group = byVintage.get(vintage) ?? [];
    byVintage.set(vintage, group);
    group.push(of(row));
  }
  return byVintage;
}

function fact(row: Row): InstanceFact {
  const { decimals, position } = row as { decimals: string | null; position: number | null };
  return {
    concept: String(row['concept']),
    contextId: String(row['context_id']),
    unit: String(row['unit']),
    value: row['value'] === null ? null : exact(row['value_exact'], row['value']),
    decimals: decimals === null ? null : decimals === 'INF' ? 'INF' : Number(decimals),
    start: text(row['start']),
    end: String(row['end']),
    dimensions: dimensions(row),
    ...(position === null ? {} : { position }),
  };
}

function term(row: Row): TermFact {
  return {
    concept: String(row['concept']),
    contextId: String(row['context_id']),
    value: String(row['value']),
    start: text(row['start_date']),
    end: String(row['end_date']),
    dimensions: dimensions(row),
  };
}

function dimensions(row: Row): Dimension[] {
  return (row['dimensions'] as Dimension[]).map(({ axis, member, typed }) => ({ axis, member, typed }));
}

function arc(row: Row): CalculationArc {
  return {
    role: String(row['role']),
    from: String(row['parent']),
    to: String(row['child']),
    weight: exact(row['weight_exact'], row['weight']),
    order: Number(row['arc_order']),
    version: row['version'] === '1.1' ? '1.1' : '1.0',
  };
}

function namedLines(rows: readonly { concept: string; end: string; line: string }[]): NamedLines[] {
  return [...Map.groupBy(rows, ({ concept, end }) => `${concept} ${end}`).values()].map((group) => ({
    concept: group[0]?.concept ?? '',
    end: group[0]?.end ?? '',
    lines: group.map(({ line }) => line),
  }));
}

function presentations(shown: readonly { role: string; concept: string }[]): Presentation[] {
  return [...Map.groupBy(shown, ({ role }) => role)].map(([role, rows]) => ({
    role,
    concepts: rows.map(({ concept }) => concept),
  }));
}

function role(row: Row): LinkRole {
  return { uri: String(row['uri']), definition: text(row['definition']) };
}

function concept(row: Row): ConceptDeclaration {
  const balance = row['balance'];
  return {
    concept: String(row['concept']),
    type: String(row['type']),
    isMonetary: row['is_monetary'] === true,
    periodType: row['period_type'] === 'instant' ? 'instant' : 'duration',
    balance: balance === 'debit' || balance === 'credit' ? balance : null,
    isAbstract: row['is_abstract'] === true,
    label: text(row['label']),
  };
}

function defect(row: Row): FilingDefect {
  const part = filingParts.find((name) => name === row['part']) ?? 'archive';
  const { status } = row;
  return {
    part,
    reason: String(row['defect']),
    ...(status === 'unusable' || status === 'incomplete' ? { state: status } : {}),
  };
}

function exact(digits: JS | undefined, double: JS | undefined): ExactDecimal {
  return typeof digits === 'string' ? ExactDecimal.parse(digits) : ExactDecimal.fromNumber(Number(double));
}

function text(value: JS | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
