import type { Presented } from '../access/accessDecision.ts';
import type { Incoming } from '../exchange.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import type { FailingCall } from './failedCall.ts';

/** One request of the endpoint. */
export type EndpointCall = FailingCall & {
  readonly request: Incoming;
  readonly presented: Presented;
  readonly startedMs: number;
  /** Plan of the endpoint itself. */
  readonly plan: RoutePlan;
};
