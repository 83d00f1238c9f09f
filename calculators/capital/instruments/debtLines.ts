import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { figureOf } from '../figure.ts';
import { agree, type Rounded, roundedOf, roundedSum, wholeInstants } from '../filedAmounts.ts';
import type { Stack } from '../parts.ts';
import { costNames, isOwed } from './debtConcepts.ts';
import { joinedGroups } from './debtGroups.ts';
import { type DebtRoot, type ExplainedRoot, explainRoots } from './explainRoots.ts';
import {
  countedAmount,
  type Draft,
  type DraftContext,
  draftOf,
  isFaceAlone,
  isWithin,
} from './instrumentDraft.ts';
import { type Evidence, proves } from './owedAmounts.ts';
import { far } from './principalOwed.ts';

/** Drafts held against the debt of the balance sheet (M18.13, M18.22). */
export type AgainstDebt = { readonly drafts: readonly Draft[]; readonly stack: Stack };

/** A line is no instrument of its own where open instruments that fit into it hold this share of it. */
const heldShare = ExactDecimal.parse('0.05');
const excess = ExactDecimal.parse('1.005');

type FilingDraft = { readonly facts: readonly StatedFact[]; readonly context: DraftContext };

/**
 * Lines of the face that no instrument explains become instruments, sentences that no line holds become unconfirmed,
 * and what is outstanding is added up against D.
 */
export function againstDebt(
  drafts: readonly Draft[],
  { roots, ...filing }: FilingDraft & { readonly roots: readonly DebtRoot[] },
): AgainstDebt {
  const { facts, context } = filing;
  const { debt } = context;
  if (debt === null) {
    const judged = drafts.map((draft) => (isFaceAlone(draft) ? unconfirmed(draft, 'face_alone') : draft));
    return {
      drafts: judged,
      stack: { status: 'unproven', difference: null, principal: principalSum(judged) },
    };
  }
  const owing = drafts.filter(isOwing);
  const whole = sumOf(owing.map((draft) => countedAmount(draft)?.value ?? ExactDecimal.zero));
  if (owing.length > 0 && isWithin(whole, debt)) {
    return { drafts, stack: stackOf(drafts, { explained: [], debt }) };
  }
  const costs = unallocatedCost(facts, context);
  const explained = explainRoots(roots, owing.map(asPart), costs);
  const held = new Map(
    explained.flatMap(({ parts }) => parts.map(({ draft }) => [draft, asCarried(draft, costs)] as const)),
  );
  const sets = explained.map(({ root, parts }) => ({
    root,
    parts: parts.map(({ draft }) => held.get(draft) ?? draft),
  }));
  const assigned = new Set(sets.flatMap(({ parts }) => parts));
  const open = owing.filter((draft) => !held.has(draft));
  const left = roots.filter((root) => !explained.some((each) => each.root === root));
  const lines = left.filter((root) => !isHeld(root, open));
  const judged = withLines(
    drafts.map((draft) => held.get(draft) ?? draft),
    { lines, ...filing },
  );
  const isComplete = lines.length === left.length;
  const unheld = left.filter((root) => !lines.includes(root));
  const confirmed = judged.map((draft) => {
    const isKnown = assigned.has(draft) || isSure(draft) || draft.owed.basis === 'face_line';
    if (!isOwing(draft) || isKnown) return draft;
    if (isComplete) return unconfirmed(draft, isFaceAlone(draft) ? 'face_alone' : 'exceeds_debt');
    const { amount } = draft.owed;
    const isHeldBy = (root: DebtRoot) => amount !== null && amount.value.compare(root.value) <= 0;
    return isFaceAlone(draft) && !unheld.some(isHeldBy) ? unconfirmed(draft, 'face_alone') : draft;
  });
  const within = withinDebt(confirmed, sets, debt);
  return { drafts: within, stack: stackOf(within, { explained: sets, debt }) };
}

function isOwing({ state }: Draft): boolean {
  return state === 'outstanding';
}

/** Proven by a balance of its own or by a table; two sentences alone may both be about what was paid since. */
function isSure({ owed, isTabled }: Draft): boolean {
  return owed.isProven && (owed.carrying !== null || isTabled);
}

