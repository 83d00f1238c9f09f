import type { DuckDBConnection } from '@duckdb/node-api';
import type { BusinessCalendar } from '../../calculators/changes/businessCalendar.ts';
import type { DeltaDates } from '../../calculators/changes/deltaDates.ts';
import { composeSlice, type IssuerResult, type Slice } from '../../calculators/composeSlice.ts';
import type { Parameters } from '../../calculators/parameters.ts';
import { type PriceBook, priceBook } from '../../calculators/priceBook.ts';
import type { Issuer } from '../../calculators/rows.ts';
import type { SliceContext } from '../../calculators/sliceContext.ts';
import { dailyChangeArtifacts } from '../changes/dailyChangeArtifacts.ts';
import { type NightChanges, nightChanges } from '../changes/nightChanges.ts';
import { nightDelta } from '../changes/nightDelta.ts';
import type { PreviousSlice } from '../changes/readStandings.ts';
import type { Log } from '../effects.ts';
import type { Artifact } from '../release/artifact.ts';
import { dropReassignedAliases } from '../universe/dropReassignedAliases.ts';
import { selectListedTickers } from '../warehouse/selectListedTickers.ts';
import { selectPrices } from '../warehouse/selectPrices.ts';
import { dropVintages, selectVintages } from '../warehouse/selectVintages.ts';
import type { PositionCache } from './positionCache.ts';
import { releaseGate } from './releaseGate.ts';
import { closesAround, type KnownPosition, resolveVintages } from './resolveVintages.ts';
import { sliceArtifacts } from './sliceArtifacts.ts';
import { type SliceHistory, sliceStatus } from './sliceHistory.ts';

export type ComputedSlice = {
  readonly slice: Slice;
  readonly results: readonly IssuerResult[];
  readonly artifacts: readonly Artifact[];
  readonly sliceStatus: 'complete' | 'partial';
  readonly prices: number;
  /** Issuers whose filing had been resolved before from the same content. */
  readonly reused: number;
  /** What the night's scan changed; null for a backfill and where nobody asked. */
  readonly changes: NightChanges | null;
};

/**
 * Computes one slice from an open build and passes it through the release gate; it opens nothing and writes only the
 * positions it resolved (ARCHITECTURE 7).
 *
 * @param o.asOf the plan's instant, published as `computed_at_utc` (M0.13)
 * @param o.cache positions resolved on earlier nights; null resolves every filing
 * @param o.compare what the night's changes are told against; without it, and for a backfill, they are not told
 * @throws IssuerError `validation_failed` when a payload or an invariant does not hold.
 */
export async function computeSlice(
  o: SliceRequest & {
    connection: DuckDBConnection;
    cache: PositionCache | null;
    compare?: { previous: PreviousSlice | null; calendar: BusinessCalendar };
  },
): Promise<ComputedSlice> {
  const { connection, sourceDate, parameters } = o;
  const rows = await selectPrices(connection, { upTo: sourceDate });
  const prices = priceBook(rows, parameters);
  const ciks = o.issuers.map((issuer) => issuer.cik);
  const vintages = await selectVintages(connection, { from: sourceDate, to: sourceDate, ciks });
  const known = await resolveVintages({
    ...{ connection, vintages, prices, parameters, cache: o.cache, stopIfAsked: o.stopIfAsked },
    issuers: new Map(o.issuers.map((issuer) => [issuer.cik, issuer])),
    closes: closesAround(rows, parameters),
    log: o.log,
  });
  await dropVintages(connection);
  const listed = await selectListedTickers(connection);
  const compare = o.backfilled ? undefined : o.compare;
  const delta = compare === undefined ? null : await nightDelta(connection, { ...o, ...compare });
  const dates = delta === null ? {} : { deltaDates: delta.dates };
  const computed = sliceOf({ ...o, ...dates, prices, listed, known, priceCount: rows.length });
  if (compare === undefined || delta === null) return computed;
  const { slice, results } = computed;
  const scores = new Map(slice.board.map(({ row, position }) => [position.issuer.cik, row.alpha_score]));
  const changes = await nightChanges(connection, { ...o, ...compare, delta, results, scores });
  return { ...computed, artifacts: [...computed.artifacts, ...dailyChangeArtifacts(changes)], changes };
}

/** What one slice is asked for. */
export type SliceRequest = {
  readonly sourceDate: string;
  readonly asOf: string;
  readonly issuers: readonly Issuer[];
  readonly parameters: Parameters;
  readonly history: SliceHistory;
  readonly backfilled: boolean;
  readonly log: Log;
  readonly stopIfAsked: () => void;
};

/**
 * Puts a slice together from positions that are resolved, and passes it through the release gate.
 *
 * @param o.prices closes up to the slice's date
 * @throws IssuerError `validation_failed` when a payload or an invariant does not hold.
 */
export function sliceOf(
  o: SliceRequest & {
    prices: PriceBook;
    listed: ReadonlyMap<string, string>;
    known: readonly KnownPosition[];
    priceCount: number;
    deltaDates?: DeltaDates;
  },
): ComputedSlice {
  const { sourceDate, asOf, prices, parameters, backfilled } = o;
  const dates = o.deltaDates === undefined ? {} : { deltaDates: o.deltaDates };
  const context: SliceContext = { sourceDate, asOf, prices, parameters, backfilled, ...dates };
  const positions = o.known.map(({ position }) => position);
  const slice = composeSlice(positions, { context, history: [...o.history] });
  const results = slice.issuers;
  const issuers = dropReassignedAliases({ issuers: o.issuers, listed: o.listed });
  const artifacts = sliceArtifacts({ ...o, issuers, slice, results });
  releaseGate({ slice, results, parameters: o.parameters });
  const ciks = new Set(results.map((result) => result.issuer.cik));
  return {
    slice,
    results,
    artifacts,
    sliceStatus: sliceStatus({ history: o.history, ciks, parameters: o.parameters }),
    prices: o.priceCount,
    reused: o.known.filter((position) => position.reused).length,
    changes: null,
  };
}
