import type { FileEffects, Log } from '../effects.ts';
import type { MarketRequest } from '../marketRelease/marketRequest.ts';
import type { Artifact } from '../release/artifact.ts';
import { DamagedHeld, type PutFile } from '../release/draftRelease.ts';
import { openRelease } from '../release/openRelease.ts';
import type { ReleasePaths } from '../release/releasePaths.ts';
import { DamagedBase, type HistoryBase, openHistoryBase } from './historyBase.ts';
import type { HistoryEntry } from './historyJournal.ts';
import { historyKinds } from './historyKinds.ts';
import { historyLines } from './historyLines.ts';
import { type LineSpool, openLineSpool } from './lineSpool.ts';
import { type ReadArtifact, sliceTexts } from './sliceTexts.ts';
import { segmentTasks, writeSegments } from './writeSegments.ts';

/** Characters of new lines that stay in memory. */
const heldBytes = 48 * 1024 * 1024;

export type HistoryRequest = {
  readonly paths: ReleasePaths;
  readonly sourceDate: string;
  /** The artifacts of the slice being built. */
  readonly artifacts: readonly Artifact[];
  /** Promoted builds of the dates before, by date. */
  readonly slices: Readonly<Record<string, string>>;
  /** Where the last histories lie; null makes them from the slices. */
  readonly known: HistoryEntry | null;
  readonly methodVersion: string;
  /** What the histories of products are made from; null without any. */
  readonly market: MarketRequest | null;
  /** A place of its own for lines that do not fit into memory. */
  readonly spoolDirectory: string;
  readonly files: FileEffects;
  readonly log: Log;
  readonly stopIfAsked: () => void;
};

/** A request and the name of the build that it is for. */
export type StreamedRequest = HistoryRequest & { readonly release: string };

/**
 * Writes the histories of a release: the promoted slices before it and the slice it is built of (I2.52–I2.54, M10.4).
 *
 * What the last release holds of dates whose build is the same is copied; the dates that are new, built anew or
 * backfilled since are read from their builds. The outcome is the same as reading every build again.
 *
 * @throws IssuerError `validation_failed` when the build of a date is damaged.
 */
export async function streamHistory(historyRequest: HistoryRequest, put: PutFile): Promise<void> {
  const { known } = historyRequest;
  if (known === null) return writeFrom(historyRequest, { base: null, put });
  try {
    const slices = Object.fromEntries(
      Object.entries(known.slices).map(([date, { release }]) => [date, release]),
    );
    const base = await openHistoryBase({
      paths: historyRequest.paths,
      release: known.release,
      slices,
      kinds: historyKinds,
    });
    await writeFrom(historyRequest, { base, put });
  } catch (error) {
    if (!(error instanceof DamagedBase || error instanceof DamagedHeld)) throw error;
    historyRequest.log({
      level: 'warn',
      step: 'publish',
      message: `histories are made from every slice again: of ${known.release}, ${error.message}`,
    });
    await writeFrom(historyRequest, { base: null, put });
  }
}

async function writeFrom(
  historyRequest: HistoryRequest,
  { base, put }: { base: HistoryBase | null; put: PutFile },
): Promise<void> {
  const { sourceDate, slices, paths, methodVersion, stopIfAsked } = historyRequest;
  const before = Object.keys(slices).filter((date) => date < sourceDate);
  const dates = [...before.sort(), sourceDate];
  const holds = (date: string) => date < sourceDate && base?.slices[date] === slices[date];
  const tasks = segmentTasks({ base, sourceDate, dates, holds });
  const total = tasks.reduce((sum, { made }) => sum + made.length, 0) - 1;
  let done = 0;
  const own = new Map(historyRequest.artifacts.map((artifact) => [artifact.key, artifact.bytes]));
  const readOwn: ReadArtifact = (key) => Promise.resolve(own.get(key) ?? null);
  const spoolOf = async (wanted: readonly string[]) => {
    const spool = openLineSpool({
      directory: historyRequest.spoolDirectory,
      files: historyRequest.files,
      heldBytes,
    });
    for (const date of wanted) {
      stopIfAsked();
      const isOwn = date === sourceDate;
      const read = isOwn ? readOwn : (await openRelease(paths, slices[date] ?? '')).read;
      await spoolSlice(spool, { sourceDate: date, read });
      if (isOwn) continue;
      done += 1;
      historyRequest.log({
        level: 'info',
        step: 'publish',
        message: `history ${date}`,
        fields: { done, total, unit: 'dates' },
      });
    }
    return spool;
  };
  await writeSegments({
    kinds: historyKinds,
    base,
    tasks,
    sourceDate,
    methodVersion,
    spoolOf,
    put: async (file) => {
      stopIfAsked();
      await put(file);
    },
  });
}

async function spoolSlice(
  spool: LineSpool,
  input: { sourceDate: string; read: ReadArtifact },
): Promise<void> {
  for (const [cik, published] of await sliceTexts(input)) {
    const lines = historyLines(published);
    const texts = historyKinds.map(({ text }) => text(lines));
    await spool.add(cik, { sourceDate: input.sourceDate, texts });
  }
}
