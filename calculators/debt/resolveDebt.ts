import { sumOf } from '../exact/sumOf.ts';
import type { TrailRung } from '../trail/resolutionTrail.ts';
import { absentDebt } from './absent/absentDebt.ts';
import { directDebt } from './directDebt.ts';
import { directPrecedence } from './face/directPrecedence.ts';
import { faceAttempt, linkbaseAttempt } from './liabilitiesAttempt.ts';
import type { DebtInputs, DebtResolution } from './result/debtResolution.ts';
import { unnamedDebt } from './result/unnamedDebt.ts';
import { testedDebt } from './testedDebt.ts';
import type { DebtWalk, Walked } from './walk/debtWalk.ts';
import { unidentifiedLiabilities } from './walk/unidentifiedLiabilities.ts';

/**
 * Resolves debt (M1.24–M1.38), first rung that holds: the filing's own calculation linkbase, the document order of its
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
  return face.kind === 'no_debt'
    ? withoutDebtLine(inputs, face.walk, both)
    : byDirectFacts(inputs, linkbase.walk, both);
}

/** Steps that were tried in vain, and what they noted. */
type Before = { readonly rungs: readonly TrailRung[]; readonly notes: readonly string[] };

/** A network shows no debt: where its side adds up, no other figure of the filing is debt of the period end. */
function withoutDebtLine(inputs: DebtInputs, walk: DebtWalk, before: Before): DebtResolution {
  if (walk.kind !== 'walked' || !walk.closes) return byDirectFacts(inputs, walk, before);
  return after(bounded(absentDebt(inputs, walk, []), walk, inputs), before);
}

function byDirectFacts(inputs: DebtInputs, walk: DebtWalk, before: Before): DebtResolution {
  const candidate = directPrecedence(inputs.sheet, inputs.parameters);
  if (candidate === null) return after(absentDebt(inputs, walk, [untaken]), before);
  const resolution = directDebt(inputs, candidate, walk);
  return after(testedDebt({ resolution, closes: false, residuals: [] }, inputs), before);
}

/** How much more debt there may be, by the lines of the walk that decides (M1.36c, M1.36d). */
function bounded(debt: DebtResolution, walk: Walked, inputs: DebtInputs): DebtResolution {
  const lines = unidentifiedLiabilities(walk, inputs.parameters.concepts);
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
