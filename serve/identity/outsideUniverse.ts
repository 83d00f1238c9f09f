import { type Registrant, registrants } from '../../data/contract/payloads/universe/registrants.ts';
import type { Release } from '../store/artifactStore.ts';

type Lookup = ReadonlyMap<string, Registrant>;

/**
 * The registrant outside the universe that a label names, by ticker or zero-padded CIK; null where none does, two do, or
 * the release holds no such list (I7.6).
 *
 * @throws IssuerError `artifact_unavailable`
 */
export async function outsideUniverse(release: Release, label: string): Promise<Registrant | null> {
  const key = registrants.key({ slice: release.sourceDate });
  const listed = await release.read(key, readRegistrants);
  return listed?.value.get(label.toUpperCase()) ?? null;
}

function readRegistrants(json: unknown): { readonly value: Lookup } | { readonly fault: string } {
  const parsed = registrants.schema.safeParse(json);
  if (!parsed.success) return { fault: 'it is not a list of registrants' };
  const byLabel = new Map<string, Registrant>();
  const contested = new Set<string>();
  for (const registrant of parsed.data.registrants) {
    for (const label of [registrant.cik, ...registrant.tickers]) {
      if (byLabel.has(label)) contested.add(label);
      byLabel.set(label, registrant);
    }
  }
  for (const label of contested) byLabel.delete(label);
  return { value: byLabel };
}
