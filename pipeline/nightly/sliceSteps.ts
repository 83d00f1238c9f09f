import type { FilingChoreography } from '../../calculators/choreography/filingChoreography.ts';
import type { ResolutionTrail } from '../../calculators/resolutionTrail.ts';
import { keepNightChanges } from '../changes/keepNightChanges.ts';
import { readHolidays } from '../changes/readHolidays.ts';
import { readPreviousSlice } from '../changes/readStandings.ts';
import { writeFilingEvents } from '../choreography/writeFilingEvents.ts';
import { type ComputedSlice, computeSlice } from '../compute/computeSlice.ts';
import { issuerMaps } from '../compute/issuerMaps.ts';
import { openPositionCache } from '../compute/positionCache.ts';
import { writeHistoryEntry } from '../history/historyJournal.ts';
import { type HistoryRequest, streamHistory } from '../history/streamHistory.ts';
import { modelCardArtifacts } from '../modelCard/modelCardArtifacts.ts';
import { pruneReleases } from '../release/pruneReleases.ts';
import { publishRelease } from '../release/publishRelease.ts';
import { openSigningKey } from '../release/signingKey.ts';
import { writeAlphaRows } from '../warehouse/alphaRows.ts';
import { type Database, openForReading } from '../warehouse/openDatabase.ts';
import { writeStressRows } from '../warehouse/stressRows.ts';
import { finishWarehouse, type OpenWarehouse, openWarehouse } from './ingestStep.ts';
import { digestOf } from './inputHashes.ts';
import { type NightContext, stopIfAsked } from './nightStep.ts';

/** The reason why the slice has to be built; null when its release is there or nobody asked. */
export function sliceNeeded(o: Pick<NightContext, 'steps' | 'force' | 'plan'>): string | null {
  if (!o.steps.has('compute') && !o.steps.has('publish')) return null;
  if (o.force) return 'asked for by --force';
  if (o.plan.published !== null) return null;
  const { changed } = o.plan;
  if (changed.length === 0) return 'no release holds this slice yet';
  const more = changed.length > 3 ? ` and ${changed.length - 3} more` : '';
  return `changed: ${changed.slice(0, 3).join(', ')}${more}`;
}

/** A slice with the filing choreography known on its date. */
type NightSlice = ComputedSlice & { readonly choreographies: ReadonlyMap<string, FilingChoreography> };

/**
 * Computes the slice from the build of this night, or from the current warehouse when nothing was ingested, then
 * puts its rows behind view `stress` and publishes the warehouse.
 */
export async function computeStep(o: NightContext, open: OpenWarehouse | null): Promise<NightSlice> {
  const computed = open === null ? await fromCurrent(o) : await compute(o, open.build.connection);
  const n = computed.results.length;
  o.report(
    'compute',
    'done',
    `${n} of ${o.plan.issuers.length} issuers have a row (${computed.reused} filings resolved before, ` +
      `${n - computed.reused} now), ${computed.artifacts.length} artifacts; the release gate holds`,
  );
  await keepStress(o, { open, computed });
  return computed;
}

async function compute(o: NightContext, connection: Database['connection']): Promise<NightSlice> {
  const { plan } = o;
  stopIfAsked(o.signal);
  const cache = openPositionCache({
    root: o.layout.positions,
    version: digestOf({ code: o.code, 'parameters.json': plan.provenance['parameters.json'] ?? '' }),
    files: o.effects.files,
  });
  const computed = await computeSlice({
    ...plan,
    connection,
    cache,
    compare: {
      previous: await readPreviousSlice({ paths: o.layout.artifacts, history: plan.history }),
      calendar: await readHolidays(),
    },
    log: o.effects.log,
    stopIfAsked: () => stopIfAsked(o.signal),
  });
  await cache.prune();
  const { covenantRows } = computed.slice;
  const maps = await issuerMaps(connection, { paths: o.layout.artifacts, plan, covenantRows });
  return {
    ...computed,
    artifacts: [...computed.artifacts, ...maps.artifacts],
    choreographies: maps.choreographies,
  };
}

