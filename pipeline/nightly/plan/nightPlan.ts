import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Issuer } from '../../../calculators/filing/rows.ts';
import type { Product } from '../../../calculators/market/baskets/product.ts';
import type { Parameters } from '../../../calculators/parameters/parameters.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { isBackfilled, promotedSlices, withdrawalsOf } from '../../../data/contract/release/releaseFiles.ts';
import { instant } from '../../../data/contract/values/instant.ts';
import type { DataLayout, ReleasePaths } from '../../dataLayout.ts';
import { type HistoryEntry, readHistoryEntry } from '../../history/historyJournal.ts';
import { readSliceHistory, type SliceHistory } from '../../history/sliceHistory.ts';
import { modelCard } from '../../modelCard/modelCard.ts';
import { readRegistry } from '../../modelCard/readRegistry.ts';
import { programRoot } from '../../programRoot.ts';
import { sha256Hex } from '../../release/artifact.ts';
import {
  readManifest,
  readSliceIndex,
  readSlices,
  releaseParts,
  standingCurrent,
} from '../../release/releaseStore.ts';
import { trustedKeys } from '../../release/signingKey.ts';
import { verifyRelease } from '../../release/verifyRelease.ts';
import { type SourceInputs, scanDirectorySource } from '../../source/directorySource.ts';
import { digestOf, hashInputs, type InputHashes } from '../../source/inputHashes.ts';
import type { Night } from '../../source/nightSource.ts';
import { loadUniverse } from '../../universe/universe.ts';
import { changedWarehouse, isAsLeft } from '../../warehouse/build/buildRecord.ts';
import type { Journal, NightEntry, WarehouseEntry } from './journal.ts';
import { type KeptInput, keptHash, keptInputs, keptNotes } from './keptInputs.ts';

const holidaysPath = 'data/registry/us-federal-holidays.csv';

/** Everything a night follows from, with the hashes that decide which steps are skipped. */
export type NightPlan = {
  readonly sourceDate: string;
  /** `computed_at_utc` of the slice (M0.13). */
  readonly asOf: string;
  readonly inputs: SourceInputs;
  /** Of those that are missing: what stays in use from an earlier night. */
  readonly kept: readonly KeptInput[];
  /** Notes of every row on those. */
  readonly inputNotes: readonly string[];
  /** SHA-256 of each available input. */
  readonly hashes: InputHashes;
  readonly issuers: readonly Issuer[];
  readonly parameters: Parameters;
  /** Products of perpetual contracts (M8.1). */
  readonly products: readonly Product[];
  /** Concepts the method names that no taxonomy has: a warning, no finding. */
  /** The card of those parameters, part of the release (M13.1). */
  readonly modelCard: string;
  readonly history: SliceHistory;
  /** Where the histories of the last release lie; null when that is not known. */
  readonly histories: HistoryEntry | null;
  /** A past date built later: row stores only, never current (I3.28). */
  readonly backfilled: boolean;
  readonly moveCurrent: boolean;
  /** What the manifest says the release was made from. */
  readonly provenance: InputHashes;
  /** Identity of what the warehouse holds. */
  readonly ingestKey: string;
  /** Identity of the release but for `asOf`. */
  readonly sliceKey: string;
  /** The promoted release that already holds the outcome, or null. */
  readonly published: string | null;
  /** Why a release that should hold the outcome does not stand; null where there is none or it stands. */
  readonly fallen: string | null;
  /** What that outcome lacked. */
  readonly findings: readonly string[];
  /** Names of what differs from the last plan of this date, `as_of` among them; empty for a first plan. */
  readonly changed: readonly string[];
};

/**
 * Reads a fetched source, the registry and the store, and decides what the night's outcome depends on.
 *
 * The plan's instant is, in this order: the one given, the one an earlier plan over the same inputs recorded
 * (so a resumed night ends as it would have), now.
 */