function unconfirmed(draft: Draft, note: string): Draft {
  return draft.state === 'outstanding'
    ? { ...draft, state: 'unconfirmed', notes: [...draft.notes, note] }
    : draft;
}

function asPart(draft: Draft) {
  const { owed, fairValue } = draft;
  return {
    draft,
    carrying: owed.carrying,
    fairValue,
    principal: owed.amount,
    unamortized: owed.unamortized,
  };
}

/**
 * A face alone far above what a line of D carries is a limit, or what was first lent: owed is what is carried (M18.16),
 * unless that is its fair value or a cost of the entity is the difference.
 */
function asCarried(draft: Draft, costs: readonly Rounded[]): Draft {
  const { amount, basis, isProven, carrying, notes } = draft.owed;
  if (basis !== 'face' || isProven || amount === null || carrying === null) return draft;
  const isFar = carrying.value.compare(amount.value.times(far)) < 0;
  const isFair = draft.fairValue !== null && agree(draft.fairValue, carrying);
  if (!isFar || isFair || costs.some((cost) => agree(roundedSum([carrying, cost]), amount))) return draft;
  const principal = figureOf(carrying.value, { basis: 'carrying_amount', facts: carrying.facts });
  const owed = { ...draft.owed, principal, amount: carrying, basis: 'carrying_amount' as const };
  return { ...draft, owed: { ...owed, notes: [...notes, 'carrying_far_below'] } };
}

function unallocatedCost(facts: readonly StatedFact[], day: DraftContext): readonly Rounded[] {
  return wholeInstants(facts, day).filter(isCost).map(roundedOf).slice(0, costsMost);
}

/** Among more of them one closes with anything. */
const costsMost = 4;
const allCosts: ReadonlySet<string> = new Set(Object.values(costNames).flat());

function isCost({ concept, value }: StatedFact): boolean {
  return value.sign > 0 && allCosts.has(localName(concept));
}

/** True where instruments that explain no line are so large that the line may be theirs. */
function isHeld(root: DebtRoot, open: readonly Draft[]): boolean {
  const fitting = open
    .filter((draft) => !isFaceAlone(draft))
    .flatMap((draft) => countedAmount(draft)?.value ?? [])
    .filter((amount) => amount.compare(root.value.times(excess)) <= 0);
  return sumOf(fitting).compare(root.value.times(heldShare)) >= 0;
}

/** Each line as an instrument; the loan of section 16 that states its amount, and has none itself, is the same. */
function withLines(
  drafts: readonly Draft[],
  { lines, facts, context }: FilingDraft & { readonly lines: readonly DebtRoot[] },
): readonly Draft[] {
  let found = drafts;
  for (const root of lines) {
    const facility = context.facilities.found.find(
      ({ drawn, isSubsequent }) =>
        !isSubsequent &&
        drawn !== null &&
        drawn.amount.equals(root.value) &&
        drawn.facts.some(({ dimensions }) => dimensions.length === 0),
    );
    const named = found.find(
      (draft) =>
        draft.state === 'dated_only' &&
        ((facility !== undefined && draft.facility?.id === facility.id) || isNamedAs(draft, root)),
    );
    const stated = facts.filter(
      ({ concept, start, end, unit }) =>
        concept === root.concept && start === null && end === context.period && unit === context.currency,
    );
    // a line may be shown by counterparty alone
    const whole = stated.filter(({ dimensions }) => dimensions.length === 0);
    const own = whole.length > 0 ? whole : stated.filter(({ value }) => value.equals(root.value));
    const line = {
      members: [`line:${root.concept}`],
      facts: own,
      ...{ classes: [], aliases: [], nil: [], terms: [], joins: [], notes: [] },
    };
    const draft = draftOf(named === undefined ? line : joinedGroups([named.group, line], 'f'), context);
    const evidence = { value: root.value, half: root.half, facts: own, basis: localName(root.concept) };
    const gross = grossOfLine(root, { facts, context });
    found = [
      ...found.filter((each) => each !== named),
      {
        ...draft,
        facility: draft.facility ?? facility ?? null,
        state: 'outstanding',
        owed: {
          principal:
            gross === null
              ? figureOf(root.value, { basis: 'face_line', facts: own })
              : figureOf(gross.amount.value, { basis: 'gross', facts: gross.amount.facts, status: 'proven' }),
          amount: gross?.amount ?? evidence,
          basis: 'face_line',
          isProven: gross !== null,
          carrying: evidence,
          unamortized: gross?.cost ?? null,
          notes: [],
        },
      },
    ];
  }
  return found;
}

