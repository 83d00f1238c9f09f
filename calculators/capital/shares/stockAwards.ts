import { compareText } from '../../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { divide, exactly, rounded } from '../../exact/fraction.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { absentFigure, type Figure, figureOf } from '../figure.ts';
import { membersKey } from '../filedAmounts.ts';
import type { OptionGroup } from '../parts.ts';
import { ofShortest } from './shareCounts.ts';
import { agrees, type FactIndex, isAtPeriod, roundingOf, statedValue } from './statedFigure.ts';

const arrangement = 'ShareBasedCompensationArrangementByShareBasedPaymentAward';
const optionCount = `${arrangement}OptionsOutstandingNumber`;
const optionPrice = `${arrangement}OptionsOutstandingWeightedAverageExercisePrice`;
const unitCounts = [
  `${arrangement}EquityInstrumentsOtherThanOptionsNonvestedNumber`,
  // RIOT, BMNR and CLSK file units under the older name for options that have not vested
  'SharebasedCompensationArrangementBySharebasedPaymentAwardOptionsNonvestedNumberOfShares',
];
const options = /Options?(?![a-z])/;
/** Kinds of awards that are no options: restricted, performance, appreciation rights. */
const otherAward = /(Restricted|Performance|Phantom|Deferred|Appreciation|Rsu|RSU|Rsa|RSA|Warrant)/;
/** Shares with restrictions are issued when they are granted; units become shares when they vest. */
const issuedAward =
  /(Rsas?(?![a-z])|RSAs?(?![a-z])|RestrictedStockAwards?|RestrictedAwards?|RestrictedShares|^RestrictedStockMember$|^RestrictedMember$)/;
const unitWord = /(Units?|RSU|Rsu|PSU|Psu|Performance(Shares?|Stock))/;

export type Options = {
  readonly total: Figure;
  readonly price: Figure;
  readonly groups: readonly OptionGroup[];
};

/** Options outstanding (M18.45): those that a member names options, else of the whole entity, else of each plan. */
export function stockOptions(index: FactIndex, period: string): Options {
  const counts = sharesAt(index(optionCount), period);
  const prices = index(optionPrice).filter((fact) => isAtPeriod(fact, period));
  const named = fewestMembers(
    counts.filter(({ dimensions }) => dimensions.some(({ member }) => options.test(localName(member)))),
  );
  const whole = counts.filter(({ dimensions }) => dimensions.length === 0);
  const others = fewestMembers(
    counts.filter(
      ({ dimensions }) =>
        dimensions.length > 0 && !dimensions.some(({ member }) => otherAward.test(localName(member))),
    ),
  );
  const groupsOf = (facts: readonly StatedFact[]) =>
    facts.map((fact) => ({ count: statedValue([fact], 'options'), price: priceOf(fact, prices) }));
  const members = distinctMembers(named);
  if (members.length > 0 && !isScaleError(members, whole))
    return optionsOf(pricedByWhole(groupsOf(members), { whole, prices }));
  if (whole.length > 1)
    return { total: absentFigure('conflict', { facts: whole }), price: absentFigure('conflict'), groups: [] };
  const [total] = whole;
  if (total === undefined) return optionsOf(groupsOf(distinctMembers(others)));
  const beside = distinctMembers(others);
  const apart = [total, ...beside];
  // GAME: what is named by no member and what is priced in another currency, together the antidilutive amount
  if (beside.length > 0 && addUpToAntidilutive(index, period, apart))
    return optionsOf(groupsOf(apart), 'proven');
  return optionsOf(groupsOf([total]));
}

/** MEIP filed 1,447,127 options of the entity and the same times a thousand under a member. */
function isScaleError(members: readonly StatedFact[], [whole]: readonly StatedFact[]): boolean {
  if (whole === undefined || whole.value.sign <= 0) return false;
  const sum = sumOf(members.map(({ value }) => value));
  return ['1000', '1000000'].some((factor) => sum.equals(whole.value.times(ExactDecimal.parse(factor))));
}

