import type { DailyChangesArtifact } from '../../data/contract/payloads/universe/latestDailyChanges.ts';
import type { ListedCompany } from './dailyChanges.ts';

/** Companies of a delta, those of the universe apart from the rest of the archive. */
export type UniverseChanges = NonNullable<DailyChangesArtifact['universe_stats']>;

/** How many companies of the delta shown belong to the universe, and how many do not (M6.13). */
export function universeChanges(
  listed: readonly ListedCompany[],
  universe: ReadonlySet<string>,
): UniverseChanges {
  const inside = listed.filter(({ row }) => universe.has(row.cik));
  return {
    company_count: inside.length,
    new_company_count: inside.filter(({ list }) => list === 'new').length,
    other_company_count: listed.length - inside.length,
  };
}

/** The counts that briefs tell; of a delta of an older build, which does not tell them apart, all its companies. */
export function toldChanges({ stats, universe_stats }: DailyChangesArtifact): UniverseChanges {
  if (universe_stats !== undefined) return universe_stats;
  const { changed_company_count: changed, new_company_count: added } = stats;
  return { company_count: changed + added, new_company_count: added, other_company_count: 0 };
}
