import { compareText } from '../../data/contract/values/compareText.ts';
import { type RiskTier, riskTiers } from '../../data/contract/values/enums.ts';

/** One issuer's tier as of one day. */
export type TierOnDate = { readonly issuer: string; readonly date: string; readonly tier: RiskTier };

/** Moves between the tiers of an issuer's consecutive filings: `moves[from][to]` is their number (M12.12). */
export type TierMigration = {
  readonly tiers: readonly RiskTier[];
  readonly moves: readonly (readonly number[])[];
};

/** Counts from which tier to which each issuer moved with its next filing; rows in any order. */
export function tierMigration(rows: readonly TierOnDate[]): TierMigration {
  const moves = riskTiers.map(() => riskTiers.map(() => 0));
  for (const ofIssuer of Map.groupBy(rows, (row) => row.issuer).values()) {
    const ordered = ofIssuer.toSorted((a, b) => compareText(a.date, b.date));
    ordered.slice(1).forEach((row, i) => {
      const line = moves[riskTiers.indexOf(ordered[i]?.tier ?? row.tier)];
      const to = riskTiers.indexOf(row.tier);
      if (line !== undefined) line[to] = (line[to] ?? 0) + 1;
    });
  }
  return { tiers: riskTiers, moves };
}
