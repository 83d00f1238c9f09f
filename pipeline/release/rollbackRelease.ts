import { rolledBack } from '../../calculators/changes/dailyChanges.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import {
  type DailyChangesArtifact,
  latestDailyChanges,
} from '../../data/contract/payloads/universe/latestDailyChanges.ts';
import { isBackfilled } from '../../data/contract/release/releaseFiles.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { OwnStore, ReleasePaths } from '../dataLayout.ts';
import { parseExact } from '../exactJson.ts';
import { type Artifact, mediaTypes } from './artifact.ts';
import { openRelease } from './openRelease.ts';
import { type Published, publishRelease } from './publishRelease.ts';
import { newestNight, readCurrent, readSlices, releaseParts } from './releaseStore.ts';
import type { SigningKey } from './signingKey.ts';
import { verifyRelease } from './verifyRelease.ts';

/**
 * Publishes an older build again as a new build of its date and points `current` at it (I3.28).
 *
 * @param to a release or a source_date; null means the newest night before the current slice
 * @throws IssuerError `input_missing` when there is nothing older, `usage` when it was backfilled and cannot be current,
 *   `validation_failed` when it does not verify.
 */
export async function rollbackRelease({
  paths,
  to,
  key,
  files,
}: OwnStore & { to: string | null; key: SigningKey }): Promise<Published & { from: string; source: string }> {
  const from = await readCurrent(paths);
  if (from === null) throw nothingOlder('No release has been promoted yet.');
  const source = await rollbackSource(paths, { from, to });
  const { manifest } = await verifyRelease({ paths, name: source, publicKeys: null });
  if (isBackfilled(manifest)) throw backfilledSource(source);
  const changesKey = latestDailyChanges.stored.object.key({ slice: manifest.source_date });
  const changes = await (await openRelease(paths, source)).read(changesKey);
  const kept = manifest.artifacts.filter(({ key }) => key !== changesKey);
  const published = await publishRelease({
    paths,
    key,
    files,
    moveCurrent: true,
    content: {
      sourceDate: manifest.source_date,
      generatedAt: manifest.generated_at,
      sliceStatus: manifest.slice_status,
      artifacts: changes === null ? [] : [rolledBackChanges(changesKey, changes)],
      inputs: { ...manifest.inputs, rollback_from: from, rollback_of: source },
      streamed: async (put) => {
        for (const { key, sha256, bytes, media_type } of kept) {
          const mediaType = mediaTypes.find((type) => type === media_type) ?? 'application/json';
          await put({ key, mediaType, held: { release: source, sha256, bytes } });
        }
      },
    },
  });
  return { ...published, from, source };
}

/** The selector fields of a release that a rollback publishes say so (I3.20). */
function rolledBackChanges(key: string, stored: Uint8Array): Artifact {
  const payload = parseExact(new TextDecoder().decode(stored)) as unknown as DailyChangesArtifact;
  const bytes = Buffer.from(canonicalJson(rolledBack(payload) as unknown as CanonicalValue));
  return { key, mediaType: 'application/json', bytes, coded: true };
}

async function rollbackSource(
  paths: ReleasePaths,
  { from, to }: { from: string; to: string | null },
): Promise<string> {
  const slices = await readSlices(paths);
  if (to !== null) {
    if (to.includes('.')) return to;
    const promoted = slices[to];
    if (promoted === undefined) throw nothingOlder(`No release of ${to} has been promoted.`);
    return promoted;
  }
  const before = Object.entries(slices)
    .filter(([date]) => date < releaseParts(from).sourceDate)
    .sort(([a], [b]) => compareText(a, b))
    .map(([, release]) => ({ release }));
  const night = await newestNight(paths, before);
  if (night === null) throw nothingOlder(`There is no slice before ${from} that a night published.`);
  return night.release;
}

function backfilledSource(release: string): IssuerError {
  return new IssuerError({
    code: 'usage',
    message: `${release} was backfilled: it holds row stores only and cannot be the current release.`,
    hint: 'Name a release of kind full; `issuer release list` shows them.',
  });
}

function nothingOlder(message: string): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message,
    hint: 'See what can be rolled back to with `issuer release list`.',
  });
}
