const cent = 10_000;

/** Price of a search: 0.03 up to ten rows, 0.01 for each ten more begun, 0.01 with contracts, 0.08 at most (I4.VIS.17). */
export function searchPriceMicroUsd({
  limit,
  includeContract,
}: {
  readonly limit: number;
  readonly includeContract: boolean;
}): number {
  const cents = 3 + Math.max(0, Math.ceil((limit - 10) / 10)) + (includeContract ? 1 : 0);
  return Math.min(8, cents) * cent;
}
