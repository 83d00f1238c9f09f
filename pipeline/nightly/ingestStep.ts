import { existsSync } from 'node:fs';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Log } from '../effects.ts';
import { changedWarehouse, isAsLeft } from '../warehouse/build/buildRecord.ts';
import { type Build, openBuild } from '../warehouse/build/warehouseBuild.ts';
import { type NightRun, stopIfAsked } from './nightStep.ts';
import type { WarehouseEntry } from './plan/journal.ts';
import { heldInputs } from './plan/keptInputs.ts';
import { heldOfRefused, refusedInputs, refusedSentence } from './refusedInputs.ts';

/** An unpublished build and its journal entry to be. */
export type OpenWarehouse = {
  readonly build: Build;
  readonly entry: WarehouseEntry;
  /** What the operator should know of how it was built. */
  readonly findings: readonly string[];
};

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/**
 * The reason why the warehouse has to be built for this night; null when it need not.
 *
 * @throws IssuerError `input_missing` when it has to be but ingest was not asked for.
 */
export async function ingestNeeded(
  { layout, journal, plan, steps, force }: NightRun,
  sliceNeeded: boolean,
): Promise<string | null> {
  const present = existsSync(layout.database);
  const held = present ? await journal.warehouse() : null;
  const same = held?.inputs === plan.ingestKey;
  // a slice computed without reading anything again stands on every byte of it
  const asLeft = async () => !sliceNeeded || (await isAsLeft({ warehouseRoot: layout.warehouse }));
  if (!steps.has('ingest')) {
    if (!sliceNeeded || (same && (await asLeft()))) return null;
    throw new IssuerError({
      code: 'input_missing',
      message: `${same ? capitalized(changedWarehouse) : 'The warehouse does not hold the inputs of this night'}.`,
      hint: 'Run the night without --from and --only, or with --from ingest.',
    });
  }
  if (force) return 'asked for by --force';
  // a night with the archive of another one is a scan too: it says that nothing changed (M6.4)
  const newNight = sliceNeeded && held !== null && held.scanned < plan.sourceDate;
  if (same && newNight) return 'the archive has not been compared for this night yet';
  if (same) return (await asLeft()) ? null : changedWarehouse;
  // the release is there already: an older night need not displace what the warehouse holds
  if (!sliceNeeded && steps.has('compute')) return null;
  return present ? 'the warehouse holds other inputs' : 'there is no warehouse yet';
}

/** Reads the inputs into a new build; the caller finishes or discards it. */
export async function ingestStep(run: NightRun): Promise<OpenWarehouse> {
  const { plan, effects } = run;
  const started = effects.clock.now().getTime();
  const build = await openWarehouse(run);
  try {
    refuseLostRows(run, build);
    const scan = {
      sourceDate: plan.sourceDate,
      published: plan.history.map((slice) => slice.sourceDate),
      limits: plan.parameters.archiveScan,
    };
    const report = await build.ingest({
      inputs: plan.inputs,
      kept: plan.kept,
      universe: plan.issuers,
      ...(run.force ? {} : { lostShare: scan.limits.lostShare, closeBounds: plan.parameters.closeBounds }),
      scan,
    });
    stopIfAsked(run.signal);
    const seconds = (effects.clock.now().getTime() - started) / 1000;
    const changed = report.changed.length + report.added.length + report.removed.length;
    const n = (count: number) => count.toLocaleString('en');
    const rate = report.facts > 0 && seconds > 0 ? ` (${n(Math.round(report.facts / seconds))} facts/s)` : '';
    run.report(
      'ingest',
      'done',
      `${n(changed)} of ${n(report.entries)} companies new or changed, ${n(report.facts)} facts read in ` +
        `${seconds.toFixed(1)} s${rate}, ${n(report.factRows)} held; ${n(report.xbrl.changed)} of ` +
        `${n(report.xbrl.filings)} filings read anew (${n(report.xbrl.facts)} facts)`,
    );
    for (const { name, reason } of report.quarantined) {
      effects.log({ level: 'warn', step: 'ingest', message: `${name} is quarantined: ${reason}` });
    }
    const previous = await run.journal.warehouse();
    const refused = refusedInputs(report.refusedInputs, {
      kept: plan.kept,
      previous,
      ciks: plan.issuers.map(({ cik }) => cik),
    });
    const entry: WarehouseEntry = {
      schema_id: 'warehouse_journal.v1',
      inputs: plan.ingestKey,
      scanned: plan.sourceDate,
      build: build.id,
      facts: report.factRows,
      filings: report.filings,
      prices: report.prices,
      acceptance: { ...report.acceptance },
      refused: [...refused],
      held: heldOfRefused(heldInputs(plan, plan.sourceDate), { refused, previous }),
      quarantined: report.quarantined.slice(0, 1000).map(({ name, reason }) => ({ name, reason })),
    };
    return {
      build,
      entry,
      findings: [
        ...(build.start === 'changed' ? [`${changedWarehouse}: its facts were read again`] : []),
        ...refused.map(refusedSentence),
      ],
    };
  } catch (error) {
    await build.discard();
    throw error;
  }
}

/** Rows of an input that is not available are in the last build or nowhere. */
function refuseLostRows({ plan }: NightRun, { start }: Build): void {
  if (start === 'carried' || plan.kept.length === 0) return;
  const names = plan.kept.map(({ name }) => name);
  const why =
    start === 'changed' ? changedWarehouse : 'the last warehouse is of another version of the program';
  throw new IssuerError({
    code: 'validation_failed',
    message: `${names.slice(0, 3).join(', ')} would be read from the last warehouse, and ${why}.`,
    hint: 'Put these inputs back and run the night again; --force goes on without what was known of them.',
    details: { inputs: names },
  });
}

/** Starts a build for this night. */
export function openWarehouse(run: NightRun): Promise<Build> {
  return openBuild({
    warehouseRoot: run.layout.warehouse,
    buildId: `${run.plan.sourceDate}-${run.effects.clock.now().getTime()}-${process.pid}`,
    effects: { ...run.effects, log: progressOf(run) },
  });
}

/**
 * The step says what it did and refused from the report; of the reader's own lines only progress passes. Between two
 * batches is also where a run that was asked to stop ends.
 */
function progressOf({ signal, effects }: NightRun): Log {
  return (event) => {
    stopIfAsked(signal);
    const isProgress = event.fields?.['total'] !== undefined;
    if (event.step !== 'ingest' || isProgress) effects.log(event);
  };
}

/** Publishes a build as the current warehouse; a crash in between leaves no journal entry that claims too much. */
export async function finishWarehouse(
  { journal }: NightRun,
  open: Pick<OpenWarehouse, 'build' | 'entry'>,
): Promise<void> {
  await journal.forgetWarehouse();
  await open.build.finish();
  await journal.writeWarehouse({ ...open.entry, build: open.build.id });
}
