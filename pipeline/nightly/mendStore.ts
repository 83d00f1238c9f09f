import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { StoreEffects } from '../effects.ts';
import { readHistoryEntry } from '../history/historyJournal.ts';
import { mendPointers } from '../release/mendPointers.ts';
import {
  type DamagedRelease,
  damagedReleases,
  damageIn,
  lackingDocument,
  releaseDamage,
} from '../release/releaseDamage.ts';
import { readCurrent, readSlices, releaseParts } from '../release/releaseStore.ts';
import { trustedKeys } from '../release/signingKey.ts';
import { scanDirectorySource } from '../source/directorySource.ts';
import { hashInputs } from '../source/inputHashes.ts';
import { recordedNights } from '../source/nightSource.ts';
import { type NightRequest, nightSteps } from './nightStep.ts';
import { type NightEntry, openJournal } from './plan/journal.ts';
import { lasting } from './plan/keptInputs.ts';
import { type NightOutcome, runNight } from './runNight.ts';

/** What is known of a damaged store while a night runs over it. */
type Mending = {
  readonly request: NightRequest;
  readonly effects: StoreEffects;
  /** What is made again, a sentence each. */
  readonly healed: string[];
  /** Why releases cannot be made again, by date. */
  readonly lost: Map<string, string>;
  /** Dates that are made again at most once. */
  readonly tried: Set<string>;
};

/**
 * One night over a store that may be damaged (STORE ST20): pointers are written again, and releases that do not stand are
 * made again from the inputs and at the instant that the journal has of them, before the night is planned or once it needs
 * them. What cannot be made again and is not needed is a finding.
 *
 * @throws IssuerError `input_missing` with the next step when the night needs a release that cannot be made again,
 *   otherwise as {@link runNight}; the promoted releases are untouched then.
 */
export async function runMendedNight(
  { restored, ...request }: NightRequest & { readonly restored: readonly string[] },
  effects: StoreEffects,
): Promise<NightOutcome> {
  const { layout, night } = request;
  const mending: Mending = { request, effects, healed: [...restored], lost: new Map(), tried: new Set() };
  const known = (await readHistoryEntry(layout.journal))?.slices ?? null;
  const pointers = await mendPointers({
    paths: layout.artifacts,
    known,
    tonight: night.sourceDate,
    files: effects.files,
  });
  for (const message of pointers) tell(mending, message);
  let own: DamagedRelease | null = null;
  for (const damage of await damagedReleases(layout.artifacts, trustedKeys(layout.signingKey))) {
    // the night makes its own date anyway
    if (releaseParts(damage.release).sourceDate === night.sourceDate) own = damage;
    else await mend(mending, damage);
  }
  const outcome = await nightOver(mending, request);
  if (outcome.release !== null && outcome.release !== own?.release) {
    const fault = own === null ? outcome.plan.fallen : wasDamaged(own);
    if (fault !== null)
      tell(mending, `${fault.replace(/\.$/, '')}: it is published again as ${outcome.release}`);
  }
  return {
    ...outcome,
    healed: mending.healed,
    findings: [...outcome.findings, ...mending.lost.values()],
  };
}

function wasDamaged({ release, why }: DamagedRelease): string {
  return `release ${release} was damaged (${why})`;
}

function tell({ healed, effects }: Mending, message: string): void {
  healed.push(message);
  effects.log({ level: 'warn', step: 'mend', message });
}

/** Runs a night; a promoted release that it needs and that is damaged is made again first. */
async function nightOver(mending: Mending, request: NightRequest): Promise<NightOutcome> {
  const paths = request.layout.artifacts;
  for (;;) {
    try {
      return await runNight(request, mending.effects);
    } catch (error) {
      const needed = await neededRelease(error, paths);
      if (needed === null) throw error;
      const { sourceDate } = releaseParts(needed.release);
      const isOwn = sourceDate === request.night.sourceDate;
      const isNew = !mending.tried.has(sourceDate);
      if (isNew && !isOwn) await mend(mending, needed);
      const why = mending.lost.get(sourceDate);
      if (why !== undefined) throw cannotBeMade({ ...needed, why, current: await readCurrent(paths) });
      if (!isNew || isOwn) throw error;
    }
  }
}

