import type { DuckDBConnection } from '@duckdb/node-api';
import { addDays } from '../../calculators/exact/civilDate.ts';
import type { Issuer, PriceRow } from '../../calculators/filing/rows.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { type IssuerPosition, positionIssuer } from '../../calculators/position/positionIssuer.ts';
import type { PriceBook } from '../../calculators/prices/priceBook.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import type { Log } from '../effects.ts';
import { sha256Hex } from '../release/artifact.ts';
import type { Vintage } from '../warehouse/select/selectVintages.ts';
import { openVintageInputs } from '../warehouse/select/vintageInputs.ts';
import { type LeftOut, leftOutOf, leftOutSentence } from './leftOut.ts';
import type { PositionCache } from './positionCache.ts';

/** A position and what it follows from. */
export type KnownPosition = {
  readonly vintage: Vintage;
  readonly position: IssuerPosition;
  /** SHA-256 over all a position follows from but the program and its parameters; null when nothing vouches for it. */
  readonly key: string | null;
  readonly reused: boolean;
};

/** What filings are resolved with. */
export type Resolving = {
  readonly connection: DuckDBConnection;
  readonly parameters: Parameters;
  readonly cache: PositionCache | null;
  readonly stopIfAsked: () => void;
  readonly log: Log;
};

/** Closes as the resolution of a filing reads them. */
export type ClosesAround = (period: string) => readonly PriceRow[];

/** The closes a resolution may read: those of the period end and of the lookback before it (M2.13). */
export function closesAround(rows: readonly PriceRow[], parameters: Parameters): ClosesAround {
  const byDate = Map.groupBy(rows, (row) => row.date);
  return (period) => {
    const found: PriceRow[] = [];
    for (let back = parameters.priceLookbackDays; back >= 0; back -= 1) {
      found.push(...(byDate.get(addDays(period, -back)) ?? []));
    }
    return found;
  };
}

/**
 * Resolves the filings of some vintages, each from what was known on its first day; what was resolved before from the
 * same content is read back. An issuer whose filing a calculator fails on is excluded and named (M6.6b).
 *
 * Needs temporary table `vintage` of `selectVintages`. The result follows the order of `vintages`.
 */
export async function resolveVintages({
  connection,
  vintages,
  issuers,
  prices,
  closes,
  parameters,
  cache,
  stopIfAsked,
  log,
}: Resolving & {
  vintages: readonly Vintage[];
  issuers: ReadonlyMap<string, Issuer>;
  prices: PriceBook;
  closes: ClosesAround;
}): Promise<{ readonly known: KnownPosition[]; readonly leftOut: LeftOut[] }> {
  const asked = vintages.flatMap((vintage) => {
    const issuer = issuers.get(vintage.filing.cik);
    return issuer === undefined ? [] : [{ vintage, issuer }];
  });
  const opened = await openVintageInputs(
    connection,
    asked.map(({ vintage }) => vintage),
  );
  const hashes = cache === null ? new Map<number, string | null>() : await opened.hashes();
  const known = new Map<number, KnownPosition>();
  const keys = new Map<number, string | null>();
  for (const { vintage, issuer } of asked) {
    const content = hashes.get(vintage.id) ?? null;
    const key = content === null ? null : keyOf({ content, vintage, issuer, closes });
    keys.set(vintage.id, key);
    const position = key === null ? null : ((await cache?.get({ cik: issuer.cik, key })) ?? null);
    if (position !== null) known.set(vintage.id, { vintage, position, key, reused: true });
  }
  const unresolved = new Map(asked.map((one) => [one.vintage.id, one]));
  const leftOut: LeftOut[] = [];
  for await (const contents of opened.read(new Set(known.keys())))
    for (const [id, content] of contents) {
      const one = unresolved.get(id);
      if (one === undefined) continue;
      const { vintage, issuer } = one;
      stopIfAsked();
      const inputs = { issuer, filing: vintage.filing, ...content };
      let position: IssuerPosition;
      try {
        position = positionIssuer(inputs, { sourceDate: vintage.since, prices, parameters });
      } catch (error) {
        const failed = leftOutOf(issuer, error);
        leftOut.push(failed);
        log({ level: 'warn', step: 'compute', message: leftOutSentence(failed) });
        continue;
      }
      const key = keys.get(id) ?? null;
      if (key !== null) await cache?.put({ cik: issuer.cik, key, position });
      known.set(id, { vintage, position, key, reused: false });
      log({
        level: 'info',
        step: 'compute',
        message: issuer.ticker ?? issuer.cik,
        fields: { done: known.size, total: asked.length, unit: 'issuers' },
      });
    }
  return { known: asked.flatMap(({ vintage }) => known.get(vintage.id) ?? []), leftOut };
}

function keyOf(input: { content: string; vintage: Vintage; issuer: Issuer; closes: ClosesAround }): string {
  const { filing } = input.vintage;
  const content = {
    content: input.content,
    filing,
    issuer: input.issuer,
    closes: input.closes(filing.period),
  };
  return sha256Hex(canonicalJson(content as unknown as CanonicalValue));
}
