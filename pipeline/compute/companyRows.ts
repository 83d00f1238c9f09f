import type { Issuer } from '../../calculators/filing/rows.ts';
import type { NotFoundReason } from '../../data/contract/errors/problem.ts';
import type { CompanyRow } from '../../data/contract/payloads/universe/companies.ts';
import { type Route, routeUri } from '../../data/contract/routes/route.ts';
import { compareText } from '../../data/contract/values/compareText.ts';

/** How well the filing in force of an issuer is known. */
type Standing = Pick<CompanyRow, 'period' | 'filing_age_days' | 'quality_flag' | 'treasury_relevance'>;

const unknownStanding: Standing = {
  period: null,
  filing_age_days: null,
  quality_flag: null,
  treasury_relevance: null,
};

/**
 * One row per issuer of the universe, ordered by name, then CIK (I4.F08.2). Issuer routes that answer 404 are named
 * with the reason code they give: all of them for an issuer without a row in the slice (I3.26), the ranking for one
 * without a rank.
 *
 * @param covered by CIK, what is shown of each issuer with a row in the slice
 * @param unranked CIKs without a rank in it
 * @param reportPrices by CIK, USD of the report without choices; none where there is no report
 * @param lastSourceDates newest earlier slice with a row, by CIK
 * @param routes live routes of the contract
 */
export function companyRows({
  issuers,
  covered,
  unranked,
  reportPrices,
  sourceDate,
  lastSourceDates,
  routes,
}: {
  issuers: readonly Issuer[];
  covered: ReadonlyMap<string, Standing>;
  unranked: ReadonlySet<string>;
  reportPrices: ReadonlyMap<string, number>;
  sourceDate: string;
  lastSourceDates: ReadonlyMap<string, string>;
  routes: readonly Route[];
}): CompanyRow[] {
  const issuerRoutes = routes.filter((route) => route.scope === 'issuer');
  const rows = issuers.map((issuer): CompanyRow => {
    const standing = covered.get(issuer.cik);
    const isCovered = standing !== undefined;
    const reasonOf = (route: Route): NotFoundReason | null => {
      if (!isCovered) return 'issuer_without_coverage';
      if (isReport(route) && !reportPrices.has(issuer.cik)) return 'report_legs_unavailable';
      return isRanking(route) && unranked.has(issuer.cik) ? 'issuer_not_ranked' : null;
    };
    const missed = issuerRoutes.flatMap((route) => {
      const reason = reasonOf(route);
      return reason === null ? [] : [{ route: routeUri(route), reason_code: reason }];
    });
    return {
      ticker: issuer.ticker,
      lookup_ticker: issuer.ticker ?? issuer.cik,
      name: issuer.entityName,
      entity_name: issuer.entityName,
      cik: issuer.cik,
      category: issuer.issuerType,
      aliases: [...issuer.aliases],
      supported_routes: issuerRoutes.filter((route) => reasonOf(route) === null).map(routeUri),
      unavailable_routes: missed,
      last_source_date: isCovered ? sourceDate : (lastSourceDates.get(issuer.cik) ?? null),
      coverage_status: coverageOf(issuerRoutes.length - missed.length, missed.length),
      report_price_usd: reportPrices.get(issuer.cik) ?? null,
      status: issuer.ended?.status ?? 'active',
      status_date: issuer.ended?.on ?? null,
      successor: issuer.ended?.successor ?? null,
      ...(standing ?? unknownStanding),
    };
  });
  return rows.sort((a, b) => compareText(a.name, b.name) || compareText(a.cik, b.cik));
}

const isReport = ({ schemaId }: Route): boolean => schemaId === 'company_report.v1';

const isRanking = ({ answer }: Route): boolean =>
  answer?.kind === 'object' && answer.miss?.reasonCode === 'issuer_not_ranked';

function coverageOf(answered: number, missed: number): CompanyRow['coverage_status'] {
  if (answered === 0) return 'not_covered';
  return missed === 0 ? 'covered' : 'partial';
}
