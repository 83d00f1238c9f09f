import { compareText } from '../../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { isSubsequentMember, localName, newestFacts, type StatedFact } from '../../crypto/statedFacts.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { TermFact } from '../../filing/xbrlFiling.ts';
import { absentFigure, type Figure, figureOf } from '../figure.ts';
import type { Warrant } from '../parts.ts';
import { ofShortest } from './shareCounts.ts';
import { agrees, type FactIndex, roundingOf, statedValue, wordsOf } from './statedFigure.ts';
import { sameMembers, sharesAt, warrantsAmongAwards } from './stockAwards.ts';

const outstandingConcept = 'ClassOfWarrantOrRightOutstanding';
const callableConcept = 'ClassOfWarrantOrRightNumberOfSecuritiesCalledByWarrantsOrRights';
const priceConcept = 'ClassOfWarrantOrRightExercisePriceOfWarrantsOrRights1';
const expiryConcept = 'WarrantsAndRightsOutstandingMaturityDate';
const prefundedWord = /Pre-?[Ff]unded/;
/** Paid for but for this much a share. */
const prefundedMax = ExactDecimal.parse('0.01');
/** A total that far from what is antidilutive counts warrants that call a part of a share each (CLSK's of GRIID). */
const antidilutiveFactor = 5;
const cents = /^[A-Z]{3}\/shares$/;

export type Warrants = {
  readonly classes: readonly Warrant[];
  /** Neither prefunded nor expired. */
  readonly total: Figure;
  readonly prefunded: Figure;
  /** What is filed elsewhere of all warrants contradicts the count. */
  readonly isContradicted: boolean;
  readonly notes: readonly string[];
};

/** Warrants at the period end, by class (M18.45). */
export function warrantsAt({
  index,
  terms,
  period,
}: {
  readonly index: FactIndex;
  readonly terms: readonly TermFact[];
  readonly period: string;
}): Warrants {
  const against = antidilutiveWarrants(index, period);
  const found = classFacts(index, { period, check: against });
  const prices = index(priceConcept).filter(
    (fact) => fact.end <= period && !fact.dimensions.some(isSubsequentMember),
  );
  const classes = found.classes.map((fact) =>
    warrantOf(fact, { prices, terms, period, classes: found.classes }),
  );
  const prefunded = classes.filter(({ isPrefunded }) => isPrefunded);
  const rest = classes.filter(({ isPrefunded }) => !isPrefunded);
  const check = checkedTotal({ check: against, found, classes, rest });
  return {
    classes,
    total: check.total,
    isContradicted: check.total.value === null && check.total.reason === 'conflict',
    prefunded:
      prefunded.length === 0
        ? absentFigure('not_filed')
        : {
            ...sumOfCounts(prefunded, 'prefunded'),
            ...(found.isClosed ? { status: 'proven' as const } : {}),
          },
    notes: [
      ...check.notes,
      ...classes.flatMap(({ id, expires, count }) =>
        expires.value !== null && count.value?.sign === 0 ? [`warrants_expired:${id} ${expires.value}`] : [],
      ),
    ],
  };
}

type ClassFacts = {
  readonly classes: readonly StatedFact[];
  /** Of the whole entity; null where none is filed. */
  readonly whole: StatedFact | null;
  /** The classes add up to it, or to what is antidilutive. */
  readonly isClosed: boolean;
};

/**
 * The classes that add up: with the shares that warrants call, which a sentence about an issue states as well, only
 * where the sum proves that they are outstanding (NXTT files 294 M of warrants exercised on the day of issue).
 */
function classFacts(
  index: FactIndex,
  { period, check }: { readonly period: string; readonly check: Check | null },
): ClassFacts {
  const isWhole = ({ value }: StatedFact) => value.scale === 0;
  const outstanding = sharesAt(index(outstandingConcept), period).filter(isWhole);
  const [whole = null] = outstanding.filter(({ dimensions }) => dimensions.length === 0);
  const named = finestParts(outstanding.filter(({ dimensions }) => dimensions.length > 0));
  const callable = finestParts(
    sharesAt(index(callableConcept), period).filter((fact) => isWhole(fact) && namesWarrants(fact)),
  );
  const all = [...named, ...callable.filter((fact) => !named.some((one) => sharesMember(one, fact)))];
  const closed = [named, all, finestParts(warrantsAmongAwards(index, period))].find(
    (facts) => facts.length > 0 && check !== null && isAntidilutive(facts, check),
  );
  if (closed !== undefined) return { classes: closed, whole, isClosed: true };
  const isSum = (facts: readonly StatedFact[]) =>
    whole !== null &&
    facts.length > 0 &&
    agrees(sumOf(facts.map(({ value }) => value)), whole.value, roundingOf([whole, ...facts]));
  const summed = [named, all].find(isSum);
  if (summed !== undefined) return { classes: summed, whole, isClosed: true };
  if (named.length > 0) return { classes: named, whole, isClosed: false };
  return { classes: whole === null ? [] : [whole], whole: null, isClosed: false };
}

