import type { FilingChoreography } from '../../calculators/choreography/filingChoreography.ts';
import { addDays } from '../../calculators/exact/civilDate.ts';
import type { ResolutionTrail } from '../../calculators/trail/resolutionTrail.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { readHolidays } from '../changes/readHolidays.ts';
import { readPreviousSlice } from '../changes/readStandings.ts';
import { keepNightChanges } from '../changes/storedNight.ts';
import { choreographyOf } from '../choreography/choreographyOf.ts';
import { writeFilingEvents } from '../choreography/writeFilingEvents.ts';
import { openFieldMapCache, openPointCache } from '../compute/fieldMapCache.ts';
import { fieldMapMembers } from '../compute/fieldMapHistory.ts';
import { type LeftOut, type LeftOutArtifact, leftOutArtifactSentences } from '../compute/leftOut.ts';
import { openPositionCache, type PositionCache } from '../compute/positionCache.ts';
import { type ComputedSlice, computeSlice } from '../families/computeSlice.ts';
import { releaseStream } from '../families/releaseArtifacts.ts';
import { writeHistoryEntry } from '../history/historyJournal.ts';
import type { HistoryRequest } from '../history/streamHistory.ts';
import { staleProducts } from '../market/factorRows.ts';
import { marketStep } from '../market/marketStep.ts';
import { methodDigest } from '../modelCard/readRegistry.ts';
import { keepRecord } from '../record/keepRecord.ts';
import { pruneReleases } from '../release/pruneReleases.ts';
import { publishRelease } from '../release/publishRelease.ts';
import { standingCurrent } from '../release/releaseStore.ts';
import { openSigningKey } from '../release/signingKey.ts';
import { prunedText } from '../release/storeTexts.ts';
import type { InputHashes } from '../source/inputHashes.ts';
import { type Database, openForReading } from '../warehouse/build/openDatabase.ts';
import { writeAlphaRows } from '../warehouse/derived/alphaRows.ts';
import { writeHoldingRows } from '../warehouse/derived/holdingRows.ts';
import { writeStressRows } from '../warehouse/derived/stressRows.ts';
import { selectStatements } from '../warehouse/reports/storedStatements.ts';
import { countCompanies, selectListedTickers } from '../warehouse/select/selectCompanies.ts';
import { selectNewestCloses, selectRefusedCloses } from '../warehouse/select/selectPrices.ts';
import { asIssuerError } from './asIssuerError.ts';
import { finishWarehouse, type OpenWarehouse, openWarehouse } from './ingestStep.ts';
import { carriedCloses, freshDays, nightFindings } from './nightFindings.ts';
import { type NightRun, stopIfAsked } from './nightStep.ts';
import type { RefusedInput, WarehouseEntry } from './plan/journal.ts';
import { keptHash } from './plan/keptInputs.ts';
import { inputNotesOf, refusedSentence } from './refusedInputs.ts';

/** The reason why the slice has to be built; null when its release is there or the step was not asked for. */
export function sliceNeeded({
  steps,
  force,
  plan,
}: Pick<NightRun, 'steps' | 'force' | 'plan'>): string | null {
  if (!steps.has('compute') && !steps.has('publish')) return null;
  if (force) return 'asked for by --force';
  if (plan.published !== null) return null;
  if (plan.fallen !== null) return plan.fallen;
  const { changed } = plan;
  if (changed.length === 0) return 'no release holds this slice yet';
  const more = changed.length > 3 ? ` and ${changed.length - 3} more` : '';
  return `changed: ${changed.slice(0, 3).join(', ')}${more}`;
}

/** A slice with the filing choreography known on its date. */
type NightSlice = ComputedSlice & {
  readonly choreographies: ReadonlyMap<string, FilingChoreography>;
  /** What the night lacks, or finds worse than the night before. */
  readonly findings: readonly string[];
};

/** What is published, with what the manifest says it was made from. */
type PublishedSlice = NightSlice & { readonly inputs: InputHashes };

/**
 * Computes the slice from the build of this night, or from the current warehouse when nothing was ingested, then
 * puts its rows behind view `stress` and publishes the warehouse.
 */
export async function computeStep(run: NightRun, open: OpenWarehouse | null): Promise<PublishedSlice> {
  const warehouse = open?.entry ?? (await run.journal.warehouse());
  const refused = warehouse?.refused ?? [];
  const market = open === null ? [] : await marketRows(run, open);
  const slice =
    open === null
      ? await fromCurrent(run, refused)
      : await compute(run, { connection: open.build.connection, refused });
  // what the warehouse was built without is said on every night over it
  const built = open?.findings ?? refused.map(refusedSentence);
  const products = [...slice.productsLeftOut].map(
    ([product, reason]) => `${product} is left out of the slice: ${reason}`,
  );
  const unmade = leftOutArtifactSentences(slice.artifactsLeftOut);
  const computed = { ...slice, findings: [...built, ...market, ...products, ...unmade, ...slice.findings] };
  const n = computed.results.length;
  run.report(
    'compute',
    'done',
    `${n} of ${run.plan.issuers.length} issuers have a row (${computed.reused} filings resolved before, ` +
      `${n - computed.reused} now), ${computed.artifacts.length} artifacts; the release gate holds`,
  );
  await keepStress(run, { open, computed });
  return {
    ...computed,
    inputs: manifestInputs(run.plan.provenance, { ...computed, warehouse }),
  };
}

