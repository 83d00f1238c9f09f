import { existsSync } from 'node:fs';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { StoreEffects } from '../effects.ts';
import { finishWarehouse, ingestNeeded, ingestStep } from './ingestStep.ts';
import {
  type NightRequest,
  type NightRun,
  type Report,
  type StepReport,
  stopIfAsked,
  unchanged,
} from './nightStep.ts';
import { openJournal, type WarehouseEntry } from './plan/journal.ts';
import { type NightPlan, planNight } from './plan/nightPlan.ts';
import { computeStep, publishStep, sliceNeeded } from './sliceSteps.ts';

export type NightOutcome = {
  readonly plan: NightPlan;
  readonly steps: readonly StepReport[];
  /** The release that holds the night; null when nothing was to be published. */
  readonly release: string | null;
  /** What the night lacked or found worse than the night before: exit code 6. */
  readonly findings: readonly string[];
  /** What of the store was damaged and is made again, a sentence each. */
  readonly healed: readonly string[];
  /** What the warehouse holds now. */
  readonly warehouse: WarehouseEntry | null;
};

/**
 * One night: fetch → ingest → compute → publish. A step whose inputs are unchanged is skipped and says why; what
 * is on the disk is complete at every moment, so a run that dies is resumed by running again.
 *
 * @throws IssuerError of the step that failed; the promoted release is untouched then.
 */
export async function runNight(request: NightRequest, effects: StoreEffects): Promise<NightOutcome> {
  const steps: StepReport[] = [];
  const report: Report = (step, status, message) => {
    steps.push({ step, status, message });
    effects.log({
      level: 'info',
      step,
      message,
      fields: { status, source_date: request.night.sourceDate },
    });
  };
  const directory = await fetchStep({ ...request, effects, report });
  const journal = openJournal({ root: request.layout.journal, files: effects.files });
  const plan = await planNight({
    night: request.night,
    kind: request.source.kind,
    directory,
    layout: request.layout,
    journal,
    code: request.code,
    now: effects.clock.now(),
    force: request.force,
  });
  const run: NightRun = { ...request, effects, journal, plan, report };
  const { release, findings } = request.dryRun
    ? { release: await rehearse(run), findings: plan.findings }
    : await buildSlice(run);
  for (const message of findings) effects.log({ level: 'warn', step: 'publish', message });
  return { plan, steps, release, findings, healed: [], warehouse: await journal.warehouse() };
}

async function fetchStep(request: NightRequest & { effects: StoreEffects; report: Report }): Promise<string> {
  stopIfAsked(request.signal);
  const directory = request.source.directory(request);
  const asked = request.steps.has('fetch');
  if (asked && (!request.dryRun || request.source.kind === 'directory')) {
    const fetched = await request.source.fetch(request);
    request.report('fetch', fetched.skipped ? 'skipped' : 'done', fetched.message);
    return fetched.directory;
  }
  if (!existsSync(directory)) {
    throw new IssuerError({
      code: 'input_missing',
      message: `The inputs of ${request.night.sourceDate} have not been fetched.`,
      hint: 'Run the night once without --dry-run, --from and --only.',
      details: { directory },
    });
  }
  request.report(
    'fetch',
    asked ? 'would run' : 'skipped',
    `${asked ? '' : 'not asked for, '}${directory} is read as it is`,
  );
  return directory;
}

/** Says what each step would do, without doing it. */
async function rehearse(run: NightRun): Promise<string | null> {
  const slice = sliceNeeded(run);
  const ingest = await ingestNeeded(run, slice !== null);
  run.report('ingest', ingest === null ? 'skipped' : 'would run', ingest ?? whyNot(run, 'ingest'));
  run.report('compute', slice === null ? 'skipped' : 'would run', slice ?? whyNot(run, 'compute'));
  const publish = run.steps.has('publish') ? slice : null;
  run.report('publish', publish === null ? 'skipped' : 'would run', publish ?? whyNot(run, 'publish'));
  return run.plan.published;
}

async function buildSlice(run: NightRun): Promise<Pick<NightOutcome, 'release' | 'findings'>> {
  const { plan } = run;
  stopIfAsked(run.signal);
  const slice = sliceNeeded(run);
  const ingest = await ingestNeeded(run, slice !== null);
  if (slice !== null) {
    run.effects.log({
      level: 'info',
      step: 'plan',
      message: `${plan.sourceDate} as of ${plan.asOf}, ${slice}`,
    });
    // recorded before its work, so that a resumed night keeps its instant
    await recordNight(run, { release: null, findings: [] });
  }
  const open = ingest === null ? null : await ingestStep(run);
  if (open === null) run.report('ingest', 'skipped', whyNot(run, 'ingest'));
  if (slice === null) {
    if (open !== null) await finishWarehouse(run, open);
    for (const step of ['compute', 'publish'] as const) run.report(step, 'skipped', whyNot(run, step));
    return { release: plan.published, findings: [...new Set([...(open?.findings ?? []), ...plan.findings])] };
  }
  const computed = await computeStep(run, open).catch(async (error: unknown) => {
    // the facts are good even when the slice is refused; a build that is already finished or given up refuses
    if (open !== null) await finishWarehouse(run, open).catch(() => open.build.discard());
    throw error;
  });
  if (!run.steps.has('publish')) {
    run.report('publish', 'skipped', whyNot(run, 'publish'));
    return { release: null, findings: computed.findings };
  }
  const { findings } = computed;
  const release = await publishStep(run, computed);
  await recordNight(run, { release, findings });
  return { release, findings };
}

function recordNight(
  run: NightRun,
  { release, findings }: Pick<NightOutcome, 'release' | 'findings'>,
): Promise<void> {
  return run.journal.writeNight({
    schema_id: 'night_journal.v1',
    source_date: run.plan.sourceDate,
    source: run.source.kind,
    directory: run.source.directory(run),
    as_of: run.plan.asOf,
    inputs: run.plan.sliceKey,
    provenance: { ...run.plan.provenance },
    release,
    degraded: [...findings],
  });
}

function whyNot({ steps, plan }: NightRun, step: 'ingest' | 'compute' | 'publish'): string {
  if (!steps.has(step)) return 'not asked for';
  if (step === 'ingest') return unchanged(plan.ingestKey);
  return `${unchanged(plan.sliceKey)}, as of ${plan.asOf}: release ${plan.published} holds it`;
}
