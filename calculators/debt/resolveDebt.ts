import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { exceeds, roundHalfUp } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import { signed } from '../network/networkRoots.ts';
import type { TrailRung } from '../trail/resolutionTrail.ts';
import { absentDebt } from './absentDebt.ts';
import { type DebtInputs, type DebtResolution, unprovenTotal } from './debtResolution.ts';
import { type DebtWalk, debtWalk, type ShownDebt, type Walked } from './debtWalk.ts';
import { directDebt, directPrecedence } from './directDebt.ts';
import { impliedInterest, paysLongTermInterest } from './impliedInterest.ts';
import { faceSides, linkbaseSide } from './liabilitiesSide.ts';
import { networkDebt, withShownLines } from './networkDebt.ts';
import { unnamedDebt } from './provenDebt.ts';
import { type SideResidual, unexplained } from './sideResiduals.ts';
import { unexplainedLiabilities, unidentifiedLiabilities } from './unidentifiedLiabilities.ts';
import { misfiledDebt } from './unplacedDebt.ts';

/**
 * Resolves debt (M1.24–M1.38), first rung that applies: the filing's own calculation linkbase, the document order of its
 * balance sheet, the precedence of whole-entity facts, a zero that is filed or corroborated; else nothing that may be
 * relied on.
 */
export function resolveDebt(inputs: DebtInputs): DebtResolution {
  const linkbase = linkbaseAttempt(inputs);
  if (linkbase.kind === 'resolved') return bounded(testedDebt(linkbase, inputs), linkbase.walk, inputs);
  const before: Before = { rungs: [linkbase.rung], notes: linkbase.notes };
  if (linkbase.kind === 'no_debt') return withoutDebtLine(inputs, linkbase.walk, before);
  const face = faceAttempt(inputs);
  if (face.kind === 'resolved') return after(bounded(testedDebt(face, inputs), face.walk, inputs), before);
  const both = { rungs: [...before.rungs, face.rung], notes: [...before.notes, ...face.notes] };
  if (face.kind === 'no_debt') return withoutDebtLine(inputs, face.walk, both);
  const direct = byDirectFacts(inputs, linkbase.walk, both);
  return withShownLines(direct, [linkbase.walk, face.walk], inputs);
}

/** Steps that gave no debt, and their notes. */
type Before = { readonly rungs: readonly TrailRung[]; readonly notes: readonly string[] };

/** A network shows no debt: where its side adds up, no other figure of the filing is debt of the period end. */
function withoutDebtLine(inputs: DebtInputs, walk: DebtWalk, before: Before): DebtResolution {
  if (walk.kind !== 'walked' || !walk.closes) return byDirectFacts(inputs, walk, before);
  return after(bounded(absentDebt(inputs, walk, []), walk, inputs), before);
}

function byDirectFacts(inputs: DebtInputs, walk: DebtWalk, before: Before): DebtResolution {
  const { sheet, parameters } = inputs;
  const candidate = directPrecedence(sheet, parameters);
  const debt =
    candidate === null
      ? absentDebt(inputs, walk, [untaken])
      : testedDebt({ resolution: directDebt(inputs, candidate, walk), closes: false, residuals: [] }, inputs);
  const unidentified = unexplainedLiabilities(inputs, debt.total, walk);
  return after({ ...debt, unidentified }, before);
}

/** How much more debt there may be, by the lines of the walk that decides (M1.36c, M1.36d). */
function bounded(debt: DebtResolution, walk: Walked, inputs: DebtInputs): DebtResolution {
  const lines = unidentifiedLiabilities(walk, inputs.parameters);
  return unnamedDebt({ ...debt, unidentified: sumOf(lines) }, lines, inputs);
}

const untaken: TrailRung = {
  rung: 'direct_precedence',
  taken: false,
  reason: 'no debt concept of the dictionary is filed above zero',
};

function after(resolution: DebtResolution, { rungs, notes }: Before): DebtResolution {
  return {
    ...resolution,
    rungs: [...rungs, ...resolution.rungs],
    notes: [...resolution.notes, ...notes],
  };
}

/** What a network of the liabilities side gave: a total, the finding that it shows none, or nothing to rely on. */
type LiabilitiesAttempt =
  | {
      readonly kind: 'resolved';
      readonly resolution: DebtResolution;
      readonly walk: Walked;
      readonly closes: boolean;
      readonly residuals: readonly SideResidual[];
    }
  | {
      readonly kind: 'no_debt' | 'unusable';
      readonly walk: DebtWalk;
      readonly rung: TrailRung;
      readonly notes: readonly string[];
    };

/** Debt by the filing's own calculation linkbase (M1.24 A, M1.25). */
function linkbaseAttempt(inputs: DebtInputs): LiabilitiesAttempt {
  const side = linkbaseSide(inputs);
  const walk: DebtWalk = 'reason' in side ? refused(side.reason) : debtWalk(side, inputs);
  return attemptOf(walk, { rung: 'liabilities_walk', inputs });
}

