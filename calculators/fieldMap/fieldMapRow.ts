import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { CoreTier, QualityFlag, RiskTier } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import { ownZ } from '../standing/standings.ts';

/** Weight of an asset in the filed mix and the close its filing is measured from (M3.18). */
export type BasketPart = { readonly asset: string; readonly weight: number; readonly reference: number };

/** What a field map reads of one history row (M9.2); null is a value the row does not have. */
export type FieldMapRow = {
  readonly date: string;
  /** Accession of the filing in force: a change of it chain-links the price index. */
  readonly accession: string;
  readonly stZ: number | null;
  readonly ownZ: number | null;
  readonly mpZ: number | null;
  /** stress_50pct, live where there are live values. */
  readonly stress: number | null;
  /** Σ wₐ·Pₐ,t/Pₐ,ref of the filing in force. */
  readonly priceIndex: number | null;
  readonly basket: readonly BasketPart[];
  readonly coreTier: CoreTier | null;
  readonly quality: QualityFlag;
  readonly riskTier: RiskTier;
  readonly isLinkbaseBacked: boolean;
};

/** The row of a published covenant row, with live values where it has them (M9.2). */
export function fieldMapRow(stress: CovenantStress, basket: readonly BasketPart[]): FieldMapRow {
  const live = stress.uses_live_prices === true;
  // coins bought since are no move of prices
  const atFiledUnits = stress.live_total_crypto_fair_value_filed_units ?? stress.live_total_crypto_fair_value;
  const z = (name: 'ap' | 'ecs' | 'lsi' | 'mp' | 'st') =>
    (live ? stress[`live_${name}_z`] : stress[`${name}_z`]) ?? null;
  return {
    date: stress.source_date,
    accession: stress.accession_number,
    stZ: z('st'),
    ownZ: ownZ({ ap: z('ap'), ecs: z('ecs'), lsi: z('lsi') }),
    mpZ: z('mp'),
    stress: (live ? stress.live_stress_50pct : stress.stress_50pct) ?? null,
    priceIndex: live ? ratioOf(atFiledUnits, stress.total_crypto_fair_value) : null,
    basket,
    coreTier: stress.core_tier ?? null,
    quality: stress.quality_flag,
    riskTier: (live ? stress.live_risk_tier : null) ?? stress.risk_tier,
    isLinkbaseBacked: stress.is_linkbase_backed,
  };
}

function ratioOf(live: unknown, filed: unknown): number | null {
  const [over, under] = [doubleOf(live), doubleOf(filed)];
  return over === null || under === null || under <= 0 ? null : over / under;
}

function doubleOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return value instanceof ExactDecimal ? value.toNumber() : null;
}

/** Repriced holdings are published in whole USD: the index of a single coin can differ from its closes by so much. */
const roundingShare = 1e-6;

/**
 * The basket behind a published row, found again from its price index and the persisted closes: the one coin whose
 * closes give the index, or bitcoin and ether in the proportion that does where the row holds units of both. Empty
 * when neither holds; a history row does not carry its weights.
 */
export function impliedBasket(
  row: Pick<CovenantStress, 'source_date' | 'period' | 'bitcoin_units_held' | 'ethereum_units_held'>,
  {
    priceIndex,
    assets,
    prices,
  }: {
    readonly priceIndex: number | null;
    /** Coins to try, the likeliest first. */
    readonly assets: readonly string[];
    readonly prices: PriceBook;
  },
): BasketPart[] {
  const { period, source_date: day } = row;
  if (priceIndex === null || period === undefined) return [];
  const move = (asset: string) => {
    const [reference, close] = [prices.close(asset, period)?.close, prices.close(asset, day)?.close];
    return reference === undefined || close === undefined ? null : { reference, ratio: close / reference };
  };
  for (const asset of assets) {
    const found = move(asset);
    if (found !== null && Math.abs(found.ratio / priceIndex - 1) <= roundingShare)
      return [{ asset, weight: 1, reference: found.reference }];
  }
  const [bitcoin, ether] = [move('BTC'), move('ETH')];
  const holdsBoth = (row.bitcoin_units_held ?? 0) > 0 && (row.ethereum_units_held ?? 0) > 0;
  if (!holdsBoth || bitcoin === null || ether === null || bitcoin.ratio === ether.ratio) return [];
  const weight = (priceIndex - ether.ratio) / (bitcoin.ratio - ether.ratio);
  if (!(weight > 0 && weight < 1)) return [];
  return [
    { asset: 'BTC', weight, reference: bitcoin.reference },
    { asset: 'ETH', weight: 1 - weight, reference: ether.reference },
  ];
}
