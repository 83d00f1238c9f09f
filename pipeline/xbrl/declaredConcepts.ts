import type { ConceptDeclaration } from '../../calculators/filing/xbrlFiling.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { FilingDefects } from './filingDefects.ts';
import type { ElementDeclaration, SchemaDocument } from './schemaReader.ts';

const monetary = /^(?:xbrli:monetaryItemType|(?:dtr-types|num):\w*[mM]onetaryItemType)$/;
const maxDerivations = 32;

/** Items the schemas declare, sorted by name; typed-member domains and tuples are none. */
export function declaredConcepts({
  schemas,
  labels,
  defects,
}: {
  schemas: readonly SchemaDocument[];
  labels: ReadonlyMap<string, string>;
  defects: FilingDefects;
}): ConceptDeclaration[] {
  const derivations = new Map(schemas.flatMap((schema) => [...schema.derivations]));
  const concepts = new Map<string, ConceptDeclaration>();
  for (const element of schemas.flatMap((schema) => schema.elements)) {
    if (element.substitutionGroup === null || element.substitutionGroup === 'xbrli:tuple') continue;
    const declaration = declarationOf(element, derivations, labels);
    if (declaration === null)
      defects.count('schema', 'elements without a usable periodType', element.concept);
    else if (!concepts.has(element.concept)) concepts.set(element.concept, declaration);
    // a line that is no amount any more would leave debt or coins without a word
    if (declaration !== null && element.balance !== null && !isBalanced(declaration))
      defects.count('schema', 'elements with a balance that is not of an amount', element.concept);
  }
  return [...concepts.values()].sort((a, b) => compareText(a.concept, b.concept));
}

/** Debit or credit of an amount, as XBRL 2.1 has it (5.1.1.2). */
function isBalanced({ balance, isMonetary: isAmount }: ConceptDeclaration): boolean {
  return balance !== null && isAmount;
}

function declarationOf(
  element: ElementDeclaration,
  derivations: ReadonlyMap<string, string>,
  labels: ReadonlyMap<string, string>,
): ConceptDeclaration | null {
  const { concept, periodType, balance, isAbstract } = element;
  if (periodType !== 'instant' && periodType !== 'duration') return null;
  return {
    concept,
    type: element.type ?? '',
    isMonetary: isMonetary(element.type, derivations),
    periodType,
    balance: balance === 'debit' || balance === 'credit' ? balance : null,
    isAbstract,
    label: labels.get(concept) ?? null,
  };
}

function isMonetary(type: string | null, derivations: ReadonlyMap<string, string>): boolean {
  let at = type;
  // a cyclic derivation ends here too
  for (let i = 0; i < maxDerivations && at !== null; i += 1) {
    if (monetary.test(at)) return true;
    at = derivations.get(at) ?? null;
  }
  return false;
}
