import { compareText } from '../../../data/contract/values/compareText.ts';
import { isSubsequentMember, localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { type FactIndex, isAtPeriod } from '../shares/statedFigure.ts';

const classAxis = /:StatementClassOfStockAxis$/;
const equityAxis = /:StatementEquityComponentsAxis$/;
const preferredWord = /(Preferred|Preference)/;
const commonWord = /(Common|^Class[A-Z](?![a-z])|Ordinary)/;
/** Of the whole entity, or said again in general. */
const generalMember =
  /^(PreferredStock|ConvertiblePreferredStock|RedeemablePreferredStock|PreferenceShares?)Member$/;

/** What is stated of one class: concepts by what they say. */
export const preferredConcepts = {
  shares: ['PreferredStockSharesOutstanding', 'TemporaryEquitySharesOutstanding'],
  carrying: [
    'PreferredStockValue',
    'PreferredStockValueOutstanding',
    'TemporaryEquityCarryingAmountAttributableToParent',
    'TemporaryEquityCarryingAmount',
    'RedeemablePreferredStockCarryingAmount',
  ],
  liquidationValue: ['PreferredStockLiquidationPreferenceValue', 'TemporaryEquityLiquidationPreference'],
  liquidationPerShare: [
    'PreferredStockLiquidationPreference',
    'TemporaryEquityLiquidationPreferencePerShare',
  ],
  statedPerShare: ['PreferredStockParOrStatedValuePerShare', 'TemporaryEquityParOrStatedValuePerShare'],
  redemptionValue: [
    'TemporaryEquityAggregateAmountOfRedemptionRequirement',
    'PreferredStockRedemptionAmount',
  ],
  redemptionPerShare: ['TemporaryEquityRedemptionPricePerShare', 'PreferredStockRedemptionPricePerShare'],
  rate: ['PreferredStockDividendRatePercentage'],
  arrears: ['PreferredStockAmountOfPreferredDividendsInArrears'],
} as const;

export type PreferredConcept = keyof typeof preferredConcepts;

/** A class of stock by its member; `null` for what is filed of the whole entity. */
export type StockClass = {
  readonly member: string | null;
  readonly kind: 'preferred' | 'redeemable_common';
  /** All of it stands between debt and equity: what is filed of preferred stock in equity is zero and another line. */
  readonly isTemporary: boolean;
};

/** Classes that a balance at the period end is filed of: of the class axis, else of the equity statement's. */
export function stockClasses(index: FactIndex, period: string): readonly StockClass[] {
  const balances = [...preferredConcepts.shares, ...preferredConcepts.carrying].flatMap((name) =>
    index(name).filter((fact) => isAtPeriod(fact, period)),
  );
  const members = balances.flatMap((fact) => memberOf(fact) ?? []);
  const specific = [...new Set(members.filter((member) => !generalMember.test(localName(member))))];
  const isMezzanine = (member: string | null) =>
    balances.some(
      (fact) => memberOf(fact) === member && localName(fact.concept).startsWith('TemporaryEquity'),
    );
  const classed = specific
    .filter((member) => preferredWord.test(member) || isMezzanine(member) || /Series/.test(member))
    .map((member): StockClass => {
      const isCommon = commonWord.test(localName(member)) && !preferredWord.test(member);
      return { member, kind: isCommon ? 'redeemable_common' : 'preferred', isTemporary: false };
    });
  if (classed.length > 0) return classed.toSorted((a, b) => compareText(a.member ?? '', b.member ?? ''));
  if (balances.some(({ dimensions }) => dimensions.length === 0) || members.length > 0) {
    const hasPreferredShares = preferredConcepts.shares
      .slice(0, 1)
      .some((name) => index(name).some((fact) => isAtPeriod(fact, period) && fact.value.sign > 0));
    // shares that are redeemed are counted, or have the price they are redeemed at
    const areCounted = ['TemporaryEquitySharesOutstanding', 'TemporaryEquityRedemptionPricePerShare'].some(
      (name) => index(name).some(({ end, value }) => end <= period && value.sign > 0),
    );
    const isRedeemable =
      isMezzanine(null) && areCounted && !hasPreferredShares && !hasPreferredWord(index, period);
    const whole = balances.filter(({ dimensions }) => dimensions.length === 0);
    const amounts = whole.filter(({ value }) => value.sign > 0);
    const isTemporary = amounts.length > 0 && amounts.every(isOfTemporaryEquity) && members.length === 0;
    return [{ member: null, kind: isRedeemable ? 'redeemable_common' : 'preferred', isTemporary }];
  }
  return [];
}

/** Dividends and proceeds of preferred stock, which an issuer without any has none of. */
const flowsOfPreferred = [
  'DividendsPreferredStock',
  'DividendsPreferredStockCash',
  'PaymentsOfDividendsPreferredStockAndPreferenceStock',
  'ProceedsFromIssuanceOfPreferredStockAndPreferenceStock',
];

/** Filed between debt and equity. */
export function isOfTemporaryEquity({ concept }: StatedFact): boolean {
  return localName(concept).startsWith('TemporaryEquity');
}

/** Temporary equity without a class is preferred stock where a preferred class or its dividends are filed up to the period end. */
function hasPreferredWord(index: FactIndex, period: string): boolean {
  const paid = flowsOfPreferred
    .flatMap((name) => index(name))
    .some(({ end, value, dimensions }) => end <= period && dimensions.length === 0 && value.sign > 0);
  if (paid) return true;
  return [
    'TemporaryEquitySharesOutstanding',
    'TemporaryEquityLiquidationPreferencePerShare',
    'TemporaryEquityLiquidationPreference',
  ]
    .flatMap((name) => index(name))
    .some(
      (fact) =>
        fact.end <= period &&
        (fact.concept.includes('LiquidationPreference') ||
          fact.dimensions.some(({ member }) => preferredWord.test(member))),
    );
}

/** The class member of a fact that has no other member; null where it has none or more. */
function memberOf({ dimensions }: StatedFact): string | null {
  const [only, ...rest] = dimensions;
  if (only === undefined || rest.length > 0) return null;
  const isClass = classAxis.test(only.axis);
  const isEquity = equityAxis.test(only.axis) && preferredWord.test(only.member);
  return isClass || isEquity ? only.member : null;
}

/**
 * Facts of one class under one of several concepts, the first concept that has any.
 *
 * @param isOnly the only class, which what is filed of the whole entity belongs to as well
 */
export function classFacts(
  index: FactIndex,
  {
    of,
    member,
    isOnly,
    accepts,
  }: {
    readonly of: PreferredConcept;
    readonly member: string | null;
    readonly isOnly: boolean;
    readonly accepts: (fact: StatedFact) => boolean;
  },
): readonly StatedFact[] {
  for (const name of preferredConcepts[of]) {
    const facts = index(name).filter((fact) => accepts(fact) && !fact.dimensions.some(isSubsequentMember));
    const own = facts.filter((fact) => {
      const filed = memberOf(fact);
      return filed !== null && (filed === member || (isOnly && generalMember.test(localName(filed))));
    });
    if (own.length > 0) return own;
    const whole = facts.filter(({ dimensions }) => dimensions.length === 0);
    if (isOnly && whole.length > 0) return whole;
  }
  return [];
}

/** The par or stated value a share, of the class or of all classes. */
export function parFacts(
  index: FactIndex,
  { member, period }: { readonly member: string | null; readonly period: string },
): readonly StatedFact[] {
  const accepts = (fact: StatedFact) => isAtPeriod(fact, period) && fact.unit.endsWith('/shares');
  return classFacts(index, { of: 'statedPerShare', member, isOnly: true, accepts });
}