/** Brings the market rows of the build up to the night; regardless of what becomes of them, the issuers' half goes on. */
async function marketRows(
  { plan, signal, effects }: NightRun,
  { build }: OpenWarehouse,
): Promise<readonly string[]> {
  try {
    const { connection } = build;
    const { rows, findings } = await marketStep({
      ...plan,
      connection,
      stopIfAsked: () => stopIfAsked(signal),
    });
    const message = `${rows.toLocaleString('en')} market rows computed`;
    if (rows > 0) effects.log({ level: 'info', step: 'compute', message });
    return [...findings, ...(await staleProducts(connection, plan))];
  } catch (error) {
    const known = asIssuerError(error);
    if (known.code !== 'validation_failed' && known.code !== 'internal') throw error;
    return [`the market rows of this night are missing: ${known.message.replace(/\.$/, '')}`];
  }
}

async function compute(
  run: NightRun,
  { connection, refused }: { connection: Database['connection']; refused: readonly RefusedInput[] },
): Promise<NightSlice> {
  const { plan, signal, layout, code, effects, renderer } = run;
  stopIfAsked(signal);
  const { files } = effects;
  const version = methodDigest(code, plan.provenance);
  const cache = positionsOf(run);
  const paths = layout.artifacts;
  const calendar = await readHolidays();
  const statements = await selectStatements(connection, plan.sourceDate);
  const choreographies = await choreographyOf(connection, { ...plan, calendar, statements });
  const previous = await readPreviousSlice({ paths, history: plan.history });
  const computed = await computeSlice({
    ...plan,
    statements,
    inputNotes: inputNotesOf(plan.inputNotes, refused),
    connection,
    cache,
    night: {
      previous,
      calendar,
      choreographies,
      paths,
      kept: {
        rows: openFieldMapCache({ root: layout.fieldMaps, members: fieldMapMembers, files }),
        points: openPointCache({ root: layout.fieldMaps, files }),
        version,
      },
      modelCard: plan.modelCard,
      products: plan.products,
      ...(renderer === undefined ? {} : { renderer }),
    },
    log: effects.log,
    stopIfAsked: () => stopIfAsked(signal),
  });
  await cache.prune();
  const newestCloses = await selectNewestCloses(connection, { upTo: plan.sourceDate });
  for (const message of carriedCloses(plan.sourceDate, newestCloses))
    effects.log({ level: 'warn', step: 'compute', message });
  const companies = await countCompanies(connection);
  const listed = await selectListedTickers(connection);
  const refusedCloses = await selectRefusedCloses(connection, {
    from: addDays(plan.sourceDate, -freshDays),
    upTo: plan.sourceDate,
  });
  const current = await standingCurrent(paths);
  return {
    ...computed,
    choreographies,
    findings: nightFindings(plan, computed, {
      previous,
      newestCloses,
      refusedCloses,
      companies,
      listed,
      current,
    }),
  };
}

function positionsOf({ plan, layout, code, effects }: NightRun): PositionCache {
  const version = methodDigest(code, plan.provenance);
  return openPositionCache({ root: layout.positions, version, files: effects.files });
}

async function fromCurrent(run: NightRun, refused: readonly RefusedInput[]): Promise<NightSlice> {
  const database = await openForReading(run.layout.database);
  try {
    return await compute(run, { connection: database.connection, refused });
  } finally {
    database.close();
  }
}

async function keepStress(
  run: NightRun,
  { open, computed }: { open: OpenWarehouse | null; computed: NightSlice },
): Promise<void> {
  const entry = open?.entry ?? (await run.journal.warehouse());
  if (entry === null) return;
  const build = open?.build ?? (await openWarehouse(run));
  try {
    if (open === null && build.start !== 'carried') throw changedMeanwhile();
    const night = {
      sourceDate: run.plan.sourceDate,
      methodVersion: run.plan.parameters.version,
    };
    await writeStressRows(build.connection, computed.slice.covenantRows, {
      ...night,
      trails: trailsOf(computed),
    });
    await writeAlphaRows(build.connection, computed.slice, night);
    await writeHoldingRows(build.connection, computed.slice, night);
    await writeFilingEvents(build.connection, computed.choreographies, night);
    if (computed.changes !== null) await keepNightChanges(build.connection, computed.changes);
    await keepRecord({
      ...run.plan,
      connection: build.connection,
      cache: positionsOf(run),
      log: run.effects.log,
      stopIfAsked: () => stopIfAsked(run.signal),
    });
  } catch (error) {
    await build.discard();
    throw error;
  }
  await finishWarehouse(run, { build, entry });
}

