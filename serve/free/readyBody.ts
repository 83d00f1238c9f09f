import type { Ready } from '../../data/contract/emit/operations.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { LastRun, WithdrawnSlice } from '../../data/contract/release/releaseFiles.ts';
import { ageMinutes, isLastNight, sliceAgeDays } from '../../data/contract/values/instant.ts';
import { versions } from '../../data/contract/values/versions.ts';
import type { ArtifactStore, Release, Snapshot } from '../store/artifactStore.ts';
import { remoteSentences } from '../store/remoteHealth.ts';

type Check = Ready['checks']['ledger'];
const ok: Check = { status: 'ok', detail: null };

/** Whether paid calls can be served, and from which release (I4.F10.1). */
export async function readyBody(deps: {
  store: ArtifactStore;
  ledger(): Promise<Check>;
  rails: { readonly x402: Check; readonly mpp: Check };
  discovery: Readonly<Record<string, string>>;
  nowMs: number;
}): Promise<Ready> {
  const [found, ledger, lastRun] = await Promise.all([
    currentRelease(deps.store),
    deps.ledger(),
    deps.store.lastRun(),
  ]);
  const { release } = found;
  const faults = release === null ? [] : await deps.store.faults(release.name);
  const ageDays = release === null ? null : sliceAgeDays(release.sourceDate, deps.nowMs);
  const slice =
    release === null
      ? failing('no slice is promoted')
      : { ...ok, detail: sentences([oldSlice(release.sourceDate, ageDays), degradedNight(lastRun)]) };
  const ready =
    found.store.status === 'ok' &&
    found.manifest.status === 'ok' &&
    ledger.status === 'ok' &&
    release !== null;
  return {
    ready,
    service: versions.service,
    version: versions.api,
    source_date: release?.sourceDate ?? null,
    age_minutes: release === null ? null : ageMinutes(release.generatedAt, deps.nowMs),
    slice_age_days: ageDays,
    checks: {
      artifact_store: degradedStore(found.store, [
        ...remoteSentences(deps.store.remote()),
        ...faults.map(({ message }) => message),
      ]),
      manifest: found.manifest,
      ledger,
      settlement_x402: deps.rails.x402,
      settlement_mpp: deps.rails.mpp,
      slice,
    },
    manifest:
      release === null
        ? null
        : {
            version: release.name,
            sha256: release.manifestSha256,
            key_id: release.keyId,
            artifact_count: release.artifactCount,
          },
    discovery: { ...deps.discovery },
    last_run: lastRun === null ? null : shownRun(lastRun),
    withdrawn_slices: [...found.withdrawn],
  };
}

/** A slice that is not that of last night is served all the same, and says its age. */
function oldSlice(sourceDate: string, ageDays: number | null): string | null {
  return isLastNight(ageDays) ? null : `the newest slice, ${sourceDate}, is ${ageDays} days old`;
}

function sentences(told: readonly (string | null)[]): string | null {
  const said = told.filter((one) => one !== null);
  return said.length === 0 ? null : said.join('; ');
}

/** What the last night lacked; the slice is served all the same. */
function degradedNight(run: LastRun | null): string | null {
  const [first, ...more] = run?.degraded ?? [];
  if (first === undefined) return null;
  return `the last night is degraded: ${first}${more.length === 0 ? '' : ` (and ${more.length} more)`}`;
}

/** What of the slice cannot be served; all else of it is, each file after its own check. */
function degradedStore(store: Check, [first, ...more]: readonly string[]): Check {
  if (first === undefined || store.status !== 'ok') return store;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return { status: 'degraded', detail: `${first}${others}` };
}

function failing(detail: string): Check {
  return { status: 'failing', detail };
}

async function currentRelease(store: ArtifactStore): Promise<{
  release: Release | null;
  withdrawn: readonly WithdrawnSlice[];
  store: Check;
  manifest: Check;
}> {
  let snapshot: Snapshot;
  try {
    snapshot = await store.snapshot();
  } catch (error) {
    return { release: null, withdrawn: [], store: failing(sentence(error)), manifest: failing('not read') };
  }
  const { withdrawn } = snapshot;
  try {
    const release = await snapshot.current();
    return {
      release,
      withdrawn,
      store: ok,
      manifest: release === null ? failing('no release is promoted') : ok,
    };
  } catch (error) {
    return { release: null, withdrawn, store: ok, manifest: failing(sentence(error)) };
  }
}

// only our own sentences are shown: a system error names paths
function sentence(error: unknown): string {
  return error instanceof IssuerError ? error.message : 'it cannot be read';
}

function shownRun(run: LastRun): Ready['last_run'] {
  const { source_date, status, finished_at_utc, exit_code, published_release, degraded } = run;
  return { source_date, status, finished_at_utc, exit_code, published_release, degraded };
}
