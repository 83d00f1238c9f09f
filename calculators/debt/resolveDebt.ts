import type { TrailRung } from '../resolutionTrail.ts';
import { absentDebt } from './absentDebt.ts';
import type { DebtInputs, DebtResolution } from './debtResolution.ts';
import { debtWalk } from './debtWalk.ts';
import { directDebt } from './directDebt.ts';
import { directPrecedence } from './directPrecedence.ts';
import { networkDebt } from './networkDebt.ts';

/**
 * Resolves debt: the walk of the calculation network, else the precedence of whole-entity facts, else a zero that
 * is filed or corroborated, else nothing that may be relied on (M1.24–M1.38).
 */
export function resolveDebt(o: DebtInputs): DebtResolution {
  const walk = debtWalk(o);
  const found = walk.kind === 'walked' ? networkDebt(walk, o) : null;
  if (found !== null && found.kind === 'resolved') return found.resolution;
  const rung: TrailRung = {
    rung: 'liabilities_walk',
    taken: false,
    reason: found?.reason ?? (walk.kind === 'refused' ? walk.reason : 'nothing found'),
  };
  const candidate = directPrecedence(o.sheet, o.parameters);
  if (candidate === null) return absentDebt(o, walk, [rung, untaken]);
  return withNotes(directDebt(o, candidate, { walk, rung }), found?.notes ?? []);
}

const untaken: TrailRung = {
  rung: 'direct_precedence',
  taken: false,
  reason: 'no debt concept of the dictionary is filed above zero',
};

function withNotes(resolution: DebtResolution, notes: readonly string[]): DebtResolution {
  return notes.length === 0 ? resolution : { ...resolution, notes: [...resolution.notes, ...notes] };
}
