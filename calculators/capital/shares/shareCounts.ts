import { compareText } from '../../../data/contract/values/compareText.ts';
import {
  isSubsequentMember,
  localName,
  newestDay,
  newestFacts,
  type StatedFact,
} from '../../crypto/statedFacts.ts';
import { absolute } from '../../exact/decimals.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { absentFigure, type Figure, figureOf } from '../figure.ts';

import { agrees, type FactIndex, isAtPeriod, onlyMember, roundingOf, statedValue } from './statedFigure.ts';

const classAxis = /:StatementClassOfStockAxis$/;
const equityAxis = /:StatementEquityComponentsAxis$/;
const commonClass = /(Common|Ordinary|^Class[A-Z](?![a-z]))/;
/** Classes of something else, and common stock that its holder can return. */
const otherClass =
  /(Preferred|Preference|Warrant|Rights?(Member)?$|Units?(Member)?$|Redeem|Redemption|Restricted|Treasury|Depositary|Notes?(Member)?$)/;
/** The class axis said again in general. */
const generalClass = /^(CommonStock|OrdinaryShares?|CommonShares?)(Member)?$/;

type Classed = { readonly id: string; readonly count: Figure };

export type Outstanding = {
  readonly count: Figure;
  readonly byClass: readonly Classed[];
};

/** Common shares at the period end (M18.42): never those of an arrangement, a merger, a product or a note. */
export function outstandingShares(index: FactIndex, period: string): Outstanding {
  const atPeriod = (name: string) =>
    index(name).filter((fact) => fact.unit === 'shares' && isAtPeriod(fact, period));
  const counts = (name: string) => atPeriod(name).filter(({ value }) => value.sign >= 0);
  const outstanding = [...counts('CommonStockSharesOutstanding'), ...counts('NumberOfSharesOutstanding')];
  const issued = counts('CommonStockSharesIssued');
  const treasury = treasuryShares(atPeriod);
  const classes = classCounts(outstanding);
  const byClass = classes.map(({ id, facts }) => ({ id, count: statedValue(facts, 'class') }));
  const whole = outstanding.filter(({ dimensions }) => dimensions.length === 0);
  const sum = sumOfClasses(classes);
  if (whole.length > 0) {
    const count = statedValue(whole, 'balance_sheet');
    return { count: proven(count, { whole, sum, issued, treasury }), byClass };
  }
  if (sum !== null) return { count: proven(sum, { whole: [], sum: null, issued, treasury }), byClass };
  return { count: statementCount(counts, { issued, treasury }), byClass: [] };
}

/** Shares in treasury, by the column of the equity statement where no count of their own is filed. */
function treasuryShares(counts: (name: string) => readonly StatedFact[]): readonly StatedFact[] {
  const own = ['TreasuryStockCommonShares', 'TreasuryStockShares'].flatMap((name) =>
    counts(name).filter(({ dimensions }) => dimensions.length === 0),
  );
  if (own.length > 0) return own;
  return counts('SharesOutstanding').filter(({ dimensions: [only, ...others] }) => {
    return others.length === 0 && only !== undefined && /:TreasuryStock(Common)?Member$/.test(only.member);
  });
}

/** Counts of common classes, each class once; the general member only where it stands alone. */
function classCounts(
  facts: readonly StatedFact[],
): readonly { readonly id: string; readonly facts: readonly StatedFact[] }[] {
  const classed = facts.filter((fact) => {
    const member = onlyMember(fact, classAxis);
    return member !== null && commonClass.test(member) && !otherClass.test(member);
  });
  const groups = Map.groupBy(classed, (fact) => onlyMember(fact, classAxis) ?? '');
  const all = [...groups].map(([id, own]) => ({ id, facts: own }));
  const specific = all.filter(({ id }) => !generalClass.test(id));
  return (specific.length > 0 ? specific : all).toSorted((a, b) => compareText(a.id, b.id));
}

function sumOfClasses(classes: readonly { readonly facts: readonly StatedFact[] }[]): Figure | null {
  if (classes.length === 0) return null;
  const facts = classes.flatMap((one) => one.facts);
  const counts = classes.map((one) => statedValue(one.facts, 'class').value);
  const values = counts.filter((value) => value !== null);
  if (values.length < classes.length) return absentFigure('conflict', { facts });
  return figureOf(sumOf(values), { basis: 'sum_of_classes', facts });
}

