import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { StatedFact } from '../../crypto/statedFacts.ts';
import { absolute } from '../../exact/decimals.ts';
import { absentFigure, type Figure, figureOf } from '../figure.ts';
import { agree, type Rounded, roundedOf } from '../filedAmounts.ts';
import {
  type Evidence,
  isJustBelow,
  isScaled,
  isScaledNet,
  type OwedAmounts,
  proves,
  together,
} from './owedAmounts.ts';

/** How a principal was found, in the order of M18.16. */
export type PrincipalBasis =
  | 'named'
  | 'gross'
  | 'face'
  | 'ladder'
  | 'table'
  | 'face_confirmed'
  | 'debt_instrument_carrying_amount'
  | 'carrying_amount'
  | 'flows'
  | 'face_line';

/** What a group owes at the period end. */
export type PrincipalOwed = {
  readonly principal: Figure;
  readonly amount: Rounded | null;
  readonly basis: PrincipalBasis | null;
  readonly isProven: boolean;
  readonly carrying: Evidence | null;
  readonly unamortized: Evidence | null;
  readonly notes: readonly string[];
};

type Candidate = Evidence & { readonly basis: PrincipalBasis };

/** Largest share by which a carrying amount may be below the face it confirms (M16.4). */
const confirming = '0.05';

/** Below it a discount is filed, or the rest is paid. */
export const far = ExactDecimal.parse('0.75');

/** A premium of a tenth is common; more is a fair value. */
const premium = ExactDecimal.parse('1.1');

/** What is stated beside the amounts of a group. */
type Beside = {
  /** Its row of a table that adds up (M18.17). */
  readonly row: StatedFact | null;
  /** Borrowed less repaid in the year (M16.4). */
  readonly flows: Evidence | null;
  readonly fairValue: Evidence | null;
};

/** Principal, carrying amount and unamortized cost of a group, and what proves them (M18.16, M18.18). */
export function principalOwed(amounts: OwedAmounts, { row, flows, fairValue }: Beside): PrincipalOwed {
  const table = row === null ? null : { ...roundedOf(row), facts: [row] };
  const carrying = carryingAmount(amounts, { table, fairValue });
  const gross = grossOf(amounts, carrying);
  const all: readonly Candidate[] = [
    ...amounts.named.map((each) => ({ ...each, basis: 'named' as const })),
    ...(gross === null ? [] : [{ ...gross, basis: 'gross' as const }]),
    ...(amounts.face === null ? [] : [{ ...amounts.face, basis: 'face' as const }]),
    ...(amounts.ladder === null ? [] : [{ ...amounts.ladder, basis: 'ladder' as const }]),
  ];
  const closing = closingAmounts(amounts, carrying);
  const { kept, scaled, notes } = scaleErrors(all, { closing, carrying });
  const unamortized = costThatCloses(amounts, { carrying, candidates: kept });
  const net = { carrying, unamortized };
  const isSentence = (each: Candidate) =>
    table !== null && !fitsTable(each, { table, isGross: gross?.facts[0] === row, ...net });
  const shared = { ...net, notes: [...notes, ...carryingNotes({ gross, ...net, closing })] };
  const support = { closing, scaled, table };
  const free = decided(kept, support);
  // the table rules over single sentences, not over what two of them prove
  const found =
    free?.isProven === true
      ? free
      : decided(
          kept.filter((each) => !isSentence(each)),
          support,
        );
  if (found !== null) {
    const isFar = found.isProven && isFarBelow(carrying, { amount: found.amount, closing, table });
    const notes = [...shared.notes, ...found.notes, ...(isFar ? ['carrying_far_below'] : [])];
    return { ...found, ...(isFar ? unproven(found) : {}), ...shared, notes };
  }
  const [fallback] = [
    ...confirmedFace(amounts, { carrying, table }),
    ...(table === null ? [] : [{ ...table, basis: 'table' as const }]),
    ...(amounts.stated === null
      ? []
      : [{ ...amounts.stated, basis: 'debt_instrument_carrying_amount' as const }]),
    ...(carrying === null ? [] : [{ ...carrying, basis: 'carrying_amount' as const }]),
    ...(flows === null ? [] : [{ ...flows, basis: 'flows' as const }]),
  ];
  if (fallback === undefined) {
    return { principal: absentFigure('not_filed'), amount: null, basis: null, isProven: false, ...shared };
  }
  const isProven =
    fallback.basis === 'face_confirmed' &&
    closing.some(({ value, half }) => agree({ value, half }, fallback));
  return { ...asPrincipal(fallback, isProven), ...shared };
}

