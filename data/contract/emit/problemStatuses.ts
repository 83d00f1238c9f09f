import type { Route } from '../routes/route.ts';
import { freeAnswers } from './freeAnswers.ts';

// status classes of I4.22; transport codes apply to every class
const transportStatuses = [413, 414, 415, 431];
const statusesOf: Record<Route['statusClass'], readonly number[]> = {
  'ST-U': [304, 400, 401, 402, 403, 404, 405, 409, 429, 500, 501, 503],
  'ST-I': [304, 400, 401, 402, 403, 404, 405, 409, 429, 500, 501, 503],
  'ST-F': [304, 400, 404, 405, 429, 500, 501, 503],
};

/** What each status below success means. */
export const statusText: Readonly<Record<number, string>> = {
  304: 'Not modified; needs and charges the same access as a 200.',
  400: 'The request does not fit the route.',
  401: 'A credential is present and wrong.',
  402: 'Payment required, or the payment was refused; the challenge stands in a header.',
  403: 'The credential does not cover this.',
  404: 'Nothing is stored under this path; never charged.',
  405: 'The path exists with another method.',
  406: 'The answer is JSON, which Accept does not admit.',
  409: 'The payment or key was already used.',
  413: 'Body too large.',
  414: 'URL too long.',
  415: 'Body is not application/json.',
  429: 'Rate limit reached; never charged.',
  431: 'Headers too large.',
  500: 'Defect; never charged.',
  501: 'Route of the contract that this build does not serve.',
  503: 'Cannot be served now; never charged unless the detail says so.',
};

/** The statuses below success that a route may answer with, ascending. */
export function problemStatuses(route: Route): number[] {
  const own = route.family === 'mcp' ? [406] : (freeAnswers[route.id]?.also ?? []);
  return [...statusesOf[route.statusClass], ...own, ...transportStatuses].sort((a, b) => a - b);
}
