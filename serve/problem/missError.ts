import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type NotFoundReason, notFoundReasons } from '../../data/contract/errors/problem.ts';
import { type Route, routeUri } from '../../data/contract/routes/route.ts';
import { versions } from '../../data/contract/values/versions.ts';

/** What a miss says beyond its reason code (I7.6). */
export type Miss = {
  readonly reasonCode: NotFoundReason;
  readonly message: string;
  readonly hint: string;
  readonly ticker?: string | null;
  readonly product?: string;
  readonly nearestSourceDates?: { readonly before: string | null; readonly after: string | null } | null;
  readonly suggestions?: readonly string[];
  /** With `issuer_not_ranked` (I7.6). */
  readonly unrankedReason?: string;
  /** With `not_published`; none where the slice has them all and the answer itself could not be made (I4.R28.6). */
  readonly missingSources?: readonly string[];
  /** True where the slice of the date was withdrawn (I3.28). */
  readonly withdrawn?: true;
};

/** The `not_found` error with every member of its contract (I7.6); it is never charged (I4.8). */
export function missError(route: Route, miss: Miss): IssuerError {
  const rule = notFoundReasons[miss.reasonCode];
  return new IssuerError({
    code: 'not_found',
    message: miss.message,
    hint: hintOf(miss),
    details: {
      not_found_contract_version: versions.notFound,
      reason: miss.reasonCode.replaceAll('_', ' '),
      reason_code: miss.reasonCode,
      coverage_state: rule.coverage,
      retry_after_days: rule.retryAfterDays,
      route_uri: routeUri(route),
      ticker: miss.ticker ?? null,
      product: miss.product ?? null,
      request_key: null,
      nearest_source_dates: miss.nearestSourceDates ?? null,
      suggestions: miss.suggestions ?? [],
      ...(miss.unrankedReason === undefined ? {} : { unranked_reason: miss.unrankedReason }),
      ...(miss.reasonCode === 'raw_evidence_missing' ? { fallback_reason: miss.reasonCode } : {}),
      ...(miss.reasonCode === 'not_published' ? { missing_sources: miss.missingSources ?? [] } : {}),
      ...(miss.withdrawn === undefined ? {} : { withdrawn: miss.withdrawn }),
    },
  });
}

/** A hint leads to other dates only where there is one. */
function hintOf({ hint, product, nearestSourceDates: dates }: Miss): string {
  if (dates === undefined || dates === null || dates.before !== null || dates.after !== null) return hint;
  return product === undefined
    ? 'No other date has it: GET /companies says what is available for each issuer.'
    : 'No other date has it: coverage_windows of GET /v1/readiness name the rows of each product.';
}
