export type BasketMember = {
  /** Share of a basket whose weights are valid. */
  readonly weight: number;
  /** Simple return over seven days; null without both closes. */
  readonly return7d: number | null;
};

export type BasketFigures = {
  /** Null of a single member, which is neither concentrated nor spread; so are the others. */
  readonly hhi: number | null;
  readonly nEff: number | null;
  /** Of the weight that has a return; null while that is less than the share asked for. */
  readonly breadth: number | null;
  readonly breadthCount: number | null;
  readonly dispersion: number | null;
};

/**
 * Concentration of the basket, and breadth and dispersion over its members that have a return (M8.4), their weights
 * divided by what they sum to; null where less than `pricedWeight` of the basket has one (M8.4b), all of them where it
 * is a single member (M8.4f). Unrounded.
 */
export function basketFigures(
  members: readonly BasketMember[],
  { pricedWeight }: { readonly pricedWeight: number },
): BasketFigures {
  if (members.length < 2)
    return { hhi: null, nEff: null, breadth: null, breadthCount: null, dispersion: null };
  const hhi = members.reduce((sum, { weight }) => sum + weight * weight, 0);
  const priced = members.flatMap(({ weight, return7d }) => (return7d === null ? [] : [{ weight, return7d }]));
  const known = priced.reduce((sum, { weight }) => sum + weight, 0);
  const concentration = { hhi, nEff: 1 / hhi };
  // a sum of shares may miss the bound by its last bit
  if (known <= 0 || known < pricedWeight - 1e-12)
    return { ...concentration, breadth: null, breadthCount: null, dispersion: null };
  const rising = priced.filter(({ return7d }) => return7d > 0);
  const mean = priced.reduce((sum, { weight, return7d }) => sum + weight * return7d, 0) / known;
  const variance = priced.reduce((sum, m) => sum + m.weight * (m.return7d - mean) ** 2, 0) / known;
  return {
    ...concentration,
    breadth: rising.reduce((sum, { weight }) => sum + weight, 0) / known,
    breadthCount: rising.length / priced.length,
    dispersion: Math.sqrt(variance),
  };
}

/** Breadth of the basket without one member, the rest renormalised (M8.13); null when nothing is left. */
export function breadthWithout(members: readonly BasketMember[], left: number): number | null {
  let known = 0;
  let rising = 0;
  for (const [i, { weight, return7d }] of members.entries()) {
    if (i === left || return7d === null) continue;
    known += weight;
    if (return7d > 0) rising += weight;
  }
  return known > 0 ? rising / known : null;
}
