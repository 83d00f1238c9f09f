import { exitCodes } from '../../data/contract/errors/errorCodes.ts';
import { usageError } from '../../data/contract/errors/issuerError.ts';
import { type LastRun, lastRun } from '../../data/contract/release/releaseFiles.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { instantPattern, isCivilDate } from '../../data/contract/values/primitives.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { BriefRenderer } from '../briefs/renderBriefs.ts';
import { dataLayout, type ReleasePaths } from '../dataLayout.ts';
import { dryRunFiles, type StoreEffects } from '../effects.ts';
import { parsedFile } from '../release/releaseStore.ts';
import { requireLayout } from '../release/storeLayout.ts';
import { directoryNights, type Night, type NightSource, planNights } from '../source/nightSource.ts';
import { asIssuerError } from './asIssuerError.ts';
import { edgarNights } from './edgarNights.ts';
import { runMendedNight } from './mendStore.ts';
import { withNightlyLock } from './nightlyLock.ts';
import { type NightStep, nightSteps, stopIfAsked } from './nightStep.ts';
import { type NightOutcome, runNight } from './runNight.ts';

export type NightlyOptions = {
  /** `fixtures`, `edgar` or a directory. */
  readonly source: string;
  readonly data: string;
  readonly date: string | null;
  readonly asOf: string | null;
  readonly from: string | null;
  readonly only: string | null;
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Who we are to SEC (`II_EDGAR_CONTACT`). */
  readonly contact: string | undefined;
  /** Free Demo key of the price source (`II_COINGECKO_KEY`); null works too, slower. */
  readonly priceKey: string | null;
  /** Stand-ins of SEC and the price source, for rehearsals. */
  readonly edgarUrl?: string;
  readonly priceUrl?: string;
  /** What chooses the sentences of briefs (M11.5); absent, they are compiled alone. */
  readonly renderer?: BriefRenderer;
  /** What was brought back from another store before, a sentence each. */
  readonly restored?: readonly string[];
  /** What `codeVersion` says of the running program; part of every release's identity. */
  readonly code: string;
};

/**
 * `issuer nightly`: runs one night, or every night the source lists, under the nightly lock.
 *
 * @throws IssuerError `usage` or `configuration` before anything is touched, `locked` while another run is on,
 * otherwise the error of the night that failed; nights before it stay published.
 */
export async function runNightly(
  input: NightlyOptions & { signal: AbortSignal },
  effects: StoreEffects,
): Promise<NightOutcome[]> {
  const steps = stepsOf(input);
  checkTimes(input);
  const source = await sourceOf(input);
  const layout = dataLayout(input.data);
  const nights = await planNights({ ...input, source, now: effects.clock.now() });
  for (const night of nights) refuseFuture(night, effects.clock.now());
  const request = {
    source,
    layout,
    steps,
    force: input.force,
    dryRun: input.dryRun,
    code: input.code,
    ...(input.renderer === undefined ? {} : { renderer: input.renderer }),
    signal: input.signal,
  };
  if (input.dryRun) {
    const outcomes: NightOutcome[] = [];
    for (const night of nights) outcomes.push(await runNight({ ...request, night }, rehearsal(effects)));
    return outcomes;
  }
  await requireLayout(layout.artifacts);
  return withNightlyLock({ path: layout.lock, effects }, async () => {
    const outcomes: NightOutcome[] = [];
    for (const night of nights) {
      stopIfAsked(input.signal);
      const { sourceDate, note } = night;
      const title = `night ${sourceDate} of ${source.label}${note === null ? '' : `: ${note}`}`;
      effects.log({ level: 'info', step: 'plan', message: title });
      const frame = { paths: layout.artifacts, sourceDate, effects };
      outcomes.push(
        await withLastRun(frame, () =>
          runMendedNight({ ...request, night, restored: input.restored ?? [] }, effects),
        ),
      );
    }
    return outcomes;
  });
}

/** A rehearsal may not change a file even by mistake. */
function rehearsal(effects: StoreEffects): StoreEffects {
  return { ...effects, files: dryRunFiles(effects.log) };
}

async function sourceOf(nightlyOptions: NightlyOptions): Promise<NightSource> {
  if (nightlyOptions.source === 'edgar') return edgarNights(nightlyOptions);
  if (nightlyOptions.source !== 'fixtures') return directoryNights(nightlyOptions.source);
  // loaded only when asked for: a deployment need not carry the fixtures
  const { fixtureNights } = await import('../source/fixturesSource.ts');
  return fixtureNights();
}

function stepsOf({ from, only }: { from: string | null; only: string | null }): ReadonlySet<NightStep> {
  if (from !== null && only !== null) {
    throw usageError('--from and --only exclude each other.', 'Give one of them.');
  }
  if (only !== null) return new Set([stepNamed(only, '--only')]);
  if (from === null) return new Set(nightSteps);
  return new Set(nightSteps.slice(nightSteps.indexOf(stepNamed(from, '--from'))));
}

function stepNamed(name: string, flag: string): NightStep {
  const step = nightSteps.find((s) => s === name);
  if (step === undefined) {
    throw usageError(
      `${flag} ${name.slice(0, 40)} is not a step.`,
      `The steps are ${nightSteps.join(', ')}.`,
    );
  }
  return step;
}

function checkTimes({ date, asOf }: { date: string | null; asOf: string | null }): void {
  if (date !== null && !isCivilDate(date)) {
    throw usageError(`--date ${date.slice(0, 40)} is not a day.`, 'Write it as YYYY-MM-DD.');
  }
  const valid = asOf === null || (instantPattern.test(asOf) && !Number.isNaN(Date.parse(asOf)));
  if (!valid) {
    throw usageError(`--as-of ${asOf?.slice(0, 40)} is not an instant.`, 'Write it as YYYY-MM-DDTHH:MM:SSZ.');
  }
}

/** A slice of a day that is not over yet at the plan's instant would make every real night after it a past date. */
function refuseFuture({ sourceDate, asOf }: Night, now: Date): void {
  const plannedAt = asOf ?? now.toISOString();
  if (sourceDate <= plannedAt.slice(0, 10)) return;
  throw usageError(
    `The source date ${sourceDate} is after the instant of the plan, ${plannedAt.slice(0, 19)}Z.`,
    'Give the day of the inputs with --date; --as-of is the instant the slice is computed at.',
  );
}

/**
 * Writes `last-run.json` around a night: `running` before, `ok` or `failed` after (I3.28, I4.F10.1). The failure
 * of the night itself is passed on, even when its note cannot be written.
 */
async function withLastRun(
  { paths, sourceDate, effects }: { paths: ReleasePaths; sourceDate: string; effects: StoreEffects },
  act: () => Promise<NightOutcome>,
): Promise<NightOutcome> {
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
    const { code, exitCode } = asIssuerError(error).toCli();
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
