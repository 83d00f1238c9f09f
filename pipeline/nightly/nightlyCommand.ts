import { IssuerError } from '../../contract/issuerError.ts';
import { instantPattern, isCivilDate } from '../../contract/primitives.ts';
import { dryRunFiles, type StoreEffects } from '../effects.ts';
import { asIssuerError } from './asIssuerError.ts';
import { dataLayout } from './dataLayout.ts';
import { edgarNights } from './edgarNights.ts';
import { withLastRun } from './lastRun.ts';
import { withNightlyLock } from './nightlyLock.ts';
import { directoryNights, type NightSource, planNights } from './nightSource.ts';
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
  o: NightlyOptions & { signal: AbortSignal },
  effects: StoreEffects,
): Promise<NightOutcome[]> {
  const steps = stepsOf(o);
  checkTimes(o);
  const source = await sourceOf(o);
  const layout = dataLayout(o.data);
  const nights = await planNights({ ...o, source, now: effects.clock.now() });
  const request = { source, layout, steps, force: o.force, dryRun: o.dryRun, code: o.code, signal: o.signal };
  if (o.dryRun) {
    const outcomes: NightOutcome[] = [];
    for (const night of nights) outcomes.push(await runNight({ ...request, night }, rehearsal(effects)));
    return outcomes;
  }
  return withNightlyLock({ path: layout.lock, effects }, async () => {
    const outcomes: NightOutcome[] = [];
    for (const night of nights) {
      stopIfAsked(o.signal);
      const { sourceDate, note } = night;
      const title = `night ${sourceDate} of ${source.label}${note === null ? '' : `: ${note}`}`;
      effects.log({ level: 'info', step: 'plan', message: title });
      const frame = { paths: layout.artifacts, sourceDate, effects, describe: asIssuerError };
      outcomes.push(await withLastRun(frame, () => runNight({ ...request, night }, effects)));
    }
    return outcomes;
  });
}

/** A rehearsal may not change a file even by mistake. */
function rehearsal(effects: StoreEffects): StoreEffects {
  return { ...effects, files: dryRunFiles(effects.log) };
}

async function sourceOf(o: NightlyOptions): Promise<NightSource> {
  if (o.source === 'edgar') return edgarNights(o);
  if (o.source !== 'fixtures') return directoryNights(o.source);
  // loaded only when asked for: a deployment need not carry the fixtures
  const { fixtureNights } = await import('../source/fixturesSource.ts');
  return fixtureNights();
}

function stepsOf(o: { from: string | null; only: string | null }): ReadonlySet<NightStep> {
  if (o.from !== null && o.only !== null) {
    throw usage('--from and --only exclude each other.', 'Give one of them.');
  }
  if (o.only !== null) return new Set([stepNamed(o.only, '--only')]);
  if (o.from === null) return new Set(nightSteps);
  return new Set(nightSteps.slice(nightSteps.indexOf(stepNamed(o.from, '--from'))));
}

function stepNamed(name: string, flag: string): NightStep {
  const step = nightSteps.find((s) => s === name);
  if (step === undefined) {
    throw usage(`${flag} ${name.slice(0, 40)} is not a step.`, `The steps are ${nightSteps.join(', ')}.`);
  }
  return step;
}

function checkTimes(o: { date: string | null; asOf: string | null }): void {
  if (o.date !== null && !isCivilDate(o.date)) {
    throw usage(`--date ${o.date.slice(0, 40)} is not a day.`, 'Write it as YYYY-MM-DD.');
  }
  const valid = o.asOf === null || (instantPattern.test(o.asOf) && !Number.isNaN(Date.parse(o.asOf)));
  if (!valid) {
    throw usage(`--as-of ${o.asOf?.slice(0, 40)} is not an instant.`, 'Write it as YYYY-MM-DDTHH:MM:SSZ.');
  }
}

function usage(message: string, hint: string): IssuerError {
  return new IssuerError({ code: 'usage', message, hint });
}
