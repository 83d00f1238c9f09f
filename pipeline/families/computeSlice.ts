import type { DuckDBConnection } from '@duckdb/node-api';
import type { IssuerSubmissions } from '../../calculators/age/currentReports.ts';
import type { BusinessCalendar, DeltaDates } from '../../calculators/changes/businessCalendar.ts';
import { composeSlice, type IssuerResult, type Slice } from '../../calculators/composeSlice.ts';
import type { Statement } from '../../calculators/currentReports/statement.ts';
import { hasEnded, type Issuer } from '../../calculators/filing/rows.ts';
import type { Product } from '../../calculators/market/baskets/product.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { type PriceBook, priceBook } from '../../calculators/prices/priceBook.ts';
import { distinctSplits } from '../../calculators/prices/splits.ts';
import { type StockBook, type StockFacts, stockBook } from '../../calculators/prices/stockBook.ts';
import type { SliceContext } from '../../calculators/slice/assessIssuers.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { BriefRenderer } from '../briefs/renderBriefs.ts';
import { type NightChanges, nightChanges } from '../changes/nightChanges.ts';
import { nightDelta } from '../changes/nightDelta.ts';
import { readHolidays } from '../changes/readHolidays.ts';
import type { PreviousSlice } from '../changes/readStandings.ts';
import { isStop, type LeftOut, leftOutOf, leftOutSentence, reasonOf } from '../compute/leftOut.ts';
import { closesHashes, type PositionCache } from '../compute/positionCache.ts';
import { closesAround, type KnownPosition, resolveVintages } from '../compute/resolveVintages.ts';
import type { Log } from '../effects.ts';
import { type SliceHistory, sliceStatus } from '../history/sliceHistory.ts';
import type { MarketFacts } from '../market/readMarketNight.ts';
import { marketReads } from '../marketRelease/rankingRows.ts';
import { coverageWindows, readMarketContext } from '../marketRelease/readMarketContext.ts';
import { readSplits } from '../universe/readSplits.ts';
import { dropReassignedAliases } from '../universe/universe.ts';
import { selectStatements } from '../warehouse/reports/storedStatements.ts';
import { selectListedTickers, selectRegistrants } from '../warehouse/select/selectCompanies.ts';
import { selectPrices } from '../warehouse/select/selectPrices.ts';
import {
  type AskedStock,
  selectSplits,
  selectStockRows,
  selectStockTickers,
  selectUnknownBases,
} from '../warehouse/select/selectStocks.ts';
import { selectSubmissions } from '../warehouse/select/selectSubmissions.ts';
import { dropVintages, selectVintages } from '../warehouse/select/selectVintages.ts';
import type { AvailableContexts, NightFacts, SliceFacts } from './familyContexts.ts';
import { type ReleaseArtifacts, releaseArtifacts } from './releaseArtifacts.ts';
import { invalidIssuers, withSoundMarket } from './unsoundParts.ts';

export type ComputedSlice = ReleaseArtifacts & {
  readonly slice: Slice;
  readonly results: readonly IssuerResult[];
  readonly sliceStatus: 'complete' | 'partial';
  readonly prices: number;
  /** Issuers whose filing had been resolved before from the same content. */
  readonly reused: number;
  /** Issuers whose rows cannot be made. */
  readonly leftOut: readonly LeftOut[];
  /** Products whose market artifacts cannot be made, with the reason. */
  readonly productsLeftOut: ReadonlyMap<string, string>;
  /** What the night read of products; null for a backfill and for a slice without a market row. */
  readonly market: MarketFacts | null;
  /** What the night's scan changed; null for a backfill and for a slice without its night. */
  readonly changes: NightChanges | null;
};

/** What a slice is asked for. */
type SliceRequest = {
  readonly sourceDate: string;
  /** Published as `computed_at_utc` (M0.13). */
  readonly asOf: string;
  readonly issuers: readonly Issuer[];
  readonly parameters: Parameters;
  readonly history: SliceHistory;
  readonly backfilled: boolean;
  /** What issuers had stated by the source date, by CIK; read from the build where it is not given. */
  readonly statements?: ReadonlyMap<string, readonly Statement[]>;
  /** Notes of an issuer's rows on inputs that are kept from an earlier night. */
  readonly inputNotes?: (cik: string) => readonly string[];
  readonly log: Log;
  readonly stopIfAsked: () => void;
};