/** The one group of options has the price of the entity where the entity has no other options. */
function pricedByWhole(
  groups: readonly OptionGroup[],
  { whole, prices }: { readonly whole: readonly StatedFact[]; readonly prices: readonly StatedFact[] },
): readonly OptionGroup[] {
  const [only, ...rest] = groups;
  if (only === undefined || rest.length > 0 || only.price.value !== null) return groups;
  const price = statedValue(
    prices.filter(({ dimensions, unit }) => dimensions.length === 0 && unit === 'USD/shares'),
    'weighted_average_price',
  );
  const isSame = whole.every(
    ({ value }) => only.count.value !== null && agrees(value, only.count.value, roundingOf(whole)),
  );
  return price.value !== null && isSame ? [{ count: only.count, price }] : groups;
}

function optionsOf(groups: readonly OptionGroup[], status: 'stated' | 'proven' = 'stated'): Options {
  const counts = groups.flatMap(({ count }) => (count.value === null ? [] : [count.value]));
  if (counts.length === 0)
    return { total: absentFigure('not_filed'), price: absentFigure('not_filed'), groups: [] };
  const facts = groups.flatMap(({ count }) => count.facts);
  const total: Figure = figureOf(sumOf(counts), { basis: 'options', facts, status });
  const [only] = groups;
  if (groups.length === 1 && only !== undefined) return { total, price: only.price, groups };
  const paid = groups.flatMap(({ count, price }) =>
    count.value === null || price.value === null ? [] : [count.value.times(price.value)],
  );
  if (paid.length < groups.length || total.value.sign === 0)
    return { total, price: absentFigure('missing', { part: 'option price' }), groups };
  const value = rounded(divide(exactly(sumOf(paid)), exactly(total.value)), 4);
  const priced = groups.flatMap(({ price }) => price.facts);
  return { total, price: figureOf(value, { basis: 'weighted', facts: priced, status }), groups };
}

function priceOf(count: StatedFact, prices: readonly StatedFact[]): Figure {
  const own = prices.filter((price) => sameMembers(price, count));
  const [first] = own;
  if (first !== undefined && first.unit !== 'USD/shares')
    return absentFigure('not_applicable', { part: first.unit, facts: own });
  return statedValue(own, 'weighted_average_price');
}

/** Options, units and the like of the newest statement of what is antidilutive: a check, never a count. */
function addUpToAntidilutive(index: FactIndex, period: string, counts: readonly StatedFact[]): boolean {
  const units = unitFacts(index, period);
  const sets = [counts, [...counts, ...units.map(({ fact }) => fact)]];
  return index('AntidilutiveSecuritiesExcludedFromComputationOfEarningsPerShareAmount')
    .filter(({ start, end, dimensions }) => start !== null && end === period && dimensions.length === 1)
    .some((fact) =>
      sets.some((set) =>
        agrees(sumOf(set.map(({ value }) => value)), fact.value, roundingOf([...set, fact])),
      ),
    );
}

export type Units = { readonly units: Figure; readonly awards: Figure; readonly notes: readonly string[] };

/** Units that have not vested, the types added up, and apart from them the shares already issued with restrictions. */
export function restrictedUnits(index: FactIndex, period: string): Units {
  const found = unitFacts(index, period);
  const of = (kind: 'units' | 'awards') => {
    const facts = found.filter((one) => one.kind === kind).map(({ fact }) => fact);
    if (facts.length === 0) return absentFigure('not_filed');
    return figureOf(sumOf(facts.map(({ value }) => value)), { basis: 'sum_of_types', facts });
  };
  const whole = unitCounts
    .flatMap((name) => sharesAt(index(name), period))
    .filter(({ dimensions }) => dimensions.length === 0);
  const sum = sumOf(found.map(({ fact }) => fact.value));
  const [total] = whole;
  const [units, awards] = [of('units'), of('awards')];
  if (total === undefined) return { units, awards, notes: [] };
  const rounding = roundingOf([total, ...found.map(({ fact }) => fact)]);
  if (found.length === 0) return { units: statedValue(whole, 'total'), awards, notes: [] };
  if (agrees(total.value, sum, rounding)) {
    return { units: units.value === null ? units : { ...units, status: 'proven' }, awards, notes: [] };
  }
  if (total.value.compare(sum) < 0) return { units, awards, notes: [] };
  return {
    units: statedValue(whole, 'total'),
    awards,
    notes: [`units_unallocated:${total.value.minus(sum)}`],
  };
}

