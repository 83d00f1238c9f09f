import { priceAt } from '../../data/contract/routes/priceChange.ts';
import type { Servable } from '../find/servable/servable.ts';
import { repriced } from '../find/servable/servableOf.ts';

/** A servable at the price of an instant. */
export type Priced = {
  readonly servable: Servable;
  /** The price before it, while payments of it are still accepted; null otherwise (P1.6). */
  readonly formerMicroUsd: number | null;
};

/** Prices a servable for one request: the end of the look-up stage, before access is decided (P1.5). */
export function priceInForce(servable: Servable, nowMs: number): Priced {
  if (servable.route.priceChange === undefined) return { servable, formerMicroUsd: null };
  const { microUsd, formerMicroUsd } = priceAt(servable.route, nowMs);
  return { servable: repriced(servable, microUsd), formerMicroUsd };
}
