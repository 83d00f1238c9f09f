import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
import { type BasketFigures, type BasketMember, basketFigures } from './basketFigures.ts';
import {
  type Closes,
  type ConstituentPrice,
  closeDay,
  type DayClose,
  dayClose,
  priceAt,
} from './constituentPrice.ts';
import {
  type Product,
  type RegistryVersion,
  type RegistryWeights,
  registryWeights,
  versionOn,
} from './product.ts';

/** The basket of a product as it is known when a bucket ends. */
export type Basket = {
  readonly version: RegistryVersion;
  readonly weights: RegistryWeights;
  /** By constituent, in the order of the registry. */
  readonly prices: readonly (ConstituentPrice | null)[];
  /** The same with their shares; null while the weights are not valid. */
  readonly members: readonly BasketMember[] | null;
  readonly figures: BasketFigures | null;
};

/**
 * Looks up the basket of a bucket: the registry version effective on the date it starts, closes known when it ends
 * (M8.6, M8.6b). Null without a version.
 */
export function basketsOf({
  product,
  closes,
  parameters,
}: {
  readonly product: Pick<Product, 'versions'>;
  readonly closes: Closes;
  readonly parameters: PerpsParameters;
}): (bucket: { readonly sourceDate: string; readonly end: number }) => Basket | null {
  const weightsOf = new Map<RegistryVersion, RegistryWeights>();
  let last: {
    readonly version: RegistryVersion;
    readonly days: string;
    readonly found: (DayClose | null)[];
  } | null = null;

  /** Closes change twice a day: the buckets between share them. */
  function closesOf(version: RegistryVersion, end: number): readonly (DayClose | null)[] {
    const day = { coin: closeDay('coin', end), stock: closeDay('stock', end) };
    const days = `${day.coin} ${day.stock}`;
    if (last?.version === version && last.days === days) return last.found;
    const found = version.constituents.map((constituent) =>
      dayClose(constituent, { closes, day: day[constituent.kind], parameters }),
    );
    last = { version, days, found };
    return found;
  }

  return ({ sourceDate, end }) => {
    const version = versionOn(product, sourceDate);
    if (version === null) return null;
    const weights = weightsOf.get(version) ?? registryWeights(version, parameters);
    weightsOf.set(version, weights);
    const found = closesOf(version, end);
    const prices = version.constituents.map(({ kind }, i) =>
      priceAt(found[i] ?? null, { kind, at: end, parameters }),
    );
    const members = weights.isValid
      ? weights.rows.map(({ weight }, i) => ({ weight: weight ?? 0, return7d: prices[i]?.return7d ?? null }))
      : null;
    const { pricedWeight } = parameters.perps.coverage;
    const figures = members === null ? null : basketFigures(members, { pricedWeight });
    return { version, weights, prices, members, figures };
  };
}
