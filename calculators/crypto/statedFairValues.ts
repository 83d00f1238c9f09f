import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { InstanceFact, XbrlFiling } from '../filing/xbrlFiling.ts';
import type { Concepts } from '../parameters/concepts.ts';
import { readsAsCoins } from './classifyCoins.ts';
import { fairValueTotal } from './fairValueTotals.ts';

/**
 * Fair values of coins that a filing states for the whole entity at the period end: by tag, by a name of its own, as the
 * levels of the fair-value hierarchy (M2.1c, M2.4c). Prices of one coin and amounts written down are none.
 */
export function statedFairValues({
  sheet,
  filing,
  concepts,
}: {
  readonly sheet: FactSheet;
  readonly filing: XbrlFiling | null;
  readonly concepts: Concepts;
}): readonly ExactDecimal[] {
  const stated = (filing?.facts ?? []).filter(
    (fact) =>
      fact.unit === 'USD' &&
      fact.start === null &&
      fact.end === sheet.period &&
      fact.value !== null &&
      !/per(bitcoin|ether|coin|token|unit)/i.test(fact.concept) &&
      !fact.dimensions.some(({ member }) => /nonrecurring/i.test(member)) &&
      namesCoins(fact, concepts),
  );
  const named = stated.flatMap(({ concept, value, dimensions }) =>
    value !== null && dimensions.length === 0 && /fair_?value/i.test(concept) ? [value] : [],
  );
  return [...(fairValueTotal(sheet)?.totals ?? []), ...named, ...levelSums(stated)];
}

function namesCoins({ concept, dimensions }: InstanceFact, concepts: Concepts): boolean {
  const members = dimensions.filter(({ typed }) => !typed).map(({ member }) => member);
  return [concept, ...members].some((name) => readsAsCoins(name, concepts));
}

/** Sums over the levels of the hierarchy, one a concept and what else it is broken down by. */
function levelSums(stated: readonly InstanceFact[]): ExactDecimal[] {
  const byLevel = stated.flatMap((fact) => {
    const level = fact.dimensions.find(({ member }) => isLevel(member));
    if (level === undefined) return [];
    const others = fact.dimensions.filter((dimension) => dimension !== level);
    const group = [fact.concept, ...others.map(({ axis, member }) => `${axis}=${member}`).sort()].join(' ');
    return [{ group, level: level.member, value: fact.value }];
  });
  return [...Map.groupBy(byLevel, ({ group }) => group).values()].map((found) =>
    sumOf(
      [...new Map(found.map(({ level, value }) => [level, value])).values()].filter(
        (value) => value !== null,
      ),
    ),
  );
}

/** `us-gaap:FairValueInputsLevel1Member`, or a filer's own `clsk:Level1Member`. */
function isLevel(member: string): boolean {
  return /:(FairValueInputs)?Level[123]Member$/.test(member);
}
