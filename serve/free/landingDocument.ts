import { type LandingFigures, landing } from '../../data/contract/payloads/universe/landing.ts';
import type { ArtifactReader, Release } from '../store/artifactStore.ts';
import type { LandingNight } from './discoveryDocuments.ts';
import { type DocumentDeps, rememberedDocument } from './documentOf.ts';
import type { FreeDocument } from './freeDocument.ts';

/**
 * The landing page over the figures of the current release, made once for each release and each change of price.
 *
 * @throws IssuerError `artifact_unavailable`
 */
export async function landingDocument(nowMs: number, deps: DocumentDeps): Promise<FreeDocument> {
  const release = await (await deps.snapshot()).current();
  const discovery = deps.discovery(nowMs);
  const key = `landing ${release?.name ?? ''} ${discovery.hashes['pricing']}`;
  return rememberedDocument(deps, key, async () => discovery.landing(await nightOf(release)));
}

async function nightOf(release: Release | null): Promise<LandingNight> {
  if (release === null) return { sourceDate: null, figures: null };
  const { sourceDate } = release;
  const stored = await release.read(landing.key({ slice: sourceDate }), readFigures);
  return { sourceDate, figures: stored?.value ?? null };
}

const readFigures: ArtifactReader<LandingFigures> = (json) => {
  const { success, data } = landing.schema.safeParse(json);
  return success ? { value: data } : { fault: 'it holds no figures of a landing page' };
};
