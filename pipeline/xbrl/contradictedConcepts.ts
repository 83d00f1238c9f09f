import type {
  CalculationArc,
  ConceptDeclaration,
  InstanceFact,
} from '../../calculators/filing/xbrlFiling.ts';
import type { FilingDefects } from './filingDefects.ts';
import { isStandardPrefix } from './xbrlNamespaces.ts';

/** What the ends of a balance sheet are in every taxonomy; the side of what is below follows from the weights. */
const sides: readonly (readonly [string, 'debit' | 'credit'])[] = [
  ['us-gaap:Assets', 'debit'],
  ['us-gaap:AssetsCurrent', 'debit'],
  ['us-gaap:Liabilities', 'credit'],
  ['us-gaap:LiabilitiesCurrent', 'credit'],
  ['us-gaap:LiabilitiesAndStockholdersEquity', 'credit'],
  ['ifrs-full:Assets', 'debit'],
  ['ifrs-full:EquityAndLiabilities', 'credit'],
];

/**
 * Holds the filer's own concepts against facts and arcs: a schema that does not declare what its instance states,
 * declares another period type for it, or a side of the balance sheet that its weight forbids (XBRL 2.1 §5.1.1.2) is
 * not the schema of that filing. Concepts of published taxonomies pass.
 */
export function contradictedConcepts({
  facts,
  arcs,
  concepts,
  defects,
}: {
  facts: readonly InstanceFact[];
  arcs: readonly CalculationArc[];
  concepts: readonly ConceptDeclaration[];
  defects: FilingDefects;
}): void {
  const declared = new Map(concepts.map((concept) => [concept.concept, concept]));
  const seen = new Set<string>();
  for (const { concept, start } of facts) {
    const stated = start === null ? 'instant' : 'duration';
    const [prefix = ''] = concept.split(':');
    if (isStandardPrefix(prefix) || seen.has(`${concept} ${stated}`)) continue;
    seen.add(`${concept} ${stated}`);
    const found = declared.get(concept);
    if (found === undefined) defects.count('schema', 'concepts stated and not declared', concept);
    else if (found.periodType !== stated)
      defects.count(
        'schema',
        `concepts declared for a ${found.periodType} and stated for a ${stated}`,
        concept,
      );
  }
  const balances = balancesByArcs(arcs);
  for (const { concept, balance } of concepts) {
    const side = balances.get(concept);
    if (balance !== null && side !== undefined && side !== balance)
      defects.count('schema', `concepts declared as ${balance} and added up as ${side}`, concept);
  }
}

/** Debit or credit of each concept below the ends of a balance sheet, by the weights on the way to it. */
function balancesByArcs(arcs: readonly CalculationArc[]): ReadonlyMap<string, 'debit' | 'credit'> {
  const below = Map.groupBy(arcs, ({ from }) => from);
  const balances = new Map(sides);
  const queue = sides.map(([concept]) => concept);
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const own = balances.get(at);
    for (const { to, weight } of below.get(at) ?? []) {
      if (own === undefined || weight.sign === 0 || balances.has(to)) continue;
      const isSame = weight.sign > 0;
      balances.set(to, isSame === (own === 'debit') ? 'debit' : 'credit');
      queue.push(to);
    }
  }
  return balances;
}