/** What a night adds: the slice before it, and what its artifacts are made from besides the facts. */
type NightRequest = {
  readonly previous: PreviousSlice | null;
  readonly calendar: BusinessCalendar;
  /** Perpetual products, whose rows the build holds. */
  readonly products: readonly Product[];
  /** What chooses the sentences of briefs; none compiles them alone. */
  readonly renderer?: BriefRenderer;
} & Pick<NightFacts, 'choreographies' | 'paths' | 'kept' | 'modelCard'>;

/**
 * Computes one slice from an open build, with all a night publishes beside it, and passes it through the release gate;
 * it opens nothing and writes only the positions it resolved and what it made for field maps (ARCHITECTURE 7).
 *
 * @param cache positions resolved on earlier nights; null resolves every filing
 * @param night a backfill has none, regardless of what is given
 * @throws IssuerError `validation_failed` when a payload or an invariant does not hold.
 */
export async function computeSlice(
  input: SliceRequest & { connection: DuckDBConnection; cache: PositionCache | null; night?: NightRequest },
): Promise<ComputedSlice> {
  const { connection, sourceDate, parameters, backfilled } = input;
  const rows = await selectPrices(connection, { upTo: sourceDate });
  const prices = priceBook(rows, parameters);
  const issuers = input.issuers.filter((issuer) => !hasEnded(issuer, sourceDate));
  const ciks = issuers.map((issuer) => issuer.cik);
  const vintages = await selectVintages(connection, { from: sourceDate, to: sourceDate, ciks });
  const { known, leftOut } = await resolveVintages({
    connection,
    vintages,
    prices,
    parameters,
    cache: input.cache,
    stopIfAsked: input.stopIfAsked,
    issuers: new Map(issuers.map((issuer) => [issuer.cik, issuer])),
    closes: closesAround(rows, parameters),
    log: input.log,
  });
  await dropVintages(connection);
  const listed = await selectListedTickers(connection);
  const reporting = await reportingContext(connection);
  const statements = input.statements ?? (await selectStatements(connection, sourceDate));
  const held = known.map(({ position }) => position);
  const stocks = await readStockBook(connection, { held, sourceDate });
  const positions = {
    ...input,
    ...reporting,
    statements,
    stocks,
    prices,
    known,
    leftOut,
    listed,
    priceCount: rows.length,
  };
  const night = backfilled ? undefined : input.night;
  if (night === undefined) return sliceOf(positions);
  const delta = await nightDelta(connection, { ...input, ...night });
  const registrants = await selectRegistrants(connection);
  const closes = () => closesHashes(rows);
  const market = await readMarketContext(connection, { ...input, ...night });
  return soundSlice({ ...positions, deltaDates: delta.dates }, async (sound) => {
    const facts = sliceFacts(sound);
    const scores = new Map(
      facts.slice.board.map(({ row, position }) => [position.issuer.cik, row.alpha_score]),
    );
    const results = facts.slice.issuers;
    const changes = await nightChanges(connection, { ...input, ...night, delta, results, scores });
    const tiers = new Map(facts.slice.covenantRows.map((row) => [row.cik ?? '', row.risk_tier]));
    const products = market?.(tiers) ?? null;
    const { made, productsLeftOut } = await withSoundMarket(products, (perps) => {
      const nightFacts = {
        ...facts,
        ...night,
        asOf: input.asOf,
        prices,
        closes,
        changes,
        registrants,
        market: perps === null ? null : marketReads(perps),
        briefs: { computedAt: input.asOf, renderer: night.renderer ?? { kind: 'none' as const } },
      };
      const contexts = {
        slice: perps === null ? facts : { ...facts, coverageWindows: coverageWindows(perps) },
        ...(perps === null ? {} : { market: perps }),
        night: nightFacts,
        whole: { night: nightFacts, market: perps },
      };
      return computedSlice({ ...sound, contexts, facts });
    });
    return { ...made, productsLeftOut, market: products?.facts ?? null, changes };
  });
}

/** What says when reports are due and what was reported since (M1.60, M1.61), the same for every slice of a build. */
export async function reportingContext(
  connection: DuckDBConnection,
): Promise<Required<Pick<SliceContext, 'calendar' | 'submissions'>>> {
  const listed = await selectSubmissions(connection);
  return { calendar: await readHolidays(), submissions: (cik) => listed.get(cik) ?? null };
}

