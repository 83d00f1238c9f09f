import { compareText } from '../../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import type { FlowClass } from './coinFlows.ts';
import { isOfScope, keyOf, namesOneCoin, withoutDebt } from './coinScope.ts';
import { flowClass, signedAmount } from './flowClass.ts';

/** A flow fact that may be a row of a roll. */
export type CandidateRow = {
  readonly kind: FlowClass;
  readonly amount: ExactDecimal;
  readonly fact: StatedFact;
  readonly isOfStatement: boolean;
  /** Its sign is the filed one, since the name does not say which way the coins went. */
  readonly isAsFiled: boolean;
};

/** Candidate rows of one scope, unit and start. */
export type RowGroup = {
  readonly key: string;
  readonly unit: string;
  readonly start: string;
  readonly rows: readonly CandidateRow[];
};

/** What buys, impairs or sells an intangible asset, where the coins are carried as one (MSTR). */
const intangibleFlow =
  /^us-gaap:(PaymentsToAcquireIntangibleAssets|ImpairmentOfIntangibleAssets\w*|ProceedsFromSaleOf\w*IntangibleAssets\w*)$/;

/** Flow facts of coins that end with the period, by their members, unit and start (M18.71). */
export function rowGroups(
  facts: readonly StatedFact[],
  { period, areIntangible }: { readonly period: string; readonly areIntangible: boolean },
): readonly RowGroup[] {
  const groups = new Map<string, { key: string; unit: string; start: string; facts: StatedFact[] }>();
  for (const fact of facts) {
    const { start, end, unit } = fact;
    if (start === null || end !== period) continue;
    const isIntangible = areIntangible && fact.dimensions.length === 0 && intangibleFlow.test(fact.concept);
    if (!isIntangible && !isCoinFlow(fact)) continue;
    const dimensions = withoutDebt(fact.dimensions);
    if (!isOfScope({ dimensions })) continue;
    const key = keyOf(dimensions);
    const id = `${start} ${unit} ${key}`;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, { key, unit, start, facts: [fact] });
    else group.facts.push(fact);
  }
  return [...groups.values()].map((group) => ({ ...group, rows: candidates(group.facts) }));
}

function isCoinFlow(fact: StatedFact): boolean {
  if (!fact.namesCoins && !namesOneCoin(fact)) return false;
  // a number of coins in dollars is neither (KULR)
  if (/^[A-Z]{3}$/.test(fact.unit)) return !/NumberOf|Quantity|Units/.test(localName(fact.concept));
  return !/^(pure|shares)$|\//.test(fact.unit);
}

/** Classified and signed, each amount once (M18.70, M18.71). */
function candidates(facts: readonly StatedFact[]): readonly CandidateRow[] {
  const purchases = facts.filter(({ concept }) => /Purchase/.test(localName(concept)));
  const isBesidePurchase = ({ concept, value }: StatedFact) =>
    localName(concept).startsWith('PaymentForAcquisition') &&
    purchases.length > 0 &&
    !purchases.some((purchase) => purchase.value.equals(value));
  const rows = facts.flatMap((fact): CandidateRow[] => {
    const found = flowClass(fact.concept);
    // a figure of a member that is about its coins without a word for it, such as revenue by coin
    if (found === null || (found.kind === 'other' && !fact.namesCoins)) return [];
    const { kind, sign, isOfStatement } = isBesidePurchase(fact)
      ? ({ kind: 'paid', sign: 'out', isOfStatement: true } as const)
      : found;
    const amount = signedAmount(fact.value, sign);
    // no statement counts coins
    const isOfMoneyStatement = isOfStatement && /^[A-Z]{3}$/.test(fact.unit);
    return [{ kind, amount, fact, isOfStatement: isOfMoneyStatement, isAsFiled: sign === 'filed' }];
  });
  return once(rows.toSorted(byWord));
}

/** The plainest name first: of the table before the statements, of a class before none, of the standard before the filer's. */
function byWord(a: CandidateRow, b: CandidateRow): number {
  const rank = ({ kind, isOfStatement, isAsFiled, fact }: CandidateRow) =>
    (isOfStatement ? 8 : 0) + (kind === 'other' ? 4 : 0) + (isAsFiled ? 2 : 0) + (isStandard(fact) ? 0 : 1);
  return (
    rank(a) - rank(b) ||
    compareText(a.fact.concept, b.fact.concept) ||
    compareText(a.fact.identity, b.fact.identity)
  );
}

function isStandard({ concept }: StatedFact): boolean {
  return concept.startsWith('us-gaap:');
}

/** An amount that several names state is one row; where the names say no direction, the one that is filed negative counts. */
function once(rows: readonly CandidateRow[]): readonly CandidateRow[] {
  const byMagnitude = new Map<string, CandidateRow[]>();
  for (const row of rows) {
    const magnitude = row.amount.sign < 0 ? row.amount.negated() : row.amount;
    const found = byMagnitude.get(magnitude.toString());
    if (found === undefined) byMagnitude.set(magnitude.toString(), [row]);
    else found.push(row);
  }
  return [...byMagnitude.values()].flatMap((same) => {
    const certain = same.filter(({ isAsFiled }) => !isAsFiled);
    const [first] = certain.length > 0 ? certain : same;
    if (first === undefined) return [];
    if (certain.length === 0) return [same.find(({ amount }) => amount.sign < 0) ?? first];
    const opposite = certain.find(({ amount }) => amount.sign !== first.amount.sign);
    return opposite === undefined ? [first] : [first, opposite];
  });
}
