import { existsSync } from 'node:fs';
import { IssuerError } from '../../contract/issuerError.ts';
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
export async function runNight(o: NightRequest, effects: StoreEffects): Promise<NightOutcome> {
  const steps: StepReport[] = [];
  const report: Report = (step, status, message) => {
    steps.push({ step, status, message });
    effects.log({ level: 'info', step, message, fields: { status, source_date: o.night.sourceDate } });
  };
  const directory = await fetchStep({ ...o, effects, report });
  const journal = openJournal({ root: o.layout.journal, files: effects.files });
  const plan = await planNight({
    night: o.night,
    kind: o.source.kind,
    directory,
    layout: o.layout,
    journal,
    code: o.code,
    now: effects.clock.now(),
  });
  const context: NightContext = { ...o, effects, journal, plan, report };
  const release = o.dryRun ? await rehearse(context) : await buildSlice(context);
  return { plan, steps, release, warehouse: await journal.warehouse() };
}

async function fetchStep(o: NightRequest & { effects: StoreEffects; report: Report }): Promise<string> {
  stopIfAsked(o.signal);
  const directory = o.source.directory(o);
  const asked = o.steps.has('fetch');
  if (asked && (!o.dryRun || o.source.kind === 'directory')) {
    const fetched = await o.source.fetch(o);
    o.report('fetch', fetched.skipped ? 'skipped' : 'done', fetched.message);
    return fetched.directory;
  }
  if (!existsSync(directory)) {
    throw new IssuerError({
      code: 'input_missing',
      message: `The inputs of ${o.night.sourceDate} have not been fetched.`,
      hint: 'Run the night once without --dry-run, --from and --only.',
      details: { directory },
    });
  }
  o.report(
    'fetch',
    asked ? 'would run' : 'skipped',
    `${asked ? '' : 'not asked for, '}${directory} is read as it is`,
  );
  return directory;
}

/** Says what each step would do, without doing it. */
async function rehearse(o: NightContext): Promise<string | null> {
  const slice = sliceNeeded(o);
  const ingest = await ingestNeeded(o, slice !== null);
  o.report('ingest', ingest === null ? 'skipped' : 'would run', ingest ?? whyNot(o, 'ingest'));
  o.report('compute', slice === null ? 'skipped' : 'would run', slice ?? whyNot(o, 'compute'));
  const publish = o.steps.has('publish') ? slice : null;
  o.report('publish', publish === null ? 'skipped' : 'would run', publish ?? whyNot(o, 'publish'));
  return o.plan.published;
}

async function buildSlice(o: NightContext): Promise<string | null> {
  const { plan } = o;
  stopIfAsked(o.signal);
  const slice = sliceNeeded(o);
  const ingest = await ingestNeeded(o, slice !== null);
  if (slice !== null) {
    o.effects.log({
      level: 'info',
      step: 'plan',
      message: `${plan.sourceDate} as of ${plan.asOf}, ${slice}`,
    });
    // recorded before its work, so that a resumed night keeps its instant
    await recordNight(o, null);
  }
  const open = ingest === null ? null : await ingestStep(o);
  if (open === null) o.report('ingest', 'skipped', whyNot(o, 'ingest'));
  if (slice === null) {
    if (open !== null) await finishWarehouse(o, open);
    for (const step of ['compute', 'publish'] as const) o.report(step, 'skipped', whyNot(o, step));
    return plan.published;
  }
  const computed = await computeStep(o, open).catch(async (error: unknown) => {
    // the facts are good even when the slice is refused; a build that is already finished or given up refuses
    if (open !== null) await finishWarehouse(o, open).catch(() => open.build.discard());
    throw error;
  });
  if (!o.steps.has('publish')) {
    o.report('publish', 'skipped', whyNot(o, 'publish'));
    return null;
  }
  const release = await publishStep(o, computed);
  await recordNight(o, release);
  return release;
}

function recordNight(o: NightContext, release: string | null): Promise<void> {
  return o.journal.writeNight({
    schema_id: 'night_journal.v1',
    source_date: o.plan.sourceDate,
    source: o.source.kind,
    directory: o.source.directory(o),
    as_of: o.plan.asOf,
    inputs: o.plan.sliceKey,
    provenance: { ...o.plan.provenance },
    release,
  });
}

function whyNot(o: NightContext, step: 'ingest' | 'compute' | 'publish'): string {
  if (!o.steps.has(step)) return 'not asked for';
  if (step === 'ingest') return unchanged(o.plan.ingestKey);
  return `${unchanged(o.plan.sliceKey)}, as of ${o.plan.asOf}: release ${o.plan.published} holds it`;
}