/** A slice whose positions are resolved. */
type ResolvedRequest = SliceRequest & {
  readonly calendar: BusinessCalendar;
  readonly submissions: (cik: string) => IssuerSubmissions | null;
  /** What issuers had stated by the slice's date. */
  readonly statements: ReadonlyMap<string, readonly Statement[]>;
  /** Closes up to the slice's date. */
  readonly prices: PriceBook;
  /** Closes of the issuers' own stocks; absent where no figure rests on one. */
  readonly stocks?: StockBook;
  readonly listed: ReadonlyMap<string, string>;
  readonly known: readonly KnownPosition[];
  /** Issuers whose filing could not be resolved. */
  readonly leftOut: readonly LeftOut[];
  readonly priceCount: number;
  readonly deltaDates?: DeltaDates;
};

/**
 * Puts a slice together from positions that are resolved, and passes it through the release gate.
 *
 * @throws IssuerError `validation_failed` when a payload or an invariant does not hold.
 */
export async function sliceOf(resolvedRequest: ResolvedRequest): Promise<ComputedSlice> {
  return soundSlice(resolvedRequest, (sound) => {
    const facts = sliceFacts(sound);
    return computedSlice({ ...sound, facts, contexts: { slice: facts } });
  });
}

/** Makes a slice, without the issuers whose rows cannot be made. */
async function soundSlice(
  input: ResolvedRequest,
  make: (sound: ResolvedRequest) => Promise<ComputedSlice>,
): Promise<ComputedSlice> {
  const { known, log, parameters } = input;
  const { made, leftOut } = await withoutInvalid({
    known,
    unresolved: input.leftOut,
    make: (left) => make({ ...input, known: left }),
    invalidOf: (left) => invalidOf({ ...input, known: left }),
    minShare: parameters.partialSlice,
    log,
  });
  return { ...made, leftOut };
}

/** Whose rows stand in the way of a slice; looked for only when there is none. */
async function invalidOf(input: ResolvedRequest): Promise<readonly LeftOut[]> {
  try {
    return await invalidIssuers(sliceFacts(input), input);
  } catch (error) {
    reasonOf(error);
    return input.known.flatMap((one) => {
      try {
        sliceFacts({ ...input, known: [one] });
        return [];
      } catch (fault) {
        return [leftOutOf(one.position.issuer, fault)];
      }
    });
  }
}

function sliceFacts(resolvedRequest: ResolvedRequest): SliceFacts {
  const { sourceDate, asOf, prices, parameters, backfilled, history } = resolvedRequest;
  const { calendar, submissions, statements } = resolvedRequest;
  const dates = resolvedRequest.deltaDates === undefined ? {} : { deltaDates: resolvedRequest.deltaDates };
  const notes = resolvedRequest.inputNotes === undefined ? {} : { inputNotes: resolvedRequest.inputNotes };
  const day = { sourceDate, asOf, prices, parameters, backfilled, calendar, submissions, statements };
  const stocks = resolvedRequest.stocks === undefined ? {} : { stocks: resolvedRequest.stocks };
  const context: SliceContext = { ...day, ...dates, ...notes, ...stocks };
  const positions = resolvedRequest.known.map(({ position }) => position);
  const slice = composeSlice(positions, { context, history: [...history] });
  const issuers = dropReassignedAliases({ issuers: resolvedRequest.issuers, listed: resolvedRequest.listed });
  return { sourceDate, slice, issuers, history, parameters };
}

async function computedSlice(
  input: ResolvedRequest & { facts: SliceFacts; contexts: AvailableContexts },
): Promise<ComputedSlice> {
  const { slice } = input.facts;
  const ciks = new Set(slice.issuers.map((result) => result.issuer.cik));
  return {
    slice,
    results: slice.issuers,
    ...(await releaseArtifacts(input.contexts, input)),
    sliceStatus: sliceStatus({ history: input.history, ciks, parameters: input.parameters }),
    prices: input.priceCount,
    reused: input.known.filter((position) => position.reused).length,
    leftOut: input.leftOut,
    productsLeftOut: new Map(),
    market: null,
    changes: null,
  };
}

