import type { UniverseStats } from '../../data/contract/payloads/universe/latestDailyChanges.ts';

/** How many companies of the delta shown belong to the universe, and how many do not (M6.13). */
export function universeChanges(
  listed: readonly { readonly list: 'changed' | 'new'; readonly row: { readonly cik: string } }[],
  universe: ReadonlySet<string>,
): UniverseStats {
  const inside = listed.filter(({ row }) => universe.has(row.cik));
  return {
    company_count: inside.length,
    new_company_count: inside.filter(({ list }) => list === 'new').length,
    other_company_count: listed.length - inside.length,
  };
}
