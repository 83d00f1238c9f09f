import type { Deployment } from '../emit/deployment.ts';
import type { Route } from './route.ts';

/** A way to pay one call, with a challenge, a payment and a receipt of its own. */
export type PaymentRail = 'x402' | 'mpp';

/** How a payment travels: by header and status, or inside the frames of a tool call (P10.1, P10.2). */
export type PaymentWay = 'http' | 'in_band';

/**
 * Rails a route is paid on: by headers that of its family alone, inside the frame of a tool call every one (I1.4, I5.12,
 * I5.12a). The first is named where none of them is on.
 */
export function railsOf({ family }: Pick<Route, 'family'>, way: PaymentWay): readonly PaymentRail[] {
  if (family === 'mcp' && way === 'in_band') return frameRails;
  return family === 'mpp' ? mppAlone : x402Alone;
}

/** Rails that this deployment takes payments on. */
export function isRailOn({ x402, mpp }: Pick<Deployment, 'x402' | 'mpp'>, rail: PaymentRail): boolean {
  return rail === 'mpp' ? mpp !== null : x402.payTo !== null;
}

/** The rails that a deployment takes payments of a route on; none where keys and grants alone open it. */
export function paidRails(
  route: Pick<Route, 'family'>,
  way: PaymentWay,
  deployment: Pick<Deployment, 'x402' | 'mpp'>,
): readonly PaymentRail[] {
  return railsOf(route, way).filter((rail) => isRailOn(deployment, rail));
}

const frameRails: readonly PaymentRail[] = ['x402', 'mpp'];
const x402Alone: readonly PaymentRail[] = ['x402'];
const mppAlone: readonly PaymentRail[] = ['mpp'];

/** The live routes that a deployment can be paid for: those below /mpp/v1 while its rail is on, and all others. */
export function offeredRoutes(routes: readonly Route[], { mpp }: Pick<Deployment, 'mpp'>): Route[] {
  return routes.filter(({ status, family }) => status === 'live' && (family !== 'mpp' || mpp !== null));
}
