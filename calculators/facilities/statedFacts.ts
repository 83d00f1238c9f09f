import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { chooseDuplicate } from '../filing/chooseDuplicate.ts';
import type { InstanceFact } from '../filing/xbrlFiling.ts';

/** A fact with a value; of consistent duplicates the most precise. */
export type StatedFact = Omit<InstanceFact, 'value'> & {
  readonly value: ExactDecimal;
  /** Concept, unit, period and members: facts of one identity say the same or contradict each other. */
  readonly identity: string;
};

/** The facts of an instance with a value, duplicates once; those that contradict each other all stay (M1.8). */
export function statedFacts(facts: readonly InstanceFact[]): readonly StatedFact[] {
  const groups = new Map<string, [InstanceFact, ...InstanceFact[]]>();
  for (const fact of facts) {
    const identity = identityOf(fact);
    const group = groups.get(identity);
    if (group === undefined) groups.set(identity, [fact]);
    else group.push(fact);
  }
  return [...groups].flatMap(([identity, group]) => {
    const chosen = chooseDuplicate(group);
    if (chosen.kind === 'nil') return [];
    if (chosen.kind === 'fact') return [{ ...chosen.fact, value: chosen.value, identity }];
    return group.flatMap((fact) => (fact.value === null ? [] : [{ ...fact, value: fact.value, identity }]));
  });
}

function identityOf({ concept, unit, start, end, dimensions }: InstanceFact): string {
  const members = dimensions.map(({ axis, member }) => `${axis}=${member}`).sort(compareText);
  return [concept, unit, start ?? '', end, ...members].join(' ');
}

/** The one value several facts state; null when there is none or they differ. */
export function agreedValue(facts: readonly StatedFact[]): ExactDecimal | null {
  const [first, ...rest] = facts;
  if (first === undefined || rest.some(({ value }) => !value.equals(first.value))) return null;
  return first.value;
}