function changedMeanwhile(): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: 'Another program changed the warehouse while the night read it.',
    hint: 'Run the night again: it reads its inputs anew.',
  });
}

function trailsOf({ results }: ComputedSlice): Map<string, ResolutionTrail> {
  return new Map(
    results.flatMap(({ issuer, trail }) => (trail === null ? [] : [[issuer.cik, trail] as const])),
  );
}

/** Publishes the computed slice and prunes builds past their replay window. */
export async function publishStep(run: NightRun, computed: PublishedSlice): Promise<string> {
  const { plan, effects, layout } = run;
  stopIfAsked(run.signal);
  const published = await publishRelease({
    paths: layout.artifacts,
    key: await openSigningKey({ path: layout.signingKey, files: effects.files }),
    moveCurrent: plan.moveCurrent,
    files: effects.files,
    content: {
      sourceDate: plan.sourceDate,
      generatedAt: plan.asOf,
      sliceStatus: computed.sliceStatus,
      artifacts: computed.artifacts,
      inputs: computed.inputs,
      streamed: releaseStream(historyRequest(run, computed), plan),
    },
  });
  if (plan.moveCurrent) await recordHistory(run, { computed, release: published.release });
  const how = published.reused
    ? 'holds this content already'
    : `${published.files} artifacts, signed and verified`;
  run.report('publish', 'done', `release ${published.release}: ${how}`);
  if (computed.sliceStatus === 'partial') {
    effects.log({
      level: 'warn',
      step: 'publish',
      message: 'the slice is partial: fewer than 90 % of the issuers of the slice before have a row',
    });
  }
  await pruneStep(run);
  return published.release;
}

/** The slice is published regardless of what becomes of older builds: what cannot be pruned is reported, and stays. */
async function pruneStep({ layout, effects }: NightRun): Promise<void> {
  const { files, clock, log } = effects;
  try {
    const pruned = await pruneReleases({ paths: layout.artifacts, now: clock.now(), files });
    if (pruned.builds.length + pruned.removed.length + pruned.rewritten.length === 0) return;
    log({ level: 'info', step: 'publish', message: prunedText(pruned, { dryRun: false }).trim() });
  } catch (error) {
    if (!(error instanceof IssuerError)) throw error;
    log({ level: 'warn', step: 'publish', message: `no pack was pruned: ${error.message}` });
  }
}

/** What the histories of the slice are made from: the promoted slices before it and itself. */
function historyRequest(
  { plan, effects, layout, signal, code }: NightRun,
  computed: ComputedSlice,
): HistoryRequest {
  return {
    paths: layout.artifacts,
    sourceDate: plan.sourceDate,
    artifacts: computed.artifacts.filter((artifact) => 'bytes' in artifact),
    slices: Object.fromEntries(plan.history.map((slice) => [slice.sourceDate, slice.release])),
    known: plan.histories,
    methodVersion: plan.parameters.coreModel,
    market: {
      products: plan.products.filter(({ product }) => !computed.productsLeftOut.has(product)),
      parameters: plan.parameters,
      facts: computed.market,
      database: layout.database,
      journal: layout.journal,
      code,
      ciks: new Map(plan.history.map((slice) => [slice.sourceDate, slice.ciks])),
    },
    spoolDirectory: layout.spool,
    files: effects.files,
    log: effects.log,
    stopIfAsked: () => stopIfAsked(signal),
  };
}

async function recordHistory(
  { plan, effects, layout }: NightRun,
  { computed, release }: { computed: ComputedSlice; release: string },
): Promise<void> {
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

/**
 * What the manifest says a release was made from: as planned, but an input that was refused is named by what its rows
 * rest on, and the issuers that have no row because theirs could not be made are listed, and so are the keys of
 * artifacts that could not (M6.6c).
 */
function manifestInputs(
  planned: InputHashes,
  {
    warehouse,
    leftOut,
    artifactsLeftOut,
  }: {
    readonly warehouse: Pick<WarehouseEntry, 'refused' | 'held'> | null;
    readonly leftOut: readonly LeftOut[];
    readonly artifactsLeftOut: readonly LeftOutArtifact[];
  },
): InputHashes {
  const { refused = [], held = {} } = warehouse ?? {};
  const rested = refused.map(({ name, kept_from }) => {
    const before = held[name];
    if (kept_from === null) return [name, 'refused'] as const;
    // an entry of an archive has no hash of its own
    if (before === undefined) return [name, `kept from ${kept_from}`] as const;
    return [name, keptHash({ name, sha256: before.sha256, sourceDate: before.source_date })] as const;
  });
  const ciks = leftOut.map(({ cik }) => cik).sort();
  const keys = artifactsLeftOut.map(({ key }) => key).sort();
  return {
    ...planned,
    ...Object.fromEntries(rested),
    ...(ciks.length === 0 ? {} : { left_out: ciks.join(' ') }),
    ...(keys.length === 0 ? {} : { left_out_artifacts: keys.join(' ') }),
  };
}
