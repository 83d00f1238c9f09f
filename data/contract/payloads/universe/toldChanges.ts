import type { DailyChangesArtifact } from './latestDailyChanges.ts';

/** Companies of a delta, those of the universe apart from the rest of the archive (M6.13). */
export type UniverseStats = NonNullable<DailyChangesArtifact['universe_stats']>;

/** The counts that briefs tell; of a delta of an older build, which does not tell them apart, all its companies. */
export function toldChanges({ stats, universe_stats }: DailyChangesArtifact): UniverseStats {
  if (universe_stats !== undefined) return universe_stats;
  const { changed_company_count: changed, new_company_count: added } = stats;
  return { company_count: changed + added, new_company_count: added, other_company_count: 0 };
}