function isAntidilutive(facts: readonly StatedFact[], check: Check): boolean {
  const dear = facts.filter(
    ({ dimensions }) => !dimensions.some(({ member }) => prefundedWord.test(localName(member))),
  );
  const sum = sumOf(dear.map(({ value }) => value));
  if (sum.sign <= 0) return false;
  // a slip of scale confirms too (RIOT 63,000,000 of 63,000)
  return ['1', '1000', '0.001'].some((factor) =>
    agrees(sum.times(ExactDecimal.parse(factor)), check.value, roundingOf(check.facts)),
  );
}

/** Not a sale of stock or units, nor common stock issued on exercise. */
function namesWarrants({ dimensions }: StatedFact): boolean {
  return dimensions.some(
    ({ axis, member }) =>
      !/(SaleOfStock|TypeOfArrangement)/.test(axis) && !/:(CommonStock|CommonClass[A-Z])Member$/.test(member),
  );
}

function sharesMember(a: StatedFact, b: StatedFact): boolean {
  return a.dimensions.some(({ member }) => b.dimensions.some((one) => one.member === member));
}

/**
 * Of a class and its parts only the parts where they add up to it, else only the class; one set of members on several
 * axes is one class.
 */
function finestParts(facts: readonly StatedFact[]): readonly StatedFact[] {
  const once = [
    ...Map.groupBy(facts, ({ dimensions }) =>
      dimensions
        .map(({ member }) => member)
        .sort(compareText)
        .join(' '),
    ).values(),
  ].flatMap((group) => group.slice(0, 1));
  const isPart = (part: StatedFact, of: StatedFact) =>
    part.dimensions.length > of.dimensions.length &&
    of.dimensions.every(({ member }) => part.dimensions.some((one) => one.member === member));
  const dropped = new Set<StatedFact>();
  for (const fact of once) {
    const parts = once.filter((one) => isPart(one, fact));
    if (parts.length === 0) continue;
    const sum = sumOf(parts.map(({ value }) => value));
    if (agrees(sum, fact.value, roundingOf([fact, ...parts]))) dropped.add(fact);
    else for (const part of parts) dropped.add(part);
  }
  return once.filter((fact) => !dropped.has(fact)).toSorted((a, b) => compareText(idOf(a), idOf(b)));
}

function idOf({ dimensions }: Pick<StatedFact, 'dimensions'>): string {
  const members = dimensions.map(({ member }) => localName(member).replace(/Member$/, ''));
  return members.length === 0 ? 'warrants' : members.sort(compareText).join('+');
}

function warrantOf(
  fact: StatedFact,
  {
    prices,
    terms,
    period,
    classes,
  }: {
    readonly prices: readonly StatedFact[];
    readonly terms: readonly TermFact[];
    readonly period: string;
    readonly classes: readonly StatedFact[];
  },
): Warrant {
  const filed = statedValue([fact], fact.concept.endsWith(outstandingConcept) ? 'outstanding' : 'callable');
  const exercisePrice = priceOf(fact, prices);
  const expires = expiryOf(fact, { terms, isOnly: classes.length === 1 });
  const isExpired = expires.value !== null && expires.value <= period;
  const isPaid = exercisePrice.value !== null && exercisePrice.value.compare(prefundedMax) <= 0;
  const isNamedSo = fact.dimensions.some(({ member }) => prefundedWord.test(localName(member)));
  return {
    id: idOf(fact),
    name:
      fact.dimensions.length === 0
        ? 'Warrants'
        : fact.dimensions.map(({ member }) => wordsOf(member)).join(', '),
    filed,
    count:
      isExpired && filed.value !== null ? { ...filed, value: ExactDecimal.zero, basis: 'expired' } : filed,
    exercisePrice,
    expires,
    isPrefunded: isPaid || (isNamedSo && exercisePrice.value === null),
  };
}

/** The newest price of the class; of no class where only one is filed. */
function priceOf(count: StatedFact, prices: readonly StatedFact[]): Figure {
  const own = prices.filter((price) => sameMembers(price, count));
  const isNamedPrefunded = count.dimensions.some(({ member }) => prefundedWord.test(localName(member)));
  const general = prices.filter(({ dimensions }) =>
    dimensions.every(({ member }) =>
      /^(Warrant|CommonClass[A-Z]|CommonStock)Member$/.test(localName(member)),
    ),
  );
  const used = newestFacts(own.length > 0 ? own : isNamedPrefunded ? [] : general);
  const [first] = used;
  if (first === undefined) return absentFigure('not_filed');
  if (!cents.test(first.unit)) return absentFigure('conflict', { part: first.unit, facts: used });
  if (first.unit !== 'USD/shares') return absentFigure('not_applicable', { part: first.unit, facts: used });
  return statedValue(used, own.length > 0 ? 'exercise_price' : 'only_exercise_price');
}