/**
 * Debt by the document order of the instance (M1.24c). Where the order can be read in several ways they have to agree
 * on every debt root; readings that differ reject the side.
 */
function faceAttempt(inputs: DebtInputs): LiabilitiesAttempt {
  const rung = 'face_order';
  const sides = faceSides(inputs.face, inputs);
  if ('reason' in sides) return attemptOf(refused(sides.reason), { rung, inputs });
  const [first, ...others] = sides.map((side) => debtWalk(side, inputs));
  if (first === undefined || others.every((other) => rootsText(other) === rootsText(first))) {
    return attemptOf(first ?? refused('it has no reading'), { rung, inputs });
  }
  const reason = `${sides.length} readings of the order give different debt`;
  return {
    kind: 'unusable',
    walk: refused(reason, leastOf([first, ...others])),
    rung: { rung, taken: false, reason },
    notes: ['face_order_ambiguous:liabilities'],
  };
}

function attemptOf(
  walk: DebtWalk,
  { rung, inputs }: { rung: string; inputs: DebtInputs },
): LiabilitiesAttempt {
  const passedOver = (kind: 'no_debt' | 'unusable', reason: string, notes: readonly string[]) =>
    ({ kind, walk, rung: { rung, taken: false, reason }, notes }) as const;
  if (walk.kind === 'refused') return passedOver('unusable', walk.reason, []);
  const found = networkDebt(walk, inputs);
  if (found.kind !== 'resolved') return passedOver(found.kind, found.reason, found.notes);
  const { closes, residuals } = walk;
  return { ...found, walk, closes, residuals };
}

function refused(reason: string, shown: ShownDebt | null = null): DebtWalk {
  return { kind: 'refused', reason, atLeast: ExactDecimal.zero, shown };
}

/** The reading with the least debt: what every one of them shows. */
function leastOf(walks: readonly DebtWalk[]): ShownDebt | null {
  const shown = walks
    .map((walk) => (walk.kind === 'walked' ? walk : walk.shown))
    .filter((one) => one !== null);
  const totalOf = ({ roots }: ShownDebt) => sumOf(roots.map(signed));
  return shown.sort((a, b) => totalOf(a).compare(totalOf(b)))[0] ?? null;
}

/** The roots as one text, to compare two readings; why it was refused for a walk without roots. */
function rootsText(walk: DebtWalk): string {
  if (walk.kind === 'refused') return walk.reason;
  const roots = walk.roots.map(
    ({ bucket, concept, value, weight }) => `${bucket} ${concept} ${value} ${weight}`,
  );
  return roots.sort(compareText).join('\n');
}

/**
 * Tests a debt above zero for completeness: what the liabilities do not explain (M1.18b), the rate its interest
 * implies (M1.37b), and lines that are filed but cannot be counted (M1.7c). A total that fails stays as the proven part, a lower bound that supports no tier.
 */
function testedDebt(
  found: {
    readonly resolution: DebtResolution;
    readonly closes: boolean;
    readonly residuals: readonly SideResidual[];
  },
  { sheet, parameters }: DebtInputs,
): DebtResolution {
  const { resolution, closes } = found;
  if (resolution.coverage !== 'resolved_nonzero') return resolution;
  const open = unexplained(found.residuals);
  if (hidesDebt(open, resolution.total, parameters.liabilitiesResidual.ofDebt)) {
    return unprovenTotal(resolution, {
      note: `liabilities_residual:${open}`,
      check: {
        check: 'M1.18b',
        result: 'fail',
        detail: `${open} of the liabilities is in no line that is filed`,
      },
    });
  }
  const rate = impliedInterest(sheet, resolution.total, parameters);
  const isHigh = rate !== null && rate > parameters.impliedInterest.maxRate;
  const note = isHigh ? [`implied_interest:${roundHalfUp(rate, 6)}`] : [];
  if (closes) return { ...resolution, notes: [...resolution.notes, ...note] };
  if (isHigh) {
    return unprovenTotal(resolution, {
      note: `implied_interest:${roundHalfUp(rate, 6)}`,
      check: {
        check: 'M1.37b',
        result: 'fail',
        detail: `interest of the period is ${roundHalfUp(rate, 6)} a year of debt`,
      },
    });
  }
  const misfiled = misfiledDebt(sheet, parameters.concepts);
  if (misfiled !== null) {
    const detail = `${misfiled} is stated in another currency or beside the day of the balance sheet`;
    const check = { check: 'M1.7c', result: 'fail', detail } as const;
    return unprovenTotal(resolution, { note: `debt_line_misfiled:${misfiled}`, check });
  }
  if (resolution.noncurrent.sign <= 0 && paysLongTermInterest(sheet)) {
    const detail = 'interest on long-term debt is filed and no long-term line is counted';
    return unprovenTotal(resolution, { note: null, check: { check: 'M1.37b', result: 'fail', detail } });
  }
  return resolution;
}

function hidesDebt(open: ExactDecimal, total: ExactDecimal, share: number): boolean {
  return open.sign > 0 && exceeds(total.plus(open), total, share);
}
