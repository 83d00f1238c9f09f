import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { localName, type StatedFact } from '../crypto/statedFacts.ts';
import { divide, exactly, one, rounded } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** Kinds of trigger, the one that binds first before the others (M16.6). */
const triggerKinds = ['margin_call', 'maintenance_maximum', 'minimum_coverage', 'liquidation'] as const;

export type TriggerKind = (typeof triggerKinds)[number];

/** The loan-to-value at which the lender may act, and the facts that state it. */
type Trigger = {
  readonly kind: TriggerKind;
  /** Six decimals; a coverage of 1.5625 is 0.64. */
  readonly ltv: ExactDecimal;
  readonly facts: readonly StatedFact[];
};

/** What the terms of a loan say (M16.5, M16.6). */
export type Terms = {
  readonly trigger: Trigger | null;
  readonly notes: readonly string[];
  /** True where a name shows that the term is about a loan against collateral that is called or sold. */
  readonly isCollateralTerm: boolean;
};

const ltvName = /(LoanToValue|LoanToCollateral|LTV|AdvanceRate|LiquidationPercentage)/;
const coverageName = /(Coverage|CollateralLevel|CollateralRatio|MarginCall|MarginLevel|Collateralization)/;
/** Coverage of charges by income, or of a covenant on equity: nothing of it is about coins. */
const incomeName =
  /(DebtService|FixedCharge|Interest(?!Rate)\w*Coverage|EBITDA|Insurance|Liquidity|Leverage|NetWorth|Equity|Cash(Flow)?Coverage|Rent)/;
/** What cures, returns, opens or prices a loan calls none. */
const noTrigger = /(Cure|ReturnOfExcess|Release|AdditionalInterest|Initial)/;

/** True for a ratio of a loan to its collateral, or the other way round. */
export function isTerm({ concept, unit }: { readonly concept: string; readonly unit: string }): boolean {
  const name = localName(concept);
  return unit === 'pure' && (ltvName.test(name) || coverageName.test(name)) && !incomeName.test(name);
}

/**
 * A filed ratio as a loan-to-value: fractions and percent of either form, coverages turned over; null where the number
 * is neither (M16.5). MSTR states 50, 25, 35 and 0.25 in one filing.
 */
export function loanToValue(
  { concept, value }: { readonly concept: string; readonly value: ExactDecimal },
  { facilities: { ltvCeiling, percentCeiling, coverageCeiling } }: Pick<Parameters, 'facilities'>,
): ExactDecimal | null {
  const isWithin = (low: number, high: number) =>
    value.compare(ExactDecimal.fromNumber(low)) >= 0 && value.compare(ExactDecimal.fromNumber(high)) <= 0;
  if (ltvName.test(localName(concept))) {
    if (value.sign > 0 && isWithin(0, ltvCeiling)) return value.rounded(6);
    return value.sign > 0 && isWithin(0, percentCeiling) ? value.times(hundredth).rounded(6) : null;
  }
  if (isWithin(1, coverageCeiling)) return rounded(divide(one, exactly(value)), 6);
  const inPercent = isWithin(100, coverageCeiling * 100);
  return inPercent ? rounded(divide(one, exactly(value.times(hundredth))), 6) : null;
}

const hundredth = ExactDecimal.parse('0.01');

/** Reads the terms among the facts of a loan: of several triggers the first kind, and of it the lowest. */
export function termsOf(facts: readonly StatedFact[], parameters: Pick<Parameters, 'facilities'>): Terms {
  const terms = facts.filter(isTerm);
  const notes: string[] = [];
  const found: {
    readonly kind: TriggerKind;
    readonly ltv: ExactDecimal | null;
    readonly fact: StatedFact;
  }[] = [];
  for (const fact of terms) {
    const kind = triggerKind(fact);
    if (kind === null) continue;
    const ltv = loanToValue(fact, parameters);
    if (ltv === null) notes.push(`facility_ratio_refused:${localName(fact.concept)}=${fact.value}`);
    found.push({ kind, ltv, fact });
  }
  const isCollateralTerm = terms.some(({ concept }) => /(MarginCall|MarginLevel|Liquidation)/.test(concept));
  const readable = found.flatMap(({ ltv, ...rest }) => (ltv === null ? [] : [{ ...rest, ltv }]));
  const kind = triggerKinds.find((each) => readable.some((term) => term.kind === each));
  const ofKind = readable.filter((term) => term.kind === kind);
  if (kind === undefined) return { trigger: null, notes, isCollateralTerm };
  const isContradicted = ofKind.some(({ fact, ltv }) =>
    ofKind.some((other) => other.fact.identity === fact.identity && !other.ltv.equals(ltv)),
  );
  if (isContradicted) {
    return { trigger: null, notes: [...notes, 'facility_trigger_conflict'], isCollateralTerm };
  }
  const lowest = ofKind.reduce((low, term) => (term.ltv.compare(low.ltv) < 0 ? term : low));
  const stating = ofKind.filter(({ ltv }) => ltv.equals(lowest.ltv)).map(({ fact }) => fact);
  return { trigger: { kind, ltv: lowest.ltv, facts: stating }, notes, isCollateralTerm };
}

function triggerKind({ concept, dimensions }: StatedFact): TriggerKind | null {
  const name = localName(concept);
  if (noTrigger.test(name)) return null;
  if (/(MarginCall|MarginLevel)/.test(name)) return 'margin_call';
  if (ltvName.test(name)) {
    const isMaximum = dimensions.some(({ member }) => localName(member) === 'MaximumMember');
    // a liquidation point is named as one even where it is a maximum
    if (name.includes('Liquidation')) return 'liquidation';
    return /Maximum/.test(name) || isMaximum ? 'maintenance_maximum' : null;
  }
  if (/(Coverage|Minimum)/.test(name)) return 'minimum_coverage';
  return null;
}
