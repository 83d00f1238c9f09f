import { type Route, routeUri } from '../routes/route.ts';

/** What a caller should know of an operation before the first call, in a few sentences. */
export function operationDescription(route: Route, routes: readonly Route[]): string {
  return [
    route.description,
    ...(route.note === undefined ? [] : [route.note]),
    ...priceSentences(route, routes),
    ...choiceSentences(route),
  ].join(' ');
}

function priceSentences(route: Route, routes: readonly Route[]): string[] {
  if (route.family === 'free') return ['Free, without a credential that pays.'];
  const { priceBand: band } = route;
  const usd = (micro: number): string => (micro / 1_000_000).toFixed(2);
  const price =
    band === undefined
      ? `${usd(route.priceMicroUsd)} USD a call`
      : `${usd(band.minMicroUsd)} to ${usd(band.maxMicroUsd)} USD a call, by what the answer holds`;
  const pay =
    route.family === 'mpp'
      ? 'Without a credential 402 names the price in WWW-Authenticate: Payment.'
      : 'Without a credential 402 names the price in PAYMENT-REQUIRED.';
  const twin = routes.find(({ id }) => id === (route.mirrorOf ?? route.mirroredBy));
  return [
    `Costs ${price}.`,
    pay,
    'An answer that does not exist is 400 or 404 and costs nothing.',
    ...(twin === undefined ? [] : [`The same payload is sold under ${routeUri(twin)}.`]),
  ];
}

/** Which parameters must or may not be sent together. */
export function choiceSentences({ requireOneOf, exclusive }: Route): string[] {
  return [
    ...(requireOneOf === undefined ? [] : [`At least one of ${requireOneOf.join(', ')} must be sent.`]),
    ...(exclusive ?? []).map((group) => `Not more than one of ${group.join(', ')} may be sent.`),
  ];
}
