import type { ExactDecimal } from '../../contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { InstanceFact } from '../filing/xbrlFiling.ts';
import { readsAsCoins } from './classifyCoins.ts';
import type { CryptoInputs } from './cryptoInputs.ts';
import { adoptedFairValue } from './fiscalYearStart.ts';

/**
 * True when the filing measures its coins at fair value: its fiscal year begins after the adoption day, or it states
 * that very amount as a fair value of coins at the period end (M2.1, M2.1c). Early adopters are known by the latter; coins
 * at cost less impairment are stated with another fair value, or with none.
 */
export function measuredAtFairValue(
  { sheet, filing, parameters }: Pick<CryptoInputs, 'sheet' | 'filing' | 'parameters'>,
  amount: ExactDecimal,
): boolean {
  if (adoptedFairValue(sheet, parameters)) return true;
  if (amount.sign <= 0) return false;
  const stated = (filing?.facts ?? []).filter(
    (fact) =>
      fact.unit === 'USD' &&
      fact.start === null &&
      fact.end === sheet.period &&
      fact.value !== null &&
      namesCoins(fact) &&
      !fact.dimensions.some(({ member }) => /nonrecurring/i.test(member)),
  );
  const isStated = stated.some(
    ({ concept, value, dimensions }) =>
      dimensions.length === 0 && /fair_?value/i.test(concept) && value?.equals(amount) === true,
  );
  return isStated || levelSums(stated).some((sum) => sum.equals(amount));
}

function namesCoins({ concept, dimensions }: InstanceFact): boolean {
  return readsAsCoins(concept) || dimensions.some(({ member, typed }) => !typed && readsAsCoins(member));
}

/** Sums over the levels of the fair-value hierarchy, one a concept and what else it is broken down by. */
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
