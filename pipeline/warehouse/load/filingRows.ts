import type { FilingDefect, InstanceFact, XbrlFiling } from '../../../calculators/filing/xbrlFiling.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { isCivilDate } from '../../../data/contract/values/primitives.ts';
import { type RowRecord, rowBatches } from '../build/insertRows.ts';

/** The tables a filing's contents go to. */
export const filingTables = [
  'instance_fact',
  'calculation_arc',
  'named_line',
  'term_fact',
  'presentation_concept',
  'link_role',
  'concept_declaration',
] as const;

/** A filing's contents as insertable texts, small enough to cross from a worker thread. */
export type RowBatches = {
  readonly batches: Readonly<Record<(typeof filingTables)[number], readonly string[]>>;
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
  const head = { input, cik: filing.cik, accession: filing.accession };
  const facts: RowRecord[] = [];
  const refused = { value: 0, date: 0, weight: 0 };
  const isDay = civilDays();
  for (const fact of filing.facts) {
    const value = fact.value === null ? null : stored(fact.value);
    if (!isDay(fact.end) || (fact.start !== null && !isDay(fact.start))) refused.date += 1;
    else if (value !== null && !Number.isFinite(value.double)) refused.value += 1;
    else facts.push({ ...head, ...factRow(fact, value) });
  }
  const arcs: RowRecord[] = [];
  for (const { from: parent, to: child, order, ...arc } of filing.arcs) {
    const weight = stored(arc.weight);
    if (!Number.isFinite(weight.double) || !Number.isFinite(order)) refused.weight += 1;
    else {
      const numbers = { weight: weight.double, weight_exact: weight.exact, arc_order: order };
      arcs.push({ ...head, ...arc, parent, child, ...numbers });
    }
  }
  const shown = filing.presentations.flatMap(({ role, concepts }) =>
    concepts.map((concept, index) => ({ ...head, role, position: index + 1, concept })),
  );
  const named = (filing.namedLines ?? [])
    .filter(({ end }) => isDay(end))
    .flatMap(({ concept, end, lines }) =>
      lines.map((line, index) => ({ ...head, concept, end_date: end, position: index + 1, line })),
    );
  const terms = (filing.terms ?? [])
    .filter(({ start, end }) => isDay(end) && (start === null || isDay(start)))
    .map((term) => ({ ...head, ...inColumns(term) }));
  const concepts = filing.concepts.map(({ isMonetary, periodType, isAbstract, ...declared }) => ({
    ...{ ...head, ...declared },
    ...{ is_monetary: isMonetary, period_type: periodType, is_abstract: isAbstract },
  }));
  return {
    batches: {
      instance_fact: [...rowBatches(facts)],
      calculation_arc: [...rowBatches(arcs)],
      named_line: [...rowBatches(named)],
      term_fact: [...rowBatches(terms)],
      presentation_concept: [...rowBatches(shown)],
      link_role: [...rowBatches(filing.roles.map((role) => ({ ...head, ...role })))],
      concept_declaration: [...rowBatches(concepts)],
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

function factRow({ decimals, ...fact }: InstanceFact, value: Stored | null): RowRecord {
  return {
    ...{ ...inColumns(fact), value: value?.double, value_exact: value?.exact },
    decimals: decimals === null ? null : String(decimals),
  };
}

function inColumns<T extends Reported>({ contextId, start, end, ...said }: T) {
  return { ...said, context_id: contextId, start_date: start, end_date: end };
}

type Reported = Pick<InstanceFact, 'contextId' | 'start' | 'end'>;

function counted(part: FilingDefect['part'], count: number, what: string): FilingDefect[] {
  return count === 0 ? [] : [{ part, reason: `${count} × ${what}`, state: 'unusable' }];
}
