import { join } from 'node:path';
import type { PriceRow } from '../../../calculators/filing/rows.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { isCivilDate } from '../../../data/contract/values/primitives.ts';
import type { Effects } from '../../effects.ts';
import { everyDay } from '../http/civilDays.ts';
import { mergePriceFile, type PriceConflict, readPriceFile } from './priceFile.ts';

/** A venue or aggregator of daily closes in USD. */
export type PriceSource = {
  /** Name written into each row; METHODOLOGY M2.13 ranks sources by it. */
  readonly name: string;
  supports(asset: string): boolean;
  /** The last UTC day whose close is final; never today. */
  lastCompleteDay(): string;
  /** Requests sent so far. */
  requests(): number;
  /** Closes of the UTC days `from` to `to` the source has, oldest first; days it lacks are left out. */
  fetchDailyCloses(o: { asset: string; from: string; to: string; signal: AbortSignal }): Promise<PriceRow[]>;
  close(): Promise<void>;
};

/** What fetching did for one asset. */
export type AssetPrices = {
  readonly asset: string;
  /** Inside the source directory. */
  readonly path: string;
  readonly added: number;
  /** Fetched closes that equal the stored ones. */
  readonly unchanged: number;
  /** Fetched closes that differ from the stored ones; the stored ones stay. */
  readonly conflicts: readonly PriceConflict[];
  /** Asked-for complete days without a close of this source, stored or fetched. */
  readonly gaps: readonly string[];
};

export type PriceFetchReport = {
  readonly source: string;
  readonly sourceDirectory: string;
  /** Last day asked for: `to`, or the last complete day when that is earlier. */
  readonly upTo: string;
  readonly assets: readonly AssetPrices[];
  /** Assets the source does not know. */
  readonly unsupported: readonly string[];
  readonly failed: readonly { readonly asset: string; readonly reason: string }[];
  readonly requests: number;
};

/**
 * Brings `<target>/prices/<ASSET>.csv` up to date: asks only for assets with a missing day, takes complete
 * UTC days only, fills nothing in, and never changes a stored close (M2.13).
 *
 * One asset's failure does not cost the others theirs; when every one failed the first failure is thrown.
 *
 * @throws IssuerError `usage` for dates or assets that are none, `validation_failed` for a damaged stored
 * file, `source_refused`, `store_unwritable`, `interrupted`.
 */
export async function fetchPrices(request: {
  source: PriceSource;
  assets: readonly string[];
  from: string;
  to: string;
  target: string;
  effects: Effects;
  signal: AbortSignal;
}): Promise<PriceFetchReport> {
  requireDates(request);
  let upTo = request.source.lastCompleteDay();
  if (request.to < upTo) upTo = request.to;
  const supported = request.assets.filter((asset) => request.source.supports(asset));
  const assets: AssetPrices[] = [];
  const failed: { asset: string; reason: string }[] = [];
  let firstFailure: IssuerError | null = null;
  for (const asset of supported) {
    try {
      assets.push(await fetchAsset({ ...request, asset, to: upTo }));
    } catch (error) {
      if (!(error instanceof IssuerError) || !isOneAssetsFailure(error)) throw error;
      firstFailure ??= error;
      failed.push({ asset, reason: error.message });
      request.effects.log({
        level: 'warn',
        step: 'fetch',
        message: error.message,
        fields: { asset, code: error.code },
      });
    }
  }
  if (firstFailure !== null && assets.length === 0) throw firstFailure;
  return {
    source: request.source.name,
    sourceDirectory: request.target,
    upTo,
    assets,
    unsupported: request.assets.filter((asset) => !request.source.supports(asset)),
    failed,
    requests: request.source.requests(),
  };
}

async function fetchAsset(input: {
  source: PriceSource;
  asset: string;
  from: string;
  to: string;
  target: string;
  signal: AbortSignal;
}): Promise<AssetPrices> {
  const path = `prices/${input.asset}.csv`;
  const file = join(input.target, path);
  const stored = await readPriceFile(file);
  const days = everyDay(input.from, input.to);
  const known = new Set(stored.filter((row) => row.source === input.source.name).map((row) => row.date));
  if (days.every((day) => known.has(day))) {
    return { asset: input.asset, path, added: 0, unchanged: 0, conflicts: [], gaps: [] };
  }
  const wanted = new Set(days);
  const fetched = (await input.source.fetchDailyCloses(input)).filter((row) => wanted.has(row.date));
  const merged = await mergePriceFile({ path: file, stored, fetched });
  for (const row of fetched) known.add(row.date);
  return { asset: input.asset, path, ...merged, gaps: days.filter((day) => !known.has(day)) };
}

function isOneAssetsFailure(error: IssuerError): boolean {
  return error.code === 'source_refused' || error.code === 'validation_failed';
}

function requireDates({ from, to, assets }: { from: string; to: string; assets: readonly string[] }): void {
  const asset = assets.find((name) => !/^[A-Z0-9]{1,12}$/.test(name));
  const soundDates = isCivilDate(from) && isCivilDate(to) && from <= to && from >= '2009-01-03';
  if (asset === undefined && soundDates && to < '2100-01-01') return;
  throw new IssuerError({
    code: 'usage',
    message:
      asset === undefined
        ? `${from} to ${to} is not a span of days.`
        : `${asset.slice(0, 40)} is not the symbol of an asset.`,
    hint: 'Give days as YYYY-MM-DD, the earlier first, and symbols in capitals, such as BTC.',
  });
}