function asPrincipal(
  found: Candidate,
  isProven: boolean,
): Pick<PrincipalOwed, 'principal' | 'amount' | 'basis' | 'isProven'> {
  return {
    principal: figureOf(found.value, {
      basis: found.basis,
      facts: found.facts,
      status: isProven ? 'proven' : 'stated',
    }),
    amount: { value: found.value, half: found.half },
    basis: found.basis,
    isProven,
  };
}

type Decided = ReturnType<typeof asPrincipal> & { readonly notes: readonly string[] };
type Support = {
  readonly closing: readonly Evidence[];
  readonly scaled: readonly Candidate[];
  readonly table: Evidence | null;
};

/** Of candidates that agree the finest; of those that do not, the only value that two sources support (M18.16). */
function decided(candidates: readonly Candidate[], { closing, scaled, table }: Support): Decided | null {
  const [first] = candidates;
  if (first === undefined) return null;
  const clusters = candidates.map((each) =>
    candidates.filter((other) => other === each || proves(each, other)),
  );
  const support = (cluster: readonly Candidate[]) => {
    const [one] = cluster;
    if (one === undefined) return 0;
    const sources = new Set(cluster.flatMap(({ facts }) => facts.map(({ concept }) => concept)));
    const isClosed = closing.some((each) => cluster.some((other) => proves(each, other)));
    const isTabled =
      table !== null && !table.facts.some(({ concept }) => sources.has(concept)) && agree(table, one);
    const isRepeated = scaled.some((each) => isScaled(each, one));
    return cluster.length + Number(isClosed) + Number(isTabled) + Number(isRepeated);
  };
  const isOne = candidates.every((each) => candidates.every((other) => agree(each, other)));
  const proven = clusters.filter((cluster) => support(cluster) > 1).map(finest);
  const chosen = isOne ? finest(candidates) : proven[0];
  const isSettled = isOne || proven.every((each) => chosen !== undefined && agree(each, chosen));
  if (chosen === undefined || !isSettled) {
    return {
      principal: absentFigure('conflict', { facts: candidates.flatMap(({ facts }) => facts) }),
      amount: null,
      basis: null,
      isProven: false,
      notes: [`principal_conflict:${candidates.map(({ value }) => value).join('/')}`],
    };
  }
  const others = candidates.filter((each) => !agree(each, chosen));
  return {
    ...asPrincipal(chosen, proven.length > 0),
    notes: others.map(({ basis, value }) => `principal_differs:${basis}=${value}`),
  };
}

function finest(cluster: readonly Candidate[]): Candidate {
  return cluster.reduce((best, each) => (each.half.compare(best.half) < 0 ? each : best));
}

/** Carrying amount with unamortized cost added: what a principal has to be. */
function closingAmounts(
  { carrying, stated, costs }: OwedAmounts,
  chosen: Evidence | null,
): readonly Evidence[] {
  const options = [...(chosen === null ? [] : [chosen]), ...carrying, ...(stated === null ? [] : [stated])];
  return costs.flatMap((cost) => options.map((option) => together([option, cost])));
}

/** Of the costs that may be meant the one that closes with the carrying amount, else the first. */
function costThatCloses(
  { costs }: OwedAmounts,
  { carrying, candidates }: { readonly carrying: Evidence | null; readonly candidates: readonly Evidence[] },
): Evidence | null {
  const closes = (cost: Evidence) =>
    carrying !== null && candidates.some((each) => agree(together([carrying, cost]), each));
  return costs.find(closes) ?? costs[0] ?? null;
}

/** The carrying amount: what closes with unamortized cost, else what is nearest to the gross amount (M18.18). */
function carryingAmount(
  amounts: OwedAmounts,
  { table, fairValue }: { readonly table: Evidence | null; readonly fairValue: Evidence | null },
): Evidence | null {
  const { named, stated, face, ladder, costs } = amounts;
  const candidates = [...named, stated, face, ladder].filter((each) => each !== null);
  const isTotal = (option: Evidence) => ladder !== null && option.value.equals(ladder.value);
  const others = amounts.carrying.filter((option) => !isTotal(option));
  const options = others.length > 0 && costs.length > 0 ? others : amounts.carrying;
  const net = [...options, ...(stated === null ? [] : [stated])];
  for (const cost of costs) {
    const closes = net.find((option) =>
      candidates.some((each) => each !== option && agree(together([option, cost]), each)),
    );
    if (closes !== undefined) return closes;
  }
  const [gross] = [stated, ...named, face, table].filter((each) => each !== null);
  // more than is owed is carried at fair value alone; else it is what was once lent (FGF)
  const isAbove = (option: Evidence) =>
    stated !== null &&
    stated.value.sign > 0 &&
    option.value.compare(stated.value.times(premium)) > 0 &&
    !(fairValue !== null && agree(option, fairValue));
  const fitting = options.filter((option) => !isAbove(option));
  const [first] = fitting;
  if (first === undefined) return stated;
  const distance = ({ value }: Rounded) =>
    gross === undefined ? value.negated() : absolute(value.minus(gross.value));
  return fitting.reduce((best, each) => (distance(each).compare(distance(best)) < 0 ? each : best), first);
}

