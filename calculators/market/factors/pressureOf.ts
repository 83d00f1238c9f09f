import { roundHalfUp } from '../../exact/decimals.ts';
import { type FactorRow, type GroupScores, type InputId, inputIds, type ZScores } from './factorRow.ts';

type Group = keyof GroupScores;

/** Group and sign of every input: a calm perpetual trades much, rises and rises broadly (M8.9). */
const roles: Readonly<Record<InputId, { readonly group: Group; readonly sign: 1 | -1 }>> = {
  funding_annualized: { group: 'carry', sign: 1 },
  basis_bps: { group: 'carry', sign: 1 },
  oi_change_24h: { group: 'positioning', sign: 1 },
  turnover: { group: 'positioning', sign: -1 },
  vol_ratio: { group: 'market', sign: 1 },
  momentum_30d: { group: 'market', sign: -1 },
  breadth: { group: 'market', sign: -1 },
};

const groupNames = ['carry', 'positioning', 'market'] as const;

export type Pressure = {
  /** 6 decimals. */
  readonly groups: GroupScores;
  /** P before rounding, null without any input. */
  readonly unrounded: number | null;
  readonly attribution: FactorRow['attribution'];
};

/** Groups, P and the parts of P from published z-scores (M8.9, M8.11): means over what is there, nothing filled in. */
export function pressureOf(zScores: ZScores): Pressure {
  const known = inputIds.flatMap((factor) => {
    const z = zScores[factor];
    // zero times a negative sign is zero, not −0
    return z === null ? [] : [{ factor, group: roles[factor].group, part: roles[factor].sign * z || 0 }];
  });
  const partsOf = (group: Group) => known.filter((input) => input.group === group).map(({ part }) => part);
  const scores = groupNames.map((group) => ({ group, score: mean(partsOf(group)) }));
  const available = scores.flatMap(({ score }) => (score === null ? [] : [score]));
  const published = (group: Group) => {
    const score = scores.find((s) => s.group === group)?.score ?? null;
    return score === null ? null : roundHalfUp(score, 6);
  };
  return {
    groups: {
      carry: published('carry'),
      positioning: published('positioning'),
      market: published('market'),
    },
    unrounded: mean(available),
    attribution: known.map(({ factor, group, part }) => ({
      factor,
      contribution: part / partsOf(group).length / available.length,
    })),
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