async function fromCurrent(o: NightContext): Promise<NightSlice> {
  const database = await openForReading(o.layout.database);
  try {
    return await compute(o, database.connection);
  } finally {
    database.close();
  }
}

async function keepStress(
  o: NightContext,
  { open, computed }: { open: OpenWarehouse | null; computed: NightSlice },
): Promise<void> {
  const entry = open?.entry ?? (await o.journal.warehouse());
  if (entry === null) return;
  const build = open?.build ?? (await openWarehouse(o));
  try {
    const night = { sourceDate: o.plan.sourceDate, methodVersion: o.plan.parameters.version };
    await writeStressRows(build.connection, computed.slice.covenantRows, {
      ...night,
      trails: trailsOf(computed),
    });
    await writeAlphaRows(build.connection, computed.slice, night);
    await writeFilingEvents(build.connection, computed.choreographies, night);
    if (computed.changes !== null) await keepNightChanges(build.connection, computed.changes);
  } catch (error) {
    await build.discard();
    throw error;
  }
  await finishWarehouse(o, { build, entry });
}

function trailsOf({ results }: ComputedSlice): Map<string, ResolutionTrail> {
  return new Map(
    results.flatMap(({ issuer, trail }) => (trail === null ? [] : [[issuer.cik, trail] as const])),
  );
}

/** Publishes the computed slice and prunes builds past their replay window. */
export async function publishStep(o: NightContext, computed: ComputedSlice): Promise<string> {
  const { plan, effects, layout } = o;
  stopIfAsked(o.signal);
  const published = await publishRelease({
    paths: layout.artifacts,
    key: await openSigningKey({ path: layout.signingKey, files: effects.files }),
    moveCurrent: plan.moveCurrent,
    files: effects.files,
    content: {
      sourceDate: plan.sourceDate,
      generatedAt: plan.asOf,
      sliceStatus: computed.sliceStatus,
      artifacts: [...computed.artifacts, ...modelCardArtifacts(plan)],
      inputs: plan.provenance,
      streamed: plan.backfilled ? null : (put) => streamHistory(historyRequest(o, computed), put),
    },
  });
  if (plan.moveCurrent) await recordHistory(o, { computed, release: published.release });
  const how = published.reused
    ? 'holds this content already'
    : `${published.files} artifacts, signed and verified`;
  o.report('publish', 'done', `release ${published.release}: ${how}`);
  if (computed.sliceStatus === 'partial') {
    effects.log({
      level: 'warn',
      step: 'publish',
      message: 'the slice is partial: fewer than 90 % of the issuers of the slice before have a row',
    });
  }
  const pruned = await pruneReleases({
    paths: layout.artifacts,
    now: effects.clock.now(),
    files: effects.files,
  });
  if (pruned.length > 0) {
    effects.log({ level: 'info', step: 'publish', message: `pruned superseded builds ${pruned.join(', ')}` });
  }
  return published.release;
}

/** What the histories of the slice are made from: the promoted slices before it and itself. */
function historyRequest(o: NightContext, computed: ComputedSlice): HistoryRequest {
  const { plan, effects, layout } = o;
  return {
    paths: layout.artifacts,
    sourceDate: plan.sourceDate,
    artifacts: computed.artifacts,
    slices: Object.fromEntries(plan.history.map((slice) => [slice.sourceDate, slice.release])),
    known: plan.histories,
    methodVersion: plan.parameters.coreModel,
    spoolDirectory: layout.spool,
    files: effects.files,
    log: effects.log,
    stopIfAsked: () => stopIfAsked(o.signal),
  };
}

async function recordHistory(
  o: NightContext,
  { computed, release }: { computed: ComputedSlice; release: string },
): Promise<void> {
  const { plan, effects, layout } = o;
  const ciks = computed.results.map((result) => result.issuer.cik).sort();
  const slices = [...plan.history, { sourceDate: plan.sourceDate, release, ciks }];
  await writeHistoryEntry({
    journal: layout.journal,
    files: effects.files,
    entry: {
      release,
      slices: Object.fromEntries(slices.map(({ sourceDate, ...slice }) => [sourceDate, slice])),
    },
  });
}
