import { ExactDecimal } from '../../contract/exactDecimal.ts';
import type { CalculationArc, ConceptDeclaration, InstanceFact, XbrlFiling } from '../xbrlFiling.ts';

const role = 'http://example.com/role/BalanceSheet';

/** The filing of {@link issuerInputs} unless told otherwise. */
const strategy = { cik: '0001050446', accession: '0001193125-25-262568', end: '2025-09-30' };

/**
 * A filing from an indented balance sheet, for tests: `Liabilities 100` reports, a name alone is an unreported total,
 * `nil` is nil, a leading `-` is weight −1. Each level of two blanks is an arc. Names without a prefix are us-gaap;
 * concepts with another prefix than us-gaap and srt are declared monetary, credit below liabilities, else debit.
 */
export function statementFiling(text: string, change: Partial<XbrlFiling> = {}): XbrlFiling {
  const facts: InstanceFact[] = [];
  const arcs: CalculationArc[] = [];
  const concepts = new Map<string, ConceptDeclaration>();
  const path: string[] = [];
  for (const [order, line] of text
    .split('\n')
    .filter((row) => row.trim() !== '')
    .entries()) {
    const [, indent = '', minus, name = '', value] = /^( *)(- )?(\S+)(?: +(\S+))?$/.exec(line) ?? [];
    const concept = name.includes(':') ? name : `us-gaap:${name}`;
    path.length = indent.length / 2;
    const from = path.at(-1);
    path.push(concept);
    if (from !== undefined)
      arcs.push(arc({ from, to: concept, weight: minus === undefined ? '1' : '-1', order }));
    if (value !== undefined) facts.push(fact({ concept, value }));
    if (/^(us-gaap|srt):/.test(concept)) continue;
    const balance = path.some((above) => /Liabilities/.test(above)) ? 'credit' : 'debit';
    concepts.set(concept, declaration(concept, { balance }));
  }
  return {
    ...{ cik: strategy.cik, accession: strategy.accession, facts, arcs, presentations: [] },
    roles: [{ uri: role, definition: '0000002 - Statement - Balance Sheets' }],
    concepts: [...concepts.values()],
    defects: [],
    ...change,
  };
}

/** A whole-entity fact at the balance-sheet date, USD with no decimals unless told otherwise. */
export function fact(
  o: { concept: string; value: string | number } & Partial<Omit<InstanceFact, 'concept' | 'value'>>,
): InstanceFact {
  const { value, concept, ...rest } = o;
  return {
    contextId: 'c1',
    unit: 'USD',
    decimals: value === 'nil' ? null : 0,
    start: null,
    end: strategy.end,
    dimensions: [],
    ...rest,
    concept: concept.includes(':') ? concept : `us-gaap:${concept}`,
    value: value === 'nil' ? null : ExactDecimal.parse(String(value)),
  };
}

/** A summation-item arc of the balance sheet unless another role is named. */
export function arc(o: {
  from: string;
  to: string;
  weight?: string;
  order?: number;
  role?: string;
}): CalculationArc {
  return {
    ...{ role: o.role ?? role, from: o.from, to: o.to, order: o.order ?? 1, version: '1.0' },
    weight: ExactDecimal.parse(o.weight ?? '1'),
  };
}

/** A monetary instant concept of the filer. */
export function declaration(concept: string, change: Partial<ConceptDeclaration> = {}): ConceptDeclaration {
  return {
    ...{ concept, type: 'xbrli:monetaryItemType', isMonetary: true, periodType: 'instant' },
    ...{ balance: 'credit', isAbstract: false, label: null, ...change },
  };
}