/** What is made of positions, and the issuers that had to be excluded from it. */
type WithoutInvalid<T> = { readonly made: T; readonly leftOut: readonly LeftOut[] };

/**
 * Makes a slice of positions; where that fails because of the row of one issuer, makes it without that issuer, so that
 * counts, ranks and cross-sections hold what is published (M6.6b). Nothing is looked into while all goes well.
 *
 * @param invalidOf the issuers whose rows cannot be made
 * @throws what `make` throws, when no issuer is to blame for it or too many are
 */
async function withoutInvalid<T>({
  known,
  unresolved,
  make,
  invalidOf,
  minShare,
  log,
}: {
  known: readonly KnownPosition[];
  /** Issuers excluded before, since there is no position of them. */
  unresolved: readonly LeftOut[];
  make: (known: readonly KnownPosition[]) => Promise<T>;
  invalidOf: (known: readonly KnownPosition[]) => Promise<readonly LeftOut[]>;
  /** Share of the issuers without which there is no slice, unless it is a single one that goes. */
  minShare: number;
  log: Log;
}): Promise<WithoutInvalid<T>> {
  const leftOut = [...unresolved];
  const of = known.length + unresolved.length;
  if (areTooMany(unresolved.length, { of, minShare })) throw noSlice(unresolved);
  let left = known;
  for (;;) {
    try {
      return { made: await make(left), leftOut };
    } catch (error) {
      if (isStop(error)) throw error;
      const invalid = await invalidOf(left);
      leftOut.push(...invalid);
      if (invalid.length === 0 || areTooMany(leftOut.length, { of, minShare })) throw error;
      for (const one of invalid) log({ level: 'warn', step: 'compute', message: leftOutSentence(one) });
      const names = new Set(invalid.map(({ cik }) => cik));
      left = left.filter(({ position }) => !names.has(position.issuer.cik));
    }
  }
}

/** A defect of many rows is one of the program or of an input, and last night's slice is better than half of one. */
function areTooMany(n: number, { of, minShare }: { of: number; minShare: number }): boolean {
  return n > 0 && (n === of || (n > 1 && of - n < minShare * of));
}

function noSlice(leftOut: readonly LeftOut[]): IssuerError {
  const sentences = leftOut.map(leftOutSentence);
  return new IssuerError({
    code: 'validation_failed',
    message: `${sentences[0]}${leftOut.length > 1 ? `, and ${leftOut.length - 1} more issuers are` : ''}.`,
    hint: 'Nothing was published and the promoted release is untouched; so many failures are a defect of a calculator.',
    details: { leftOut: sentences.slice(0, 100) },
  });
}

/** A stock of the slice: its ticker, its balance-sheet date. */
type Held = {
  readonly issuer: { readonly cik: string; readonly ticker: string | null };
  readonly filing: { readonly period: string };
};

/** Reads the closes of a slice's stocks on their balance-sheet dates and its own (M18.48); nothing where no file is. */
export async function readStockBook(
  connection: DuckDBConnection,
  { held, sourceDate }: { readonly held: readonly Held[]; readonly sourceDate: string },
): Promise<StockBook> {
  const filedTickers = await selectStockTickers(connection);
  const asked = held.flatMap(({ issuer: { cik, ticker }, filing }): AskedStock[] =>
    ticker === null || !filedTickers.has(ticker) ? [] : [{ cik, ticker, days: [filing.period, sourceDate] }],
  );
  if (asked.length === 0) return stockBook([], new Map());
  const ciks = asked.map(({ cik }) => cik);
  const [filed, registered] = [await selectSplits(connection, ciks), await readSplits()];
  const splits = new Map(
    ciks.map((cik) => [cik, distinctSplits([...(registered.get(cik) ?? []), ...(filed.get(cik) ?? [])])]),
  );
  const unknown = await selectUnknownBases(connection, { splits, ciks });
  const rows = await selectStockRows(
    connection,
    asked.map((one) => ({ ...one, splits: splits.get(one.cik) ?? [] })),
  );
  const facts = asked.map(({ cik, ticker }): [string, StockFacts] => [
    ticker,
    { splits: splits.get(cik) ?? [], unknownBefore: unknown.get(cik) ?? null },
  ]);
  return stockBook(rows, new Map(facts));
}
