import type { Issuer } from '../../calculators/rows.ts';
import type { CompanyRow } from '../../contract/companies.ts';
import { type Route, routeUri } from '../../contract/route.ts';

/**
 * One row per issuer of the universe, ordered by name, then CIK (I4.F08.2). An issuer without a row in the
 * slice is `not_covered`: its issuer routes are named with the reason they answer 404 with (I3.26).
 *
 * @param o.covered CIKs with a row in the slice
 * @param o.lastSourceDates newest earlier slice with a row, by CIK
 * @param o.routes live routes of the contract
 */
export function companyRows(o: {
  issuers: readonly Issuer[];
  covered: ReadonlySet<string>;
  sourceDate: string;
  lastSourceDates: ReadonlyMap<string, string>;
  routes: readonly Route[];
}): CompanyRow[] {
  const issuerRoutes = o.routes.filter((route) => route.scope === 'issuer').map(routeUri);
  const report = o.routes.find((route) => route.id === 'R29');
  const rows = o.issuers.map((issuer): CompanyRow => {
    const isCovered = o.covered.has(issuer.cik);
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
      last_source_date: isCovered ? o.sourceDate : (o.lastSourceDates.get(issuer.cik) ?? null),
      coverage_status: isCovered ? 'covered' : 'not_covered',
      report_price_usd: isCovered && report !== undefined ? report.priceMicroUsd / 1_000_000 : null,
    };
  });
  return rows.sort((a, b) => compare(a.name, b.name) || compare(a.cik, b.cik));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