/**
 * Two sentences of one issue prove nothing of what is left of it where far less is carried and no cost explains the
 * difference.
 */
function isFarBelow(
  carrying: Evidence | null,
  { amount, closing, table }: Pick<Support, 'closing' | 'table'> & { readonly amount: Rounded | null },
): boolean {
  if (carrying === null || amount === null || carrying.value.compare(amount.value.times(far)) >= 0) {
    return false;
  }
  return ![...closing, ...(table === null ? [] : [table])].some((each) => proves(each, amount));
}

function unproven({ principal }: Pick<PrincipalOwed, 'principal'>): Partial<PrincipalOwed> {
  return {
    principal: principal.value === null ? principal : { ...principal, status: 'stated' },
    isProven: false,
  };
}

/** `DebtInstrumentCarryingAmount` where another name states the carrying amount beside it. */
function grossOf({ stated }: OwedAmounts, carrying: Evidence | null): Evidence | null {
  if (stated === null || carrying === null || carrying === stated) return null;
  return agree(stated, carrying) ? null : stated;
}

function carryingNotes({
  gross,
  carrying,
  unamortized,
  closing,
}: {
  readonly gross: Evidence | null;
  readonly carrying: Evidence | null;
  readonly unamortized: Evidence | null;
  readonly closing: readonly Evidence[];
}): readonly string[] {
  if (gross === null || carrying === null) return [];
  if (closing.some((each) => agree(each, gross))) return [];
  if (carrying.value.compare(gross.value) > 0) return ['fair_value_option'];
  if (unamortized === null) return [];
  const difference = carrying.value.plus(unamortized.value).minus(gross.value);
  return [`carrying_not_reconciled:${difference}`];
}

/** Amounts in another scale confirm and are never used; what is a thousand times from what is carried is refused. */
function scaleErrors(
  candidates: readonly Candidate[],
  { closing, carrying }: { readonly closing: readonly Evidence[]; readonly carrying: Evidence | null },
): {
  readonly kept: readonly Candidate[];
  readonly scaled: readonly Candidate[];
  readonly notes: readonly string[];
} {
  const kept: Candidate[] = [];
  const scaled: Candidate[] = [];
  const notes: string[] = [];
  const known = [...candidates, ...closing, ...(carrying === null ? [] : [carrying])];
  const net = carrying !== null && carrying.value.sign > 0 ? carrying : null;
  for (const each of candidates) {
    // the carrying amount says which of two scales is meant; without one it is the larger
    const isOff = (other: Rounded) =>
      net === null ? other.value.compare(each.value) > 0 : isBeyond(each, net, '30');
    const isNetOf = net !== null && isScaledNet(net, each);
    if (isNetOf || known.some((other) => isScaled(each, other) && isOff(other))) {
      scaled.push(each);
      notes.push(`scale_error:${each.value}`);
    } else if (net !== null && each.value.sign > 0 && isBeyond(each, net, '1000')) {
      notes.push(`principal_refused:${each.value}`);
    } else kept.push(each);
  }
  return { kept, scaled, notes };
}

/** True where one amount is more than so many times the other. */
function isBeyond({ value }: Rounded, { value: other }: Rounded, times: string): boolean {
  const factor = ExactDecimal.parse(times);
  return value.times(factor).compare(other) < 0 || other.times(factor).compare(value) < 0;
}

/** A sentence beside a table stands only where it says what the table says, with its cost or as finely (M18.17). */
function fitsTable(
  each: Candidate,
  {
    table,
    unamortized,
    isGross,
  }: { readonly table: Evidence; readonly unamortized: Evidence | null; readonly isGross: boolean },
): boolean {
  if (agree(each, table)) return true;
  if (unamortized !== null && agree(each, together([table, unamortized]))) return true;
  // what a table of carrying amounts says is a little less than what is owed
  // and a ladder is coarse by its many years alone
  const isFine = each.basis === 'ladder' || each.half.compare(table.half) <= 0;
  return !isGross && isFine && isJustBelow(table.value, each.value, confirming);
}

function confirmedFace(
  { earlierFaces, stated }: OwedAmounts,
  { carrying, table }: { readonly carrying: Evidence | null; readonly table: Evidence | null },
): readonly Candidate[] {
  const net = table ?? carrying ?? stated;
  if (net === null || net.value.sign <= 0) return [];
  return earlierFaces
    .filter(({ value }) => isJustBelow(net.value, value, confirming))
    .slice(0, 1)
    .map((face) => ({ ...face, facts: [...face.facts, ...net.facts], basis: 'face_confirmed' }));
}