function expiryOf(
  count: StatedFact,
  { terms, isOnly }: { readonly terms: readonly TermFact[]; readonly isOnly: boolean },
): Figure<string> {
  const dates = terms.filter(
    ({ concept, value }) => localName(concept) === expiryConcept && /^\d{4}-\d{2}-\d{2}$/.test(value),
  );
  const own = dates.filter((term) => sameMembers(count, term));
  const used = own.length > 0 || !isOnly ? own : dates;
  const values = [...new Set(used.map(({ value }) => value))];
  const [value] = values;
  if (value === undefined) return absentFigure('not_filed');
  if (values.length > 1) return absentFigure('conflict');
  return figureOf(value, { basis: 'filed_date', facts: used.map((term) => ({ ...term, unit: null })) });
}

/** The count of all classes: proven where they add up to a filed total or to what is antidilutive. */
function checkedTotal({
  check,
  found: { whole, isClosed, classes: facts },
  classes,
  rest,
}: {
  readonly check: Check | null;
  readonly found: ClassFacts;
  readonly classes: readonly Warrant[];
  readonly rest: readonly Warrant[];
}): { readonly total: Figure; readonly notes: readonly string[] } {
  const total = rest.length === 0 ? absentFigure('not_filed') : sumOfCounts(rest, 'sum_of_classes');
  const isFarOff = (value: ExactDecimal) => {
    const against =
      check === null || check.value.sign <= 0 ? null : value.toNumber() / check.value.toNumber();
    return (
      against !== null && value.sign > 0 && (against > antidilutiveFactor || against < 1 / antidilutiveFactor)
    );
  };
  if (whole !== null && !isClosed) {
    const notes = [`warrants_unallocated:${whole.value.minus(sumOf(facts.map(({ value }) => value)))}`];
    const differs = isFarOff(whole.value);
    if (differs && check !== null) {
      return {
        total: absentFigure('conflict', { part: 'warrants', facts: [whole, ...check.facts] }),
        notes: [...notes, `warrants_differ:${check.value} antidilutive`],
      };
    }
    const prefunded = classes.filter(({ isPrefunded }) => isPrefunded);
    const paid = sumOf(prefunded.flatMap(({ count }) => (count.value === null ? [] : [count.value])));
    const others = whole.value.minus(paid);
    const value = others.sign < 0 ? ExactDecimal.zero : others;
    const figure = figureOf(value, { basis: 'total', facts: [whole] });
    return { total: figure, notes: facts.length === 0 ? [] : notes };
  }
  if (total.value === null) return { total, notes: [] };
  const filed = sumOf(rest.flatMap(({ filed: each }) => (each.value === null ? [] : [each.value])));
  if (isClosed) return { total: { ...total, status: 'proven' }, notes: [] };
  if (!isFarOff(filed) || check === null) return { total, notes: [] };
  return {
    total: absentFigure('conflict', { part: 'warrants', facts: [...facts, ...check.facts] }),
    notes: [`warrants_differ:${check.value} antidilutive`],
  };
}

function sumOfCounts(classes: readonly Warrant[], basis: string): Figure & { readonly value: ExactDecimal } {
  const counts = classes.flatMap(({ count }) => (count.value === null ? [] : [count.value]));
  return figureOf(sumOf(counts), { basis, facts: classes.flatMap(({ count }) => count.facts) });
}

/** What the filing says of all warrants elsewhere. */
type Check = { readonly value: ExactDecimal; readonly facts: readonly StatedFact[] };

/** Warrants too dear to dilute, as the newest quarter states them: nothing is counted by it. */
export function antidilutiveWarrants(index: FactIndex, period: string): Check | null {
  const facts = ofShortest(
    index('AntidilutiveSecuritiesExcludedFromComputationOfEarningsPerShareAmount').filter(
      ({ start, end, dimensions: [only, ...rest] }) =>
        start !== null &&
        end === period &&
        rest.length === 0 &&
        only !== undefined &&
        /Warrants?(?![a-z])/.test(localName(only.member)) &&
        !prefundedWord.test(localName(only.member)),
    ),
  );
  return facts.length === 0 ? null : { value: sumOf(facts.map(({ value }) => value)), facts };
}

/** True where prefunded warrants are among what is antidilutive. */
export function hintsAtPrefunded(index: FactIndex, period: string): boolean {
  return index('AntidilutiveSecuritiesExcludedFromComputationOfEarningsPerShareAmount').some(
    ({ start, end, value, dimensions }) =>
      start !== null &&
      end === period &&
      value.sign > 0 &&
      dimensions.some(({ member }) => prefundedWord.test(localName(member))),
  );
}

/** True where the filing shows warrants though no count of them is filed: a price, a liability, an antidilutive amount. */
export function hintsAtWarrants(index: FactIndex, period: string): boolean {
  const antidilutive = antidilutiveWarrants(index, period);
  if (antidilutive !== null && antidilutive.value.sign > 0) return true;
  return ['WarrantsAndRightsOutstanding', priceConcept].some((name) =>
    index(name).some(
      (fact) => fact.end === period && fact.value.sign > 0 && !fact.dimensions.some(isSubsequentMember),
    ),
  );
}
