import type { IssuerTiers } from '../../calculators/market/readings/issuerTruth.ts';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { rowStoreIndex } from '../../data/contract/release/releaseFiles.ts';
import { openRelease, readJson } from '../release/openRelease.ts';
import type { ReleasePaths } from '../release/releasePaths.ts';

/** The risk tier of every issuer of a promoted slice, by CIK. @throws IssuerError `validation_failed` for a damaged build */
export async function readTiers(
  paths: ReleasePaths,
  { sourceDate, release }: { readonly sourceDate: string; readonly release: string },
): Promise<IssuerTiers> {
  const key = covenantStress.stored.rows.indexKey({ slice: sourceDate });
  const index = await readJson(await openRelease(paths, release), { schema: rowStoreIndex, key });
  const tiers = index?.columns['risk_tier'] ?? [];
  return new Map((index?.columns['cik'] ?? []).map((cik, i) => [String(cik), String(tiers[i])]));
}
