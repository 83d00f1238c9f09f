import { exitCodes } from '../../data/contract/errors/errorCodes.ts';
import type { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type LastRun, lastRun } from '../../data/contract/release/releaseFiles.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { StoreEffects } from '../effects.ts';
import type { ReleasePaths } from '../release/releasePaths.ts';
import { parsedFile } from '../release/releaseStore.ts';

/**
 * Writes `last-run.json` around a night: `running` before, `ok` or `failed` after (I3.28, I4.F10.1). The failure
 * of the night itself is passed on, even when its note cannot be written.
 */
export async function withLastRun<
  T extends { release: string | null; findings: readonly string[]; healed: readonly string[] },
>(
  {
    paths,
    sourceDate,
    effects,
    describe,
  }: {
    paths: ReleasePaths;
    sourceDate: string;
    effects: StoreEffects;
    describe: (error: unknown) => IssuerError;
  },
  act: () => Promise<T>,
): Promise<T> {
  const { files, clock, log } = effects;
  const started: LastRun = {
    source_date: sourceDate,
    status: 'running',
    started_at_utc: instant(clock.now().getTime()),
    finished_at_utc: null,
    exit_code: null,
    published_release: null,
    reason: null,
    degraded: [],
    healed: [],
  };
  const write = async (change: Partial<LastRun>) => {
    await files.makeDirectory(paths.root);
    const bytes = canonicalJson(lastRun.parse({ ...started, ...change }) as CanonicalValue);
    await replaceFile({ files, path: paths.lastRun, bytes });
  };
  await write({});
  try {
    const outcome = await act();
    const { release, findings, healed } = outcome;
    await write({
      finished_at_utc: instant(clock.now().getTime()),
      exit_code: findings.length === 0 ? exitCodes.done : exitCodes.degraded,
      status: 'ok',
      published_release: release,
      degraded: [...findings],
      healed: [...healed],
    });
    return outcome;
  } catch (error) {
    const { code, exitCode } = describe(error).toCli();
    await write({
      status: 'failed',
      finished_at_utc: instant(clock.now().getTime()),
      exit_code: exitCode,
      reason: code,
    }).catch(() =>
      log({ level: 'warn', step: 'plan', message: `${paths.lastRun} could not be written either` }),
    );
    throw error;
  }
}

/** Adds what was found after the night was published to its `last-run.json`. */
export async function noteFinding({
  paths,
  finding,
  effects,
}: {
  paths: ReleasePaths;
  finding: string;
  effects: Pick<StoreEffects, 'files'>;
}): Promise<void> {
  const run = await parsedFile(lastRun, paths.lastRun);
  const noted = { ...run, exit_code: exitCodes.degraded, degraded: [...run.degraded, finding] };
  const bytes = canonicalJson(lastRun.parse(noted) as CanonicalValue);
  await replaceFile({ files: effects.files, path: paths.lastRun, bytes });
}
