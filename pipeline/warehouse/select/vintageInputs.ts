import type { DuckDBConnection } from '@duckdb/node-api';
import { capitalAxis, shareConcept } from '../../../calculators/capital/capital.ts';
import { loanMember, pledgeConcept } from '../../../calculators/facilities/loanFacts.ts';
import type { EarlierFiling, FiledFact, IssuerInputs } from '../../../calculators/filing/rows.ts';
import type {
  CalculationArc,
  ConceptDeclaration,
  FilingDefect,
  InstanceFact,
  LinkRole,
  NamedLines,
  Presentation,
  Reporting,
  TermFact,
  XbrlFiling,
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
      const rows = await readRows<Of<{ hash: string | null }>>(
        connection,
        await readSql('vintageContents.sql'),
      );
      return new Map(rows.map(({ vintage, hash }) => [vintage, hash]));
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

/** A row and what it is of: a vintage, or an earlier filing behind one. */
type Of<T> = T & { readonly vintage: number; readonly place?: number };

const keyOf = ({ vintage, place = 0 }: Of<object>): string => `${vintage} ${place}`;

/** What is made of the rows of one vintage or earlier filing; null where it has none. */
function grouped<S, T>(rows: readonly Of<S>[], make: (row: S) => T): (of: Of<object>) => T[] | null {
  const groups = Map.groupBy(rows, keyOf);
  return (of) => groups.get(keyOf(of))?.map(({ vintage: _, place: __, ...row }) => make(row as S)) ?? null;
}

/**
 * Selects the XBRL of the filings in temporary table `in_force`, by vintage; a filing whose files are not available is
 * absent. Facts are those a resolver looks at, everything else is whole.
 */
async function selectXbrlFilings(connection: DuckDBConnection): Promise<Map<number, XbrlFiling>> {
  const filings = await readRows<Of<StoredFiling>>(
    connection,
    `SELECT vintage, cik, accession, arcs_authored, filer_category AS "filerCategory", fiscal_year_end AS "fiscalYearEnd",
      fiscal_quarter AS quarter FROM xbrl_filing JOIN in_force USING (cik, accession) ORDER BY vintage`,
  );
  if (filings.length === 0) return new Map();
  const names = {
    loan: loanMember.source,
    pledge: pledgeConcept.source,
    shares: shareConcept.source,
    capital: capitalAxis.source,
  };
  const stored = await readRows<Of<StoredFact>>(connection, await readSql('issuerXbrl.sql'), names);
  const facts = grouped(stored, fact);
  type Part<S, T> = { readonly of: string; readonly by: string; readonly make?: (row: S) => T };
  const part = async <S, T = S>(columns: string, { of, by, make }: Part<S, T>) => {
    const sql = `SELECT ${columns}, vintage FROM ${of} JOIN in_force USING (cik, accession) ORDER BY vintage, ${by}`;
    return grouped(await readRows<Of<S>>(connection, sql), make ?? ((row) => row as unknown as T));
  };
  const arcs = await part<StoredArc, CalculationArc>(
    'role, parent AS "from", child AS "to", weight, weight_exact AS digits, arc_order AS "order", version',
    {
      of: 'calculation_arc',
      by: 'role, parent, arc_order, child, weight, version',
      make: ({ weight, digits, ...arc }) => ({ ...arc, weight: exact(digits, weight) }),
    },
  );
  const named = await part<NamedLine>('concept, end_date::VARCHAR AS "end", line', {
    of: 'named_line',
    by: 'concept, end_date, position',
  });
  const terms = await part<TermFact>(termColumns, {
    of: 'term_fact',
    by: 'concept, end_date, start_date, context_id, value',
  });
  const shown = await part<ShownConcept>('role, concept', {
    // a role without arcs is no candidate for anything
    of: '(FROM presentation_concept SEMI JOIN calculation_arc USING (cik, accession, role))',
    by: 'role, position',
  });
  const roles = await part<LinkRole>('uri, definition', { of: 'link_role', by: 'uri, definition' });
  const concepts = await part<ConceptDeclaration>(
    'concept, type, is_monetary AS "isMonetary", period_type AS "periodType", balance, is_abstract AS "isAbstract", label',
    { of: 'concept_declaration', by: 'concept' },
  );
  const defects = await part<StoredDefect, FilingDefect>('part, defect AS reason, status', {
    of: '(FROM filing_document WHERE defect IS NOT NULL)',
    by: 'part, defect',
    make: defect,
  });
  return new Map(
    filings.map(({ vintage, cik, accession, arcs_authored: isAuthored, ...reporting }) => {
      const of = { vintage };
      const [lines, stated] = [named(of), terms(of)];
      const filing = {
        cik,
        accession,
        facts: facts(of) ?? [],
        ...(lines === null ? {} : { namedLines: namedLines(lines) }),
        ...(stated === null ? {} : { terms: stated }),
        arcs: arcs(of) ?? [],
        ...(isAuthored ? { arcsAuthored: true as const } : {}),
        ...(Object.values(reporting).every((one) => one === null) ? {} : { reporting }),
        presentations: presentations(shown(of) ?? []),
        roles: roles(of) ?? [],
        concepts: concepts(of) ?? [],
        defects: defects(of) ?? [],
      };
      return [vintage, filing];
    }),
  );
}

type StoredFiling = Reporting & Pick<XbrlFiling, 'cik' | 'accession'> & { readonly arcs_authored: boolean };
type StoredArc = Omit<CalculationArc, 'weight'> & { readonly weight: number; readonly digits: string | null };
type NamedLine = { readonly concept: string; readonly end: string; readonly line: string };
type ShownConcept = { readonly role: string; readonly concept: string };
type StoredDefect = Pick<FilingDefect, 'part' | 'reason'> & { readonly status: string };
type StoredFact = Omit<InstanceFact, 'value' | 'decimals' | 'position'> & {
  readonly value: number | null;
  readonly digits: string | null;
  readonly decimals: string | null;
  readonly position: number | null;
};
const termColumns =
  'concept, context_id AS "contextId", value, start_date::VARCHAR AS "start", end_date::VARCHAR AS "end", dimensions';

/** What earlier filings of each issuer state of its notes, newest first; absent where none of them has files. */
async function selectEarlierFilings(
  connection: DuckDBConnection,
): Promise<Map<number, readonly EarlierFiling[]>> {
  const filings = await readRows<Of<Pick<EarlierFiling, 'accession' | 'period'>>>(
    connection,
    'SELECT vintage, place, accession, period::VARCHAR AS period FROM earlier_filing ORDER BY vintage, place',
  );
  if (filings.length === 0) return new Map();
  const stored = await readRows<Of<StoredFact>>(connection, await readSql('earlierFacts.sql'));
  const facts = grouped(stored, fact);
  const terms = grouped(
    await readRows<Of<TermFact>>(
      connection,
      `SELECT e.vintage, e.place, ${termColumns} FROM term_fact t JOIN earlier_filing e USING (cik, accession)
      WHERE end_date <= e.period
      ORDER BY e.vintage, e.place, concept, end_date, start_date, context_id, value`,
    ),
    (term) => term,
  );
  const whole = filings.map(({ vintage, place = 0, ...filing }) => {
    const of = { vintage, place };
    return { vintage, filing: { ...filing, facts: facts(of) ?? [], terms: terms(of) ?? [] } };
  });
  return new Map(
    [...Map.groupBy(whole, ({ vintage }) => vintage)].map(([vintage, own]) => [
      vintage,
      own.map(({ filing }) => filing),
    ]),
  );
}

function fact({ value, digits, decimals, position, ...row }: StoredFact): InstanceFact {
  return {
    ...row,
    value: value === null ? null : exact(digits, value),
    decimals: decimals === null || decimals === 'INF' ? decimals : Number(decimals),
    ...(position === null ? {} : { position }),
  };
}

function namedLines(rows: readonly NamedLine[]): NamedLines[] {
  return [...Map.groupBy(rows, ({ concept, end }) => `${concept} ${end}`).values()].map((group) => ({
    concept: group[0]?.concept ?? '',
    end: group[0]?.end ?? '',
    lines: group.map(({ line }) => line),
  }));
}

function presentations(shown: readonly ShownConcept[]): Presentation[] {
  return [...Map.groupBy(shown, ({ role }) => role)].map(([role, rows]) => ({
    role,
    concepts: rows.map(({ concept }) => concept),
  }));
}

function defect({ status, ...row }: StoredDefect): FilingDefect {
  return status === 'unusable' || status === 'incomplete' ? { ...row, state: status } : row;
}

function exact(digits: string | null, double: number): ExactDecimal {
  return digits === null ? ExactDecimal.fromNumber(double) : ExactDecimal.parse(digits);
}
