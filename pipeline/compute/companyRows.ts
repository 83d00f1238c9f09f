import type { Issuer } from '../../calculators/filing/rows.ts';
import type { CompanyRow } from '../../contract/payloads/companies.ts';
import { type Route, routeUri } from '../../contract/routes/route.ts';
import { compareText } from '../../contract/values/compareText.ts';

/**
 * One row per issuer of the universe, ordered by name, then CIK (I4.F08.2). An issuer without a row in the
 * slice is `not_covered`: its issuer routes are named with the reason they answer 404 with (I3.26).
 *
 * @param o.covered CIKs with a row in the slice
 * @param o.lastSourceDates newest earlier slice with a row, by CIK
 * @param o.routes live routes of the contract
 */
export function companyRows({
  issuers,
  covered,
  sourceDate,
  lastSourceDates,
  routes,
}: {
  issuers: readonly Issuer[];
  covered: ReadonlySet<string>;
  sourceDate: string;
  lastSourceDates: ReadonlyMap<string, string>;
  routes: readonly Route[];
}): CompanyRow[] {
  const issuerRoutes = routes.filter((route) => route.scope === 'issuer').map(routeUri);
  const report = routes.find((route) => route.id === 'R29');
  const rows = issuers.map((issuer): CompanyRow => {
    const isCovered = covered.has(issuer.cik);
    return {
      ticker: issuer.ticker,
      lookup_ticker: issuer.ticker ?? issuer.cik,
      name: issuer.entityName,
      entity_name: issuer.entityName,
      cik: issuer.cik,
      category: issuer.issuerType,
      aliases: [...issuer.aliases],
      supported_routes: isCovered ? issuerRoutes : [],
      unavailable_routes: isCovered
        ? []
        : issuerRoutes.map((route) => ({ route, reason_code: 'issuer_without_coverage' })),
      last_source_date: isCovered ? sourceDate : (lastSourceDates.get(issuer.cik) ?? null),
      coverage_status: isCovered ? 'covered' : 'not_covered',
      report_price_usd: isCovered && report !== undefined ? report.priceMicroUsd / 1_000_000 : null,
    };
  });
  return rows.sort((a, b) => compareText(a.name, b.name) || compareText(a.cik, b.cik));
}