/** A count two ways: the classes add up to it, or shares issued less those in treasury do. */
function proven(
  count: Figure,
  {
    whole,
    sum,
    issued,
    treasury,
  }: {
    readonly whole: readonly StatedFact[];
    readonly sum: Figure | null;
    readonly issued: readonly StatedFact[];
    readonly treasury: readonly StatedFact[];
  },
): Figure {
  if (count.value === null) return count;
  const [held] = treasury;
  const own = issued.filter(({ dimensions }) => dimensions.length === 0);
  const issuedFacts = own.length > 0 ? own : classCounts(issued).flatMap(({ facts }) => facts.slice(0, 1));
  const byTreasury =
    held !== undefined &&
    held.value.sign !== 0 &&
    issuedFacts.length > 0 &&
    agrees(
      sumOf(issuedFacts.map(({ value }) => value)).minus(absolute(held.value)),
      count.value,
      roundingOf([...issuedFacts, held, ...whole]),
    );
  const byClasses =
    sum !== null &&
    sum.value !== null &&
    sum.facts.length > 1 &&
    agrees(sum.value, count.value, roundingOf(whole));
  return byTreasury || byClasses ? { ...count, status: 'proven' } : count;
}

/** Where the balance sheet has no count: the equity statement, or issued shares, less those in treasury. */
function statementCount(
  counts: (name: string) => readonly StatedFact[],
  { issued, treasury }: { readonly issued: readonly StatedFact[]; readonly treasury: readonly StatedFact[] },
): Figure {
  const common = (fact: StatedFact) => {
    const members = fact.dimensions.filter(({ axis }) => !classAxis.test(axis));
    const [only] = members;
    return members.length === 1 && only !== undefined && equityAxis.test(only.axis)
      ? /^CommonStock(IncludingAdditionalPaidInCapital)?Member$/.test(localName(only.member))
      : false;
  };
  const held = treasury.slice(0, 1);
  const lessTreasury = (facts: readonly StatedFact[], basis: string) =>
    figureOf(
      held.reduce((left, { value }) => left.minus(absolute(value)), sumOf(facts.map(({ value }) => value))),
      { basis, facts: [...facts, ...held] },
    );
  const statement = ['SharesOutstanding', 'CommonStockSharesOutstanding']
    .map((name) => counts(name).filter(common))
    .find((facts) => facts.length > 0);
  if (statement !== undefined) {
    const plain = statement.filter(({ dimensions }) => dimensions.length === 1);
    const single = plain.length > 0 ? plain : statement;
    if (plain.length > 1) return absentFigure('conflict', { facts: plain });
    return lessTreasury(single, 'equity_statement');
  }
  const whole = issued.filter(({ dimensions }) => dimensions.length === 0);
  if (whole.length > 1) return absentFigure('conflict', { facts: whole });
  const facts = whole.length > 0 ? whole : classCounts(issued).flatMap((one) => one.facts);
  return facts.length === 0 ? absentFigure('not_filed') : lessTreasury(facts, 'issued_less_treasury');
}

/** Shares on the cover, all classes, with the day they were counted; a total beside classes is dropped. */
export function coverShares(index: FactIndex): { readonly count: Figure; readonly date: string | null } {
  const facts = index('EntityCommonStockSharesOutstanding').filter(
    ({ unit, start, value, dimensions }) =>
      unit === 'shares' && start === null && value.sign >= 0 && !dimensions.some(isSubsequentMember),
  );
  const classed = facts.filter((fact) => {
    const member = onlyMember(fact, classAxis);
    return member !== null && !otherClass.test(member);
  });
  const whole = facts.filter(({ dimensions }) => dimensions.length === 0);
  const source = classed.length > 0 ? classed : whole;
  const groups = [...Map.groupBy(source, (fact) => onlyMember(fact, classAxis) ?? '').values()];
  const newest = groups.map(newestFacts);
  const used = newest.flat();
  const date = newestDay(used) || null;
  if (used.length === 0) return { count: absentFigure('not_filed'), date };
  const values = newest.map((group) => statedValue(group, 'cover').value).filter((value) => value !== null);
  if (values.length < newest.length) return { count: absentFigure('conflict', { facts: used }), date };
  return { count: figureOf(sumOf(values), { basis: 'cover', facts: used }), date };
}

/** The weighted average of the shortest period that ends with the filing's. */
export function weightedAverage(index: FactIndex, period: string): Figure {
  const facts = index('WeightedAverageNumberOfSharesOutstandingBasic').filter(
    ({ start, end, dimensions }) => start !== null && end === period && dimensions.length === 0,
  );
  return statedValue(ofShortest(facts), 'weighted_average');
}

/** The facts that start last: of the quarter, not of the year to date. */
export function ofShortest(facts: readonly StatedFact[]): readonly StatedFact[] {
  const start = facts.reduce((last, fact) => ((fact.start ?? '') > last ? (fact.start ?? '') : last), '');
  return facts.filter((fact) => (fact.start ?? '') === start);
}
