import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { BasketPart } from './fieldMapRow.ts';

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
