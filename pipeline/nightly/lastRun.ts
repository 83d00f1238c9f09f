import { type CanonicalValue, canonicalJson } from '../../contract/canonicalJson.ts';
import type { IssuerError } from '../../contract/issuerError.ts';
import { type LastRun, lastRun } from '../../contract/releaseFiles.ts';
import { replaceFile, type StoreEffects } from '../effects.ts';
import type { ReleasePaths } from '../release/releaseStore.ts';

/** An instant as it is published: UTC, whole seconds. */
export function instant(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/**
 * Writes `last-run.json` around a night: `running` before, `ok` or `failed` after (I3.28, I4.F10.1). The failure
 * of the night itself is passed on, even when its note cannot be written.
 */
export async function withLastRun<T extends { release: string | null }>(
  o: {
    paths: ReleasePaths;
    sourceDate: string;
    effects: StoreEffects;
    describe: (error: unknown) => IssuerError;
  },
  act: () => Promise<T>,
): Promise<T> {
  const { files, clock, log } = o.effects;
  const started: LastRun = {
    source_date: o.sourceDate,
    status: 'running',
    started_at_utc: instant(clock.now()),
    finished_at_utc: null,
    exit_code: null,
    published_release: null,
    reason: null,
  };
  const write = async (change: Partial<LastRun>) => {
    await files.makeDirectory(o.paths.root);
    const bytes = canonicalJson(lastRun.parse({ ...started, ...change }) as CanonicalValue);
    await replaceFile(files, { path: o.paths.lastRun, bytes });
  };
  await write({});
  try {
    const outcome = await act();
    const finished = { finished_at_utc: instant(clock.now()), exit_code: 0 };
    await write({ ...finished, status: 'ok', published_release: outcome.release });
    return outcome;
  } catch (error) {
    const { code, exitCode } = o.describe(error).toCli();
    await write({
      status: 'failed',
      finished_at_utc: instant(clock.now()),
      exit_code: exitCode,
      reason: code,
    }).catch(() =>
      log({ level: 'warn', step: 'plan', message: `${o.paths.lastRun} could not be written either` }),
    );
    throw error;
  }
}