/** The promoted release whose damage an error tells of. */
async function neededRelease(
  error: unknown,
  paths: NightRequest['layout']['artifacts'],
): Promise<DamagedRelease | null> {
  if (!(error instanceof IssuerError)) return null;
  const { release } = error.details;
  if (typeof release !== 'string' || !Object.values(await readSlices(paths)).includes(release)) return null;
  return { release, why: (await lackingDocument(paths, release)) ?? damageIn(error, paths) };
}

async function mend(mending: Mending, damage: DamagedRelease): Promise<void> {
  const { release, why } = damage;
  const { sourceDate } = releaseParts(release);
  mending.tried.add(sourceDate);
  const made = await madeAgain(mending, release);
  if ('release' in made) tell(mending, `${wasDamaged(damage)}: it is made again as ${made.release}`);
  else
    mending.lost.set(
      sourceDate,
      `release ${release} is damaged (${why}) and cannot be made again: ${made.not}`,
    );
}

/** Runs the night of a release once more, over the inputs it was made from; what they are is never guessed. */
async function madeAgain(
  mending: Mending,
  release: string,
): Promise<{ readonly release: string } | { readonly not: string }> {
  const { request, effects } = mending;
  const { sourceDate } = releaseParts(release);
  const entry = await openJournal({ root: request.layout.journal, files: effects.files }).night(sourceDate);
  if (entry?.release !== release) return { not: 'the journal does not say what it was made from' };
  const source = recordedNights(entry);
  if (source === null) return { not: `its inputs in ${entry.directory} are gone` };
  const changed = await changedInputs(entry);
  if (changed.length > 0) return { not: `its inputs have changed since (${changed.slice(0, 3).join(', ')})` };
  try {
    const night = { sourceDate, asOf: entry.as_of, note: null };
    const again = { ...request, source, night, steps: new Set(nightSteps), force: false };
    const outcome = await nightOver(mending, again);
    // a directory that was deleted leaves its number free for the new build
    const stands =
      outcome.release !== release ||
      (await releaseDamage({ paths: request.layout.artifacts, release, publicKeys: null })) === null;
    if (outcome.release === null || !stands) return { not: 'its night publishes nothing' };
    return { release: outcome.release };
  } catch (error) {
    if (!(error instanceof IssuerError) || !ofTheInputs.has(error.code)) throw error;
    return { not: error.message.replace(/\.$/, '') };
  }
}

/** Refusals that are about what a release is made from; anything else ends the run. */
const ofTheInputs = new Set(['input_missing', 'validation_failed', 'source_refused']);

/** Names of the inputs of a night that are not what they were. */
async function changedInputs({ directory, provenance }: NightEntry): Promise<string[]> {
  const now = await hashInputs(await scanDirectorySource(directory ?? ''));
  const read = Object.entries(provenance).filter(([name, hash]) => lasting.test(name) && !hash.includes(' '));
  const names = new Set([...Object.keys(now), ...read.map(([name]) => name)]);
  return [...names].filter((name) => now[name] !== provenance[name]).sort();
}

function cannotBeMade({
  release,
  why,
  current,
}: DamagedRelease & { readonly current: string | null }): IssuerError {
  const { sourceDate } = releaseParts(release);
  const otherwise =
    release === current
      ? `take that date back with \`issuer release withdraw ${sourceDate} --reason …\``
      : `make its rows from the warehouse with \`issuer backfill --from ${sourceDate} --to ${sourceDate}\``;
  return new IssuerError({
    code: 'input_missing',
    message: `The night needs what was published before: ${why}.`,
    hint: `Put its inputs back and run again, publish it from others with \`issuer nightly --date ${sourceDate} --source <dir>\`, or ${otherwise}.`,
    details: { release },
  });
}
