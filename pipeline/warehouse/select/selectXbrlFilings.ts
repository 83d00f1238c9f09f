import type { DuckDBConnection, JS } from '@duckdb/node-api';
import { loanMember, pledgeConcept } from '../../../calculators/facilities/facilityWords.ts';
import {
  type CalculationArc,
  type ConceptDeclaration,
  type Dimension,
  type FilingDefect,
  filingParts,
  type InstanceFact,
  type LinkRole,
  type Presentation,
  type XbrlFiling,
} from '../../../calculators/filing/xbrlFiling.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { readRows } from '../build/readRows.ts';
import { readSql } from '../build/readSql.ts';

type Row = Record<string, JS>;

/**
 * Selects the XBRL of the filings in temporary table `in_force`, by vintage; a filing whose files are not at hand is
 * absent. Facts are those a resolver looks at, everything else is whole.
 */
export async function selectXbrlFilings(connection: DuckDBConnection): Promise<Map<number, XbrlFiling>> {
  const filings = await readRows(
    connection,
    `SELECT vintage, cik, accession, arcs_authored FROM xbrl_filing JOIN in_force USING (cik, accession)
    ORDER BY vintage`,
  );
  if (filings.length === 0) return new Map();
  const names = { loan: loanMember.source, pledge: pledgeConcept.source };
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
          arcs: arcs.get(vintage) ?? [],
          ...(row['arcs_authored'] === true ? { arcsAuthored: true as const } : {}),
          presentations: presentations(shown.get(vintage) ?? []),
          roles: roles.get(vintage) ?? [],
          concepts: concepts.get(vintage) ?? [],
          defects: defects.get(vintage) ?? [],
        },
      ];
    }),
  );
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
    dimensions: (row['dimensions'] as Dimension[]).map(({ axis, member, typed }) => ({
      axis,
      member,
      typed,
    })),
    ...(position === null ? {} : { position }),
  };
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
