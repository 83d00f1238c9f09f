import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { alphaSignals } from '../../data/contract/payloads/issuer/alphaSignals.ts';
import { companyFundamentals } from '../../data/contract/payloads/issuer/companyFundamentals.ts';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { peerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import { rowStoreIndex } from '../../data/contract/release/releaseFiles.ts';
import type { FileEffects, Log } from '../effects.ts';
import type { MarketRequest } from '../market/readMarketNight.ts';
import type { Artifact } from '../release/artifact.ts';
import { DamagedHeld, type PutFile } from '../release/draftRelease.ts';
import { openRelease } from '../release/openRelease.ts';
import type { ReleasePaths } from '../release/releasePaths.ts';
import { DamagedBase, type HistoryBase, historyKinds, openHistoryBase } from './historyBase.ts';
import type { HistoryEntry } from './historyJournal.ts';
import { historyLines, type PublishedTexts } from './historyLines.ts';
import { type LineSpool, openLineSpool } from './lineSpool.ts';
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
 * What the last release holds of dates whose build is the same is copied; the dates that are new, built again or
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

/** Reads an artifact of one slice by its key; null when the slice has none of that key. */
type ReadArtifact = (key: string) => Promise<Uint8Array | null>;

/**
 * The payloads one slice published of each issuer, by CIK. A backfilled slice has them in row stores, a full one under
 * a key of their own (I4.36).
 *
 * @throws IssuerError `validation_failed` when a row store is damaged.
 */
async function sliceTexts(input: {
  sourceDate: string;
  read: ReadArtifact;
}): Promise<Map<string, PublishedTexts>> {
  const { sourceDate } = input;
  const covenants = await storeTexts({ ...input, store: covenantStress.stored.rows });
  if (covenants === null) throw damaged(sourceDate, 'it holds no covenant rows');
  const stored = {
    fundamentals: await storeTexts({ ...input, store: companyFundamentals.stored.rows }),
    alpha: await storeTexts({ ...input, store: alphaSignals.stored.rows }),
    ranking: await storeTexts({ ...input, store: peerRanking.stored.rows }),
  };
  const single = async ({ object }: { object: IssuerObject }, cik: string) => {
    const bytes = await input.read(object.key({ slice: sourceDate, cik }));
    return bytes === null ? null : Buffer.from(bytes).toString('utf8');
  };
  const texts = new Map<string, PublishedTexts>();
  for (const [cik, covenant] of covenants) {
    texts.set(cik, {
      covenant,
      fundamentals: stored.fundamentals?.get(cik) ?? (await single(companyFundamentals.stored, cik)),
      alpha: stored.alpha?.get(cik) ?? (await single(alphaSignals.stored, cik)),
      ranking: stored.ranking?.get(cik) ?? (await single(peerRanking.stored, cik)),
    });
  }
  return texts;
}

type SliceRows = Pick<typeof covenantStress.stored.rows, 'key' | 'indexKey'>;
type IssuerObject = Pick<typeof covenantStress.stored.object, 'key'>;

async function storeTexts(input: {
  sourceDate: string;
  store: SliceRows;
  read: ReadArtifact;
}): Promise<Map<string, string> | null> {
  const parts = { slice: input.sourceDate };
  const store = await input.read(input.store.key(parts));
  const indexBytes = await input.read(input.store.indexKey(parts));
  if (store === null || indexBytes === null) return null;
  const parsed = rowStoreIndex.safeParse(JSON.parse(Buffer.from(indexBytes).toString('utf8')));
  if (!parsed.success) throw damaged(input.sourceDate, `${input.store.key(parts)} has no index`);
  const { rows, offsets, columns } = parsed.data;
  const bytes = Buffer.from(store.buffer, store.byteOffset, store.byteLength);
  const ciks = columns['cik'] ?? [];
  const texts = new Map<string, string>();
  for (let row = 0; row < rows; row += 1) {
    texts.set(String(ciks[row]), bytes.toString('utf8', offsets[row], (offsets[row + 1] ?? 1) - 1));
  }
  return texts;
}

function damaged(sourceDate: string, what: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The slice of ${sourceDate} cannot be read: ${what}.`,
    hint: 'Check the releases with `issuer release verify`, then publish that date again with --force.',
  });
}
