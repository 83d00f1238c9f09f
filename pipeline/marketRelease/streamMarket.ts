import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { perpRankings } from '../../data/contract/payloads/market/perpRankings.ts';
import { rowStoreIndex } from '../../data/contract/release/releaseFiles.ts';
import type { HistoryRequest, StreamedRequest } from '../history/streamHistory.ts';
import type { MarketRequest } from '../market/readMarketNight.ts';
import { DamagedHeld, type PutFile } from '../release/draftRelease.ts';
import { readManifest, releaseParts, standingCurrent } from '../release/releaseStore.ts';
import { signatureHolds } from '../release/signingKey.ts';
import { openForReading } from '../warehouse/build/openDatabase.ts';
import { type IssuersOfDate, marketHistories } from './marketHistories.ts';
import { readTiers } from './readMarketContext.ts';
import { type KeptSegment, readSegmentCache, writeSegmentCache } from './segmentCache.ts';
import { type HeldSegments, writeMarketHistories } from './writeMarketHistories.ts';

/**
 * Writes the histories of products of a release that has market data (I4.R13–I4.R15, I4.R18). What earlier releases
 * hold of unchanged rows is referred to.
 */
export async function streamMarket(request: StreamedRequest, put: PutFile): Promise<void> {
  const { market, sourceDate, log } = request;
  const ranked = perpRankings.stored.rows.key({ slice: sourceDate, bucket_length: '1d' });
  if (market === null || !request.artifacts.some(({ key }) => key === ranked)) return;
  const held = await heldSegments(request);
  try {
    await writeFrom(request, { market, held, put });
  } catch (error) {
    if (!(error instanceof DamagedHeld)) throw error;
    log({
      level: 'warn',
      step: 'publish',
      message: `market histories are made again: of ${held?.release}, ${error.message}`,
    });
    await writeFrom(request, { market, held: null, put });
  }
}

async function writeFrom(
  request: StreamedRequest,
  { market, held, put }: { market: MarketRequest; held: HeldSegments | null; put: PutFile },
): Promise<void> {
  const { sourceDate, slices, stopIfAsked } = request;
  const past = Object.keys(slices).filter((date) => date < sourceDate);
  const kept = await readSegmentCache(market.journal);
  const segments = new Map<string, KeptSegment>();
  const database = await openForReading(market.database);
  try {
    const histories = await marketHistories({
      ...market,
      connection: database.connection,
      sourceDate,
      slices: [...past.sort(), sourceDate],
      issuersOf: issuersByDate(request, market),
    });
    for (const group of histories) {
      stopIfAsked();
      const written = await writeMarketHistories(group, {
        sourceDate,
        kept,
        held,
        put: async (file) => {
          stopIfAsked();
          await put(file);
        },
      });
      for (const [key, segment] of written) segments.set(key, segment);
    }
  } finally {
    database.close();
  }
  // what is kept is of the newest release: the correction of an older date must not take its place
  if (held !== null && releaseParts(held.release).sourceDate > sourceDate) return;
  await writeSegmentCache({ journal: market.journal, segments, files: request.files });
}

/** What the current release holds; null where it cannot be relied on. */
async function heldSegments({ paths }: HistoryRequest): Promise<HeldSegments | null> {
  const release = await standingCurrent(paths);
  if (release === null) return null;
  const read = await readManifest(paths, release).catch(() => null);
  if (read === null || !signatureHolds(read.manifest)) return null;
  return { release, entries: new Map(read.manifest.artifacts.map((entry) => [entry.key, entry])) };
}

/** The issuers of each date: of the current slice, or of the promoted slice of a past one. */
function issuersByDate(request: StreamedRequest, { ciks }: MarketRequest): (date: string) => IssuersOfDate {
  const { paths, sourceDate, slices } = request;
  const none: IssuersOfDate = { release: null, ciks: new Set(), tiers: async () => null };
  const own = ownIssuers(request);
  return (date) => {
    if (date === sourceDate) return own;
    const release = slices[date];
    if (date > sourceDate || release === undefined) return none;
    return {
      release,
      ciks: new Set(ciks.get(date)),
      tiers: () => readTiers(paths, { sourceDate: date, release }),
    };
  };
}

function ownIssuers({ artifacts, sourceDate, release }: StreamedRequest): IssuersOfDate {
  const key = covenantStress.stored.rows.indexKey({ slice: sourceDate });
  const index = artifacts.find((artifact) => artifact.key === key);
  const { columns } = rowStoreIndex.parse(JSON.parse(Buffer.from(index?.bytes ?? '').toString('utf8')));
  const tiers = columns['risk_tier'] ?? [];
  const byCik = new Map((columns['cik'] ?? []).map((cik, i) => [String(cik), String(tiers[i])]));
  return { release, ciks: new Set(byCik.keys()), tiers: async () => byCik };
}
