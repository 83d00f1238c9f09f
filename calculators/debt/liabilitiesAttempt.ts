import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { TrailRung } from '../trail/resolutionTrail.ts';
import { networkDebt } from './networkDebt.ts';
import type { DebtInputs, DebtResolution } from './result/debtResolution.ts';
import { type DebtWalk, debtWalk, type Walked } from './walk/debtWalk.ts';
import { faceSides, linkbaseSide } from './walk/liabilitiesSide.ts';
import type { SideResidual } from './walk/sideResiduals.ts';

/** What a network of the liabilities side gave: a total, the finding that it shows none, or nothing to rely on. */
export type LiabilitiesAttempt =
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
export function linkbaseAttempt(inputs: DebtInputs): LiabilitiesAttempt {
  const side = linkbaseSide(inputs);
  const walk: DebtWalk = 'reason' in side ? refused(side.reason) : debtWalk(side, inputs);
  return attemptOf(walk, { rung: 'liabilities_walk', inputs });
}

/**
 * Debt by the document order of the instance (M1.24c). Where the order can be read in several ways they have to agree
 * on every debt root; readings that differ reject the side.
 */
export function faceAttempt(inputs: DebtInputs): LiabilitiesAttempt {
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
    walk: refused(reason),
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

function refused(reason: string): DebtWalk {
  return { kind: 'refused', reason, atLeast: ExactDecimal.zero };
}

/** The roots as one text, to compare two readings; why it was refused for a walk without roots. */
function rootsText(walk: DebtWalk): string {
  if (walk.kind === 'refused') return walk.reason;
  const roots = walk.roots.map(
    ({ bucket, concept, value, weight }) => `${bucket} ${concept} ${value} ${weight}`,
  );
  return roots.sort(compareText).join('\n');
}
