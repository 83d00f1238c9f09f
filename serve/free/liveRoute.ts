import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import type { Presented } from '../access/accessDecision.ts';
import type { Incoming } from '../exchange.ts';
import type { RatePolicy } from '../http/rateLimit.ts';
import type { Params } from '../routing/readParams.ts';

/** One call of a free route that is answered again each time: grants and card checkout. */
export type LiveCall = {
  readonly route: Route;
  readonly params: Params;
  readonly request: Incoming;
  readonly presented: Presented;
  readonly head: boolean;
  readonly nowMs: number;
  /** Takes from a further bucket (I8.3). @throws IssuerError `rate_limited` */
  limit(policy: RatePolicy, holder: string): void;
};

/** Answers a live route; every fault is thrown as an IssuerError. */
export type LiveRoute = (call: LiveCall) => Promise<{ readonly status: 200 | 201; readonly body: object }>;

/** Live routes by route id. */
export type LiveRoutes = ReadonlyMap<string, LiveRoute>;

/** The only value of a header that is no credential of paid routes; null when it is absent. */
export function headerValue(request: Incoming, name: string): string | null {
  const lines = request.headers[name];
  const first = lines?.[0];
  if (lines === undefined || first === undefined) return null;
  if (lines.every((line) => line === first)) return first;
  throw new IssuerError({
    code: 'conflicting_credentials',
    message: `${name} carries different values.`,
    hint: 'Send it once.',
    details: { headers: [name] },
  });
}
