import { existsSync } from 'node:fs';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import type { StoreEffects } from '../effects.ts';
import { finishWarehouse, ingestNeeded, ingestStep } from './ingestStep.ts';
import { openJournal, type WarehouseEntry } from './journal.ts';
import { type NightPlan, planNight } from './nightPlan.ts';
import {
  type NightContext,
  type NightRequest,
  type Report,
  type StepReport,
  stopIfAsked,
  unchanged,
} from './nightStep.ts';
import { computeStep, publishStep, sliceNeeded } from './sliceSteps.ts';

export type NightOutcome = {
  readonly plan: NightPlan;
  readonly steps: readonly StepReport[];
  /** The release that holds the night; null when nothing was to be published. */
  readonly release: string | null;
  /** What the warehouse holds now. */
  readonly warehouse: WarehouseEntry | null;
};

/**
 * One night: fetch → ingest → compute → publish. A step whose inputs are unchanged is skipped and says why; what
 * is on the disk is complete at every moment, so a run that dies is resumed by running again.
 *
 * @throws IssuerError of the step that failed; the promoted release is untouched then.
 */
export async function runNight(nightRequest: NightRequest, effects: StoreEffects): Promise<NightOutcome> {
  const steps: StepReport[] = [];
  const report: Report = (step, status, message) => {
    steps.push({ step, status, message });
    effects.log({
      level: 'info',
      step,
      message,
      fields: { status, source_date: nightRequest.night.sourceDate },
    });
  };
  const directory = await fetchStep({ ...nightRequest, effects, report });
  const journal = openJournal({ root: nightRequest.layout.journal, files: effects.files });
  const plan = await planNight({
    night: nightRequest.night,
    kind: nightRequest.source.kind,
    directory,
    layout: nightRequest.layout,
    journal,
    code: nightRequest.code,
    now: effects.clock.now(),
  });
  const context: NightContext = { ...nightRequest, effects, journal, plan, report };
  const release = nightRequest.dryRun ? await rehearse(context) : await buildSlice(context);
  return { plan, steps, release, warehouse: await journal.warehouse() };
}

async function fetchStep(input: NightRequest & { effects: StoreEffects; report: Report }): Promise<string> {
  stopIfAsked(input.signal);
  const directory = input.source.directory(input);
  const asked = input.steps.has('fetch');
  if (asked && (!input.dryRun || input.source.kind === 'directory')) {
    const fetched = await input.source.fetch(input);
    input.report('fetch', fetched.skipped ? 'skipped' : 'done', fetched.message);
    return fetched.directory;
  }
  if (!existsSync(directory)) {
    throw new IssuerError({
      code: 'input_missing',
      message: `The inputs of ${input.night.sourceDate} have not been fetched.`,
      hint: 'Run the night once without --dry-run, --from and --only.',
      details: { directory },
    });
  }
  input.report(
    'fetch',
    asked ? 'would run' : 'skipped',
    `${asked ? '' : 'not asked for, '}${directory} is read as it is`,
  );
  return directory;
}

/** Says what each step would do, without doing it. */
async function rehearse(nightContext: NightContext): Promise<string | null> {
  const slice = sliceNeeded(nightContext);
  const ingest = await ingestNeeded(nightContext, slice !== null);
  nightContext.report(
    'ingest',
    ingest === null ? 'skipped' : 'would run',
    ingest ?? whyNot(nightContext, 'ingest'),
  );
  nightContext.report(
    'compute',
    slice === null ? 'skipped' : 'would run',
    slice ?? whyNot(nightContext, 'compute'),
  );
  const publish = nightContext.steps.has('publish') ? slice : null;
  nightContext.report(
    'publish',
    publish === null ? 'skipped' : 'would run',
    publish ?? whyNot(nightContext, 'publish'),
  );
  return nightContext.plan.published;
}

async function buildSlice(nightContext: NightContext): Promise<string | null> {
  const { plan } = nightContext;
  stopIfAsked(nightContext.signal);
  const slice = sliceNeeded(nightContext);
  const ingest = await ingestNeeded(nightContext, slice !== null);
  if (slice !== null) {
    nightContext.effects.log({
      level: 'info',
      step: 'plan',
      message: `${plan.sourceDate} as of ${plan.asOf}, ${slice}`,
    });
    // recorded before its work, so that a resumed night keeps its instant
    await recordNight(nightContext, null);
  }
  const open = ingest === null ? null : await ingestStep(nightContext);
  if (open === null) nightContext.report('ingest', 'skipped', whyNot(nightContext, 'ingest'));
  if (slice === null) {
    if (open !== null) await finishWarehouse(nightContext, open);
    for (const step of ['compute', 'publish'] as const)
      nightContext.report(step, 'skipped', whyNot(nightContext, step));
    return plan.published;
  }
  const computed = await computeStep(nightContext, open).catch(async (error: unknown) => {
    // the facts are good even when the slice is refused; a build that is already finished or given up refuses
    if (open !== null) await finishWarehouse(nightContext, open).catch(() => open.build.discard());
    throw error;
  });
  if (!nightContext.steps.has('publish')) {
    nightContext.report('publish', 'skipped', whyNot(nightContext, 'publish'));
    return null;
  }
  const release = await publishStep(nightContext, computed);
  await recordNight(nightContext, release);
  return release;
}

function recordNight(nightContext: NightContext, release: string | null): Promise<void> {
  return nightContext.journal.writeNight({
    schema_id: 'night_journal.v1',
    source_date: nightContext.plan.sourceDate,
    source: nightContext.source.kind,
    directory: nightContext.source.directory(nightContext),
    as_of: nightContext.plan.asOf,
    inputs: nightContext.plan.sliceKey,
    provenance: { ...nightContext.plan.provenance },
    release,
  });
}

function whyNot({ steps, plan }: NightContext, step: 'ingest' | 'compute' | 'publish'): string {
  if (!steps.has(step)) return 'not asked for';
  if (step === 'ingest') return unchanged(plan.ingestKey);
  return `${unchanged(plan.sliceKey)}, as of ${plan.asOf}: release ${plan.published} holds it`;
}