function unitFacts(
  index: FactIndex,
  period: string,
): readonly { readonly fact: StatedFact; readonly kind: 'units' | 'awards' }[] {
  const typed = unitCounts
    .flatMap((name) => sharesAt(index(name), period))
    .flatMap((fact) => {
      const names = fact.dimensions.map(({ member }) => localName(member));
      const type = names.find((name) => unitWord.test(name)) ?? names.find((name) => otherAward.test(name));
      if (type === undefined || names.some((name) => options.test(name) || /Warrant/.test(name))) return [];
      const kind = issuedAward.test(type) && !unitWord.test(type) ? ('awards' as const) : ('units' as const);
      return [{ fact, kind, type }];
    });
  return [...Map.groupBy(typed, ({ type }) => type).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const facts = distinctMembers(fewestMembers(group.map(({ fact }) => fact)));
    return facts.map((fact) => ({ fact, kind: first.kind }));
  });
}

/** True where the filing shows that it has options though no count of them is filed. */
export function hintsAt(
  index: FactIndex,
  { period, word }: { readonly period: string; readonly word: RegExp },
): boolean {
  const names = [
    'AntidilutiveSecuritiesExcludedFromComputationOfEarningsPerShareAmount',
    'IncrementalCommonSharesAttributableToShareBasedPaymentArrangements',
  ];
  const facts = names.flatMap((name) =>
    ofShortest(index(name).filter(({ start, end }) => start !== null && end === period)),
  );
  return facts.some(
    ({ concept, value, dimensions }) =>
      value.sign > 0 &&
      (dimensions.some(({ member }) => word.test(localName(member))) ||
        // awards of no kind named (TSLA)
        (dimensions.length === 0 && concept.endsWith('ShareBasedPaymentArrangements'))),
  );
}

/** Warrants in the table of awards (FG Nexus): counts with a member that names them. */
export function warrantsAmongAwards(index: FactIndex, period: string): readonly StatedFact[] {
  return [...unitCounts, optionCount].flatMap((name) =>
    sharesAt(index(name), period).filter(
      ({ dimensions: [only, ...rest] }) =>
        rest.length === 0 && only !== undefined && /Warrant/.test(localName(only.member)),
    ),
  );
}

export function sharesAt(facts: readonly StatedFact[], period: string): readonly StatedFact[] {
  return facts.filter((fact) => fact.unit === 'shares' && isAtPeriod(fact, period) && fact.value.sign >= 0);
}

/** The facts with the fewest members: what has more is a part of them. */
export function fewestMembers(facts: readonly StatedFact[]): readonly StatedFact[] {
  const fewest = Math.min(...facts.map(({ dimensions }) => dimensions.length));
  return facts.filter(({ dimensions }) => dimensions.length === fewest);
}

/** Facts of one member on two axes are one, the more precise. */
export function distinctMembers(facts: readonly StatedFact[]): readonly StatedFact[] {
  const groups = Map.groupBy(facts, ({ dimensions }) =>
    dimensions
      .map(({ member }) => member)
      .sort(compareText)
      .join(' '),
  );
  return [...groups.values()].flatMap((group) => group.toSorted((a, b) => finer(b) - finer(a)).slice(0, 1));
}

function finer({ decimals }: StatedFact): number {
  return typeof decimals === 'number' ? decimals : 100;
}

export function sameMembers(a: StatedFact, b: Pick<StatedFact, 'dimensions'>): boolean {
  return membersKey(a.dimensions) === membersKey(b.dimensions);
}
