import { paidRails } from '../routes/paymentRail.ts';
import { type Route, routeUri } from '../routes/route.ts';
import { toolPaymentWays } from '../tools/toolPayment.ts';
import type { Deployment } from './deployment.ts';

/** A deployment and the routes it offers. */
type Offer = { readonly deployment: Deployment; readonly routes: readonly Route[] };

/** What a caller should know of an operation before the first call, in a few sentences. */
export function operationDescription(route: Route, offer: Offer): string {
  return [
    route.description,
    ...(route.note === undefined ? [] : [route.note]),
    ...priceSentences(route, offer),
    ...choiceSentences(route),
  ].join(' ');
}

function priceSentences(route: Route, { deployment, routes }: Offer): string[] {
  if (route.family === 'free') return ['Free, without a credential that pays.'];
  const { priceBand: band } = route;
  const usd = (micro: number): string => (micro / 1_000_000).toFixed(2);
  const price =
    band === undefined
      ? `${usd(route.priceMicroUsd)} USD a call`
      : `${usd(band.minMicroUsd)} to ${usd(band.maxMicroUsd)} USD a call, by what the answer holds`;
  const twin = routes.find(({ id }) => id === (route.mirrorOf ?? route.mirroredBy));
  return [
    `Costs ${price}.`,
    unpaidSentence(route, deployment),
    'An answer that does not exist is 400 or 404 and costs nothing.',
    ...(twin === undefined ? [] : [`The same payload is sold under ${routeUri(twin)}.`]),
  ];
}

/** Where an unpaid call finds what it has to sign. */
function unpaidSentence(route: Route, deployment: Deployment): string {
  if (route.family === 'mcp') {
    const places = toolPaymentWays(deployment).map(({ challenge }) => challenge);
    return places.length === 0 ? keyAlone : `An unpaid call names the price in ${places.join(' or ')}.`;
  }
  if (paidRails(route, 'http', deployment).length === 0) return keyAlone;
  const header = route.family === 'mpp' ? 'WWW-Authenticate: Payment' : 'PAYMENT-REQUIRED';
  return `Without a credential 402 names the price in ${header}.`;
}

const keyAlone = 'This deployment takes no payment for it: send an API key or the token of a grant.';

/** Which parameters must or may not be sent together. */
export function choiceSentences({ requireOneOf, exclusive }: Route): string[] {
  return [
    ...(requireOneOf === undefined ? [] : [`At least one of ${requireOneOf.join(', ')} must be sent.`]),
    ...(exclusive ?? []).map((group) => `Not more than one of ${group.join(', ')} may be sent.`),
  ];
}