/** An amount owed of the whole entity that is the line and a filed unamortized cost (DFDV 2025: 21,210 + 7,692 = 28,902). */
function grossOfLine(
  root: DebtRoot,
  { facts, context }: FilingDraft,
): { readonly amount: Evidence; readonly cost: Evidence } | null {
  const whole = wholeInstants(facts, context);
  for (const cost of whole.filter(isCost).slice(0, costsMost)) {
    const closing = roundedSum([root, roundedOf(cost)]);
    const found = whole.find(
      (fact) => fact.concept !== root.concept && isOwed(fact, context) && proves(closing, roundedOf(fact)),
    );
    if (found !== undefined) {
      return {
        amount: { ...roundedOf(found), facts: [found] },
        cost: { ...roundedOf(cost), facts: [cost] },
      };
    }
  }
  return null;
}

/** A member and a line of one name (DFDV `DigitalAssetFinancingArrangements`). */
function isNamedAs({ group }: Draft, { concept }: DebtRoot): boolean {
  return group.members.some((member) => localName(member).replace(/Member$/, '') === localName(concept));
}

/** Stated amounts that lift the sum above D are unconfirmed, the smallest first (M18.16). */
function withinDebt(
  drafts: readonly Draft[],
  sets: readonly ExplainedRoot<Draft>[],
  debt: ExactDecimal,
): readonly Draft[] {
  const assigned = new Set(sets.flatMap(({ parts }) => parts));
  const amountOf = (draft: Draft) => countedAmount(draft)?.value ?? ExactDecimal.zero;
  const isLoose = ({ owed, isTabled }: Draft) => !owed.isProven && !isTabled && owed.basis !== 'face_line';
  const loose = drafts
    .filter((draft) => isOwing(draft) && !assigned.has(draft) && isLoose(draft))
    .toSorted((a, b) => amountOf(a).compare(amountOf(b)));
  const limit = debt.times(excess);
  const dropped = new Set<Draft>();
  let sum = counted(drafts, sets);
  for (const draft of loose) {
    if (sum.compare(limit) <= 0) break;
    dropped.add(draft);
    sum = sum.minus(amountOf(draft));
  }
  return drafts.map((draft) => (dropped.has(draft) ? unconfirmed(draft, 'exceeds_debt') : draft));
}

function counted(drafts: readonly Draft[], sets: readonly ExplainedRoot<Draft>[]): ExactDecimal {
  const inSets = new Set(sets.flatMap(({ parts }) => parts));
  const others = drafts.filter((draft) => isOwing(draft) && !inSets.has(draft));
  return sumOf([
    ...sets.map(({ root }) => root.value),
    ...others.map((draft) => countedAmount(draft)?.value ?? ExactDecimal.zero),
  ]);
}

function stackOf(
  drafts: readonly Draft[],
  { explained, debt }: { readonly explained: readonly ExplainedRoot<Draft>[]; readonly debt: ExactDecimal },
): Stack {
  const sum = counted(drafts, explained);
  const difference = debt.minus(sum);
  if (sum.equals(debt) || isWithin(sum, debt))
    return { status: 'ties', difference, principal: principalSum(drafts) };
  if (difference.sign > 0)
    return { status: 'debt_not_itemised', difference, principal: principalSum(drafts) };
  return { status: 'exceeds', difference, principal: null };
}

function principalSum(drafts: readonly Draft[]): ExactDecimal | null {
  const owing = drafts.filter(isOwing);
  const known = owing.flatMap(({ owed }) => owed.amount?.value ?? []);
  return owing.length === 0 || known.length < owing.length ? null : sumOf(known);
}
