import { usageError } from '../../data/contract/errors/issuerError.ts';
import { instantPattern, isCivilDate } from '../../data/contract/values/primitives.ts';
import type { BriefRenderer } from '../briefs/renderBriefs.ts';
import { dataLayout } from '../dataLayout.ts';
import { dryRunFiles, type StoreEffects } from '../effects.ts';
import { requireLayout } from '../release/storeLayout.ts';
import { directoryNights, type Night, type NightSource, planNights } from '../source/nightSource.ts';
import { asIssuerError } from './asIssuerError.ts';
import { edgarNights } from './edgarNights.ts';
import { withLastRun } from './lastRun.ts';
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
      const frame = { paths: layout.artifacts, sourceDate, effects, describe: asIssuerError };
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