export async function planNight({
  night,
  kind,
  directory,
  layout,
  journal,
  code,
  now,
  force,
}: {
  night: Night;
  kind: string;
  directory: string;
  layout: DataLayout;
  journal: Journal;
  code: string;
  now: Date;
  /** Takes the inputs as they are: what is missing is forgotten. */
  force: boolean;
}): Promise<NightPlan> {
  const { sourceDate } = night;
  const inputs = await scanDirectorySource(directory);
  const universePath = inputs.paths.universe[0] ?? join(programRoot, 'data/registry/universe.csv');
  const registry = await readRegistry();
  const { parameters, products, provenance: method } = registry;
  const atHand = await hashInputs(inputs);
  const kept = force ? [] : keptInputs(await heldUpTo(sourceDate, journal), atHand);
  const hashes = {
    ...atHand,
    ...Object.fromEntries(kept.map((input) => [input.name, keptHash(input)])),
    'universe.csv': sha256Hex(await readFile(universePath)),
    code,
  };
  const paths = layout.artifacts;
  const histories = await readHistoryEntry(layout.journal);
  const history = await readSliceHistory({ paths, before: sourceDate, known: histories });
  const entry = await journal.night(sourceDate);
  const pointers = await readPointers(paths, { sourceDate, entry });
  const provenance = {
    ...hashes,
    source: kind,
    ...method,
    'us-federal-holidays.csv': sha256Hex(await readFile(join(programRoot, holidaysPath))),
    history: sha256Hex(JSON.stringify(history.map((slice) => [slice.sourceDate, slice.release]))),
    slice: pointers.backfilled ? 'backfilled' : 'full',
  };
  const sliceKey = digestOf({ ...provenance, source_date: sourceDate });
  const known = entry?.inputs === sliceKey ? entry : null;
  if (known?.release != null) await refuseWithdrawn(paths, { sourceDate, release: known.release });
  const asOf = night.asOf ?? known?.as_of ?? instant(now.getTime());
  const held = known?.as_of === asOf ? known.release : null;
  // closes are judged as they are read, market rows kept with what they were computed with
  const ingestKey = digestOf({
    ...hashes,
    closes: JSON.stringify(parameters.closeBounds),
    market: JSON.stringify([parameters.perps, method['product_registry']]),
  });
  const fallen =
    held === null
      ? null
      : ((await whyFallen({ paths, sourceDate, held, publicKeys: trustedKeys(layout.signingKey) })) ??
        (await whyWarehouseFallen({ layout, journal, ingestKey })));
  return {
    sourceDate,
    asOf,
    inputs,
    kept,
    inputNotes: keptNotes(kept),
    hashes: atHand,
    issuers: await loadUniverse(universePath),
    parameters,
    products,
    modelCard: modelCard(registry),
    history,
    histories,
    ...pointers,
    provenance,
    ingestKey,
    sliceKey,
    published: fallen === null ? held : null,
    fallen,
    findings: known?.degraded ?? [],
    changed:
      entry === null
        ? []
        : differing({ ...entry.provenance, as_of: entry.as_of }, { ...provenance, as_of: asOf }),
  };
}

/** What the warehouse holds of this night and those before: what a later one read is no input of an earlier one. */
async function heldUpTo(sourceDate: string, journal: Journal): Promise<WarehouseEntry['held']> {
  const held = Object.entries((await journal.warehouse())?.held ?? {});
  return Object.fromEntries(held.filter(([, input]) => input.source_date <= sourceDate));
}

/** Why the warehouse of these inputs does not stand; null where it stands, or holds those of another night. */
async function whyWarehouseFallen({
  layout,
  journal,
  ingestKey,
}: {
  layout: DataLayout;
  journal: Journal;
  ingestKey: string;
}): Promise<string | null> {
  if ((await journal.warehouse())?.inputs !== ingestKey) return null;
  if (!existsSync(layout.database)) return 'the warehouse is gone';
  return (await isAsLeft({ warehouseRoot: layout.warehouse })) ? null : changedWarehouse;
}

/** A timer that runs again must not undo what the operator took back. */
async function refuseWithdrawn(
  paths: ReleasePaths,
  { sourceDate, release }: { sourceDate: string; release: string },
): Promise<void> {
  const index = await readSliceIndex(paths);
  if (promotedSlices(index)[sourceDate] !== undefined) return;
  const withdrawal = withdrawalsOf(index, sourceDate).findLast((one) => one.release === release);
  if (withdrawal === undefined) return;
  throw new IssuerError({
    code: 'validation_failed',
    message: `${release} was withdrawn on ${withdrawal.withdrawn_at_utc}, and these inputs would make it again: ${withdrawal.reason}`,
    hint: `Mend the inputs and run the night again, or bring it back with \`issuer release promote ${release}\`.`,
    details: { release, reason: withdrawal.reason },
  });
}

function differing(a: InputHashes, b: InputHashes): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((name) => a[name] !== b[name]).sort();
}

/** Why a night that was published has to be published again: a pointer or a file of its release is broken. */
async function whyFallen(release: {
  paths: ReleasePaths;
  sourceDate: string;
  held: string;
  publicKeys: readonly string[] | null;
}): Promise<string | null> {
  const { paths, sourceDate, held, publicKeys } = release;
  if ((await standingCurrent(paths)) === null) return 'current names no release';
  // after a rollback it names another build of the date
  if ((await readSlices(paths))[sourceDate] === undefined) return `slices.json does not name ${sourceDate}`;
  try {
    await verifyRelease({ paths, name: held, publicKeys });
    return null;
  } catch (error) {
    if (!(error instanceof IssuerError)) throw error;
    return `release ${held} is damaged: ${error.message}`;
  }
}

async function readPointers(
  paths: ReleasePaths,
  { sourceDate, entry }: { sourceDate: string; entry: NightEntry | null },
): Promise<{ backfilled: boolean; moveCurrent: boolean }> {
  const slices = await readSlices(paths);
  const current = await standingCurrent(paths);
  // a broken pointer is mended by the night that was newest, not by an older one
  const newest = current === null ? Object.keys(slices).sort().at(-1) : releaseParts(current).sourceDate;
  const older = newest !== undefined && sourceDate < newest;
  if (!older) return { backfilled: false, moveCurrent: true };
  const promoted = slices[sourceDate];
  if (promoted === undefined) return { backfilled: true, moveCurrent: false };
  // a correction keeps the kind of the slice it corrects, also where that lost its manifest
  const inputs = await readManifest(paths, promoted).then(
    ({ manifest }) => manifest.inputs,
    () => entry?.provenance ?? { slice: 'backfilled' },
  );
  return { backfilled: isBackfilled({ inputs }), moveCurrent: false };
}
