import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { assetOf } from '../assets/classifyCoins.ts';
import { chooseDuplicate } from '../filing/chooseDuplicate.ts';
import type { Dimension, InstanceFact } from '../filing/xbrlFiling.ts';
import type { Concepts } from '../parameters/concepts.ts';

/** A fact with a value; of consistent duplicates the most precise. */
export type StatedFact = Omit<InstanceFact, 'value'> & {
  readonly value: ExactDecimal;
  /** Its concept names coins. */
  readonly namesCoins: boolean;
  /** It is about coins, by its concept, unit or axis. */
  readonly isOfCoins: boolean;
  /** The coin that its member, its unit or its concept names; null when they name none. */
  readonly asset: string | null;
  /** Concept, unit, period and members: facts of one identity say the same or contradict each other. */
  readonly identity: string;
};

/** The facts of an instance with a value, duplicates once; those that contradict each other all stay (M1.8). */
export function statedFacts(facts: readonly InstanceFact[], concepts: Concepts): readonly StatedFact[] {
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
    const stated = chosen.kind === 'fact' ? [{ ...chosen.fact, value: chosen.value }] : group;
    return stated.flatMap((fact) => {
      const { value } = fact;
      return value === null ? [] : [{ ...fact, value, identity, ...coinOf(fact, concepts) }];
    });
  });
}

function coinOf({ concept, unit, dimensions }: InstanceFact, concepts: Concepts) {
  const member = dimensions.find(({ axis }) => axis.endsWith(':CryptoAssetAxis'))?.member;
  const names = [...(member === undefined ? [] : [member]), unit, concept];
  const [asset = null] = names.flatMap((name) => assetOf(name, concepts) ?? []);
  const isNamed = namesCoins(localName(concept), concepts);
  return {
    namesCoins: isNamed,
    isOfCoins: isNamed || namesCoins(unit, concepts) || member !== undefined,
    asset,
  };
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

const coinWord =
  /(bitcoin|crypto|digital_?asset|digital_?currenc|ether|solana|litecoin|stable_?coin|treasury_?asset)/i;

export function localName(qname: string): string {
  return qname.slice(qname.indexOf(':') + 1);
}

export function isSubsequentMember({ axis, member }: Dimension): boolean {
  return axis.endsWith(':SubsequentEventTypeAxis') && localName(member) === 'SubsequentEventMember';
}

export function namesCoins(text: string, concepts: Concepts): boolean {
  return coinWord.test(text) || assetOf(text, concepts) !== null;
}

/** True for a quantity that is no money, ratio, share count or price. */
export function isQuantity({ unit }: Pick<InstanceFact, 'unit'>): boolean {
  return !/^([A-Z]{3}|pure|shares|Year|Segment)$/.test(unit) && !unit.includes('/');
}

/** The facts of the newest day. */
export function newestFacts(facts: readonly StatedFact[]): StatedFact[] {
  const day = newestDay(facts);
  return facts.filter(({ end }) => end === day);
}

/** Empty without facts. */
export function newestDay(facts: readonly { readonly end: string }[]): string {
  return facts.reduce((last, { end }) => (end > last ? end : last), '');
}
