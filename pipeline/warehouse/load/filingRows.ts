import type {
  Dimension,
  FilingDefect,
  InstanceFact,
  XbrlFiling,
} from '../../../calculators/filing/xbrlFiling.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { isCivilDate } from '../../../data/contract/values/primitives.ts';
import { type Cell, rowBatches } from '../build/insertRows.ts';

const key = ['input', 'cik', 'accession'] as const;

/** The columns of the tables a filing's contents go to, in the order of the cells; a worker asks no build. */
export const filingTables = {
  instance_fact: [
    ...key,
    'concept',
    'context_id',
    'unit',
    'start_date',
    'end_date',
    'value',
    'value_exact',
    'decimals',
    'dimensions',
    'position',
  ],
  calculation_arc: [...key, 'role', 'parent', 'child', 'weight', 'weight_exact', 'arc_order', 'version'],
  named_line: [...key, 'concept', 'end_date', 'position', 'line'],
  term_fact: [...key, 'concept', 'context_id', 'value', 'start_date', 'end_date', 'dimensions'],
  presentation_concept: [...key, 'role', 'position', 'concept'],
  link_role: [...key, 'uri', 'definition'],
  concept_declaration: [
    ...key,
    'concept',
    'type',
    'is_monetary',
    'period_type',
    'balance',
    'is_abstract',
    'label',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type FilingTable = keyof typeof filingTables;

/** A filing's contents as insertable texts, small enough to cross from a worker thread. */
export type RowBatches = {
  readonly batches: Readonly<Record<FilingTable, readonly string[]>>;
  readonly factCount: number;
  readonly arcCount: number;
  readonly arcsAuthored: boolean;
  readonly reporting: XbrlFiling['reporting'] | null;
  readonly defects: readonly FilingDefect[];
};

/**
 * Writes a filing as rows of the tables of {@link filingTables}, kept under the name `input`.
 *
 * A value beyond the range of doubles, and a fact of a period that is no civil date, become defects, not rows.
 */
export function filingRows(filing: XbrlFiling, input: string): RowBatches {
  const head = [input, filing.cik, filing.accession] as const;
  const facts: Cell[][] = [];
  const refused = { value: 0, date: 0, weight: 0 };
  const isDay = civilDays();
  for (const fact of filing.facts) {
    const value = fact.value === null ? null : stored(fact.value);
    if (!isDay(fact.end) || (fact.start !== null && !isDay(fact.start))) refused.date += 1;
    else if (value !== null && !Number.isFinite(value.double)) refused.value += 1;
    else facts.push([...head, ...factCells(fact), ...valueCells(value), ...tailCells(fact)]);
  }
  const arcs: Cell[][] = [];
  for (const arc of filing.arcs) {
    const weight = stored(arc.weight);
    const { role, from, to, order, version } = arc;
    if (!Number.isFinite(weight.double) || !Number.isFinite(order)) refused.weight += 1;
    else arcs.push([...head, role, from, to, weight.double, weight.exact, order, version]);
  }
  const shown = filing.presentations.flatMap(({ role, concepts }) =>
    concepts.map((concept, index) => [...head, role, index + 1, concept]),
  );
  const named = (filing.namedLines ?? [])
    .filter(({ end }) => isDay(end))
    .flatMap(({ concept, end, lines }) =>
      lines.map((line, index) => [...head, concept, end, index + 1, line]),
    );
  const terms = (filing.terms ?? [])
    .filter(({ start, end }) => isDay(end) && (start === null || isDay(start)))
    .map(({ concept, contextId, value, start, end, dimensions }) => [
      ...[...head, concept, contextId, value, start, end],
      dimensionCells(dimensions),
    ]);
  const roles = filing.roles.map(({ uri, definition }) => [...head, uri, definition]);
  const concepts = filing.concepts.map((c) => [
    ...head,
    c.concept,
    c.type,
    c.isMonetary,
    c.periodType,
    c.balance,
    c.isAbstract,
    c.label,
  ]);
  return {
    batches: {
      instance_fact: [...rowBatches(filingTables.instance_fact, facts)],
      calculation_arc: [...rowBatches(filingTables.calculation_arc, arcs)],
      named_line: [...rowBatches(filingTables.named_line, named)],
      term_fact: [...rowBatches(filingTables.term_fact, terms)],
      presentation_concept: [...rowBatches(filingTables.presentation_concept, shown)],
      link_role: [...rowBatches(filingTables.link_role, roles)],
      concept_declaration: [...rowBatches(filingTables.concept_declaration, concepts)],
    },
    factCount: facts.length,
    arcCount: arcs.length,
    arcsAuthored: filing.arcsAuthored === true,
    reporting: filing.reporting ?? null,
    defects: [
      ...filing.defects,
      ...counted('instance', refused.value, 'fact has a value beyond the range of doubles'),
      ...counted('instance', refused.date, 'fact has a period that is no civil date'),
      ...counted('calculation', refused.weight, 'arc has a weight or order beyond the range of doubles'),
    ],
  };
}

type Stored = { readonly double: number; readonly exact: string | null };

function stored(value: ExactDecimal): Stored {
  const double = value.toNumber();
  if (!Number.isFinite(double)) return { double, exact: null };
  return { double, exact: ExactDecimal.fromNumber(double).equals(value) ? null : value.toString() };
}

/** Few distinct days are in many facts. */
function civilDays(): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const answer = known.get(text) ?? isCivilDate(text);
    known.set(text, answer);
    return answer;
  };
}

function factCells(fact: InstanceFact): Cell[] {
  return [fact.concept, fact.contextId, fact.unit, fact.start, fact.end];
}

function valueCells(value: Stored | null): Cell[] {
  return value === null ? [null, null] : [value.double, value.exact];
}

function tailCells({ decimals, dimensions, position }: InstanceFact): Cell[] {
  return [decimals === null ? null : String(decimals), dimensionCells(dimensions), position ?? null];
}

function dimensionCells(dimensions: readonly Dimension[]): Cell {
  return dimensions.map(({ axis, member, typed }) => ({ axis, member, typed }));
}

function counted(part: FilingDefect['part'], count: number, what: string): FilingDefect[] {
  return count === 0 ? [] : [{ part, reason: `${count} × ${what}`, state: 'unusable' }];
}
