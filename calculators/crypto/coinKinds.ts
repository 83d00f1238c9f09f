import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { assetOf } from '../assets/classifyCoins.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { CoinMix } from '../prices/coinMix.ts';
import type { CryptoHoldings, CryptoInputs } from './cryptoHoldings.ts';
import { curatedAsset, memberMix } from './cryptoUnits.ts';
import { priceCheck } from './priceCheck.ts';

/** Which coins the holdings are made of. */
export type CoinKinds = {
  /** Empty where nothing says; a part that names no known coin keeps its member's name. */
  readonly mix: CoinMix;
  /** The one coin that stands for all of them since units of it fit the value; null where the filing or the table says. */
  readonly assumed: string | null;
};

type Held = Pick<CryptoInputs, 'issuer' | 'filing' | 'facts' | 'prices' | 'parameters'> & {
  readonly holdings: CryptoHoldings;
  readonly period: string;
};

/**
 * The mix of holdings (M2.7, M3.18): fair values by member where the instance splits C; else one coin, the only one the
 * filing names or the curated one, whose units at the close fit C; else the curated asset; else what members there are.
 */
export function coinKinds(held: Held): CoinKinds {
  const { issuer, holdings, facts, parameters } = held;
  const { amount } = holdings;
  if (amount.sign <= 0) return { mix: [], assumed: null };
  const split = facts === null ? null : memberMix({ facts, amount, parameters });
  if (split?.every(isKnown)) return { mix: split, assumed: null };
  const curated = curatedAsset(issuer);
  const candidates = [onlyCoinNamed(held.filing, parameters.concepts), curated];
  const fitting = candidates.find((asset) => asset !== null && doUnitsFit(asset, held)) ?? null;
  if (fitting !== null && (split !== null || fitting !== curated)) {
    return { mix: [{ asset: fitting, amount }], assumed: fitting };
  }
  return { mix: split ?? (curated === null ? [] : [{ asset: curated, amount }]), assumed: null };
}

/** True where the holdings are not split by kind: their price is unknown (M3.18). */
export function areKindsUnknown(mix: CoinMix): boolean {
  return mix.length === 0 || !mix.every(isKnown);
}

/** A member that names no known coin stands for itself, with its prefix. */
function isKnown({ asset }: CoinMix[number]): boolean {
  return !asset.includes(':');
}

/** The coin that concepts, members and units of the filing name, where they name no other. */
function onlyCoinNamed(filing: XbrlFiling | null, concepts: Concepts): string | null {
  const names = (filing?.facts ?? []).flatMap(({ concept, unit, dimensions }) => [
    concept,
    unit,
    ...dimensions.map(({ member }) => member),
  ]);
  const found = new Set([...new Set(names)].flatMap((name) => assetOf(name, concepts) ?? []));
  const [only = null, second] = found;
  return second === undefined ? only : null;
}

/** A quantity of the coin, or of none that is named, or its members together, fits C at the close (M2.9). */
function doUnitsFit(asset: string, { holdings, facts, period, prices, parameters }: Held): boolean {
  const close = prices.close(asset, period)?.close;
  if (facts === null || close === undefined) return false;
  const ofAsset = facts.quantitiesByAsset.filter((held) => held.asset === asset).map(({ value }) => value);
  const whole = facts.quantities.filter((held) => held.asset === null || held.asset === asset);
  const tried: ExactDecimal[] = [...whole.map(({ value }) => value), ...ofAsset, sumOf(ofAsset)];
  return tried.some(
    (quantity) =>
      priceCheck({ fairValue: holdings.amount, quantity, close, parameters }).verdict !== 'reject',
  );
}
