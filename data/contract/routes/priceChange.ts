import { instantPattern } from '../values/primitives.ts';
import type { Route } from './route.ts';

/** For how long after a change a payment of the former price is still accepted (I9.5). */
export const priceGraceMs = 600_000;
/** How far ahead a change is announced at the least (I9.5). */
const priceNoticeMs = 30 * 86_400_000;
const microUsdPerCent = 10_000;

/** What a call of a route costs at one instant, in micro-USD. */
export type PriceInForce = {
  readonly microUsd: number;
  /** The price before it, while a payment of it is still accepted; null otherwise. */
  readonly formerMicroUsd: number | null;
};

type Priced = Pick<Route, 'priceMicroUsd' | 'priceChange'>;

/** Decides which price of a row applies at an instant; nothing else does (I9.5, P1.6). */
export function priceAt({ priceMicroUsd, priceChange }: Priced, nowMs: number): PriceInForce {
  if (priceChange === undefined) return { microUsd: priceMicroUsd, formerMicroUsd: null };
  const sinceMs = nowMs - Date.parse(priceChange.effectiveAt);
  if (sinceMs < 0) return { microUsd: priceMicroUsd, formerMicroUsd: null };
  return {
    microUsd: priceChange.newMicroUsd,
    formerMicroUsd: sinceMs <= priceGraceMs ? priceMicroUsd : null,
  };
}

/** The table as it reads at an instant: a change that took effect is the price of its row, and is announced no more. */
export function routesAt(routes: readonly Route[], nowMs: number): readonly Route[] {
  return routes.map((route) => {
    const { priceChange, ...row } = route;
    const { microUsd } = priceAt(route, nowMs);
    return microUsd === route.priceMicroUsd ? route : { ...row, priceMicroUsd: microUsd };
  });
}

/** The instants at which prices of a table change, ascending, each once. */
export function priceChangeInstants(routes: readonly Route[]): number[] {
  const instants = routes.flatMap(({ priceChange }) =>
    priceChange === undefined ? [] : [Date.parse(priceChange.effectiveAt)],
  );
  return [...new Set(instants)].sort((a, b) => a - b);
}

/** Why the announced change of a row breaks the contract (I9.2, I9.5, I4.34); null when it does not, or there is none. */
export function priceChangeFault(route: Route): string | null {
  const { priceMicroUsd, priceChange, priceBand } = route;
  if (priceChange === undefined) return null;
  const { announcedAt, effectiveAt, newMicroUsd } = priceChange;
  if (priceMicroUsd === 0 || newMicroUsd <= 0) return 'a route does not become free or paid';
  if (priceBand !== undefined) return 'the artifact decides the price of this route';
  if (newMicroUsd === priceMicroUsd) return 'the price stays the same';
  if (newMicroUsd % microUsdPerCent !== 0) return 'the new price is not a whole number of cents';
  if (![announcedAt, effectiveAt].every((text) => instantPattern.test(text)))
    return 'an instant is not written YYYY-MM-DDTHH:MM:SSZ';
  const noticeMs = Date.parse(effectiveAt) - Date.parse(announcedAt);
  return noticeMs >= priceNoticeMs ? null : 'it is announced less than 30 days ahead';
}
