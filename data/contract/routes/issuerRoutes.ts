import { reportComponents, reportPriceMicroUsd, reportPrices } from '../billing/reportDepth.ts';
import { alphaSignals } from '../payloads/issuer/alphaSignals.ts';
import { companyFundamentals } from '../payloads/issuer/companyFundamentals.ts';
import { coreHistory } from '../payloads/issuer/coreHistory.ts';
import { covenantStress } from '../payloads/issuer/covenantStress.ts';
import { issuerFieldMap, mostFieldPoints } from '../payloads/issuer/issuerFieldMap.ts';
import { peerRanking } from '../payloads/issuer/peerRanking.ts';
import { outputModes } from '../payloads/reports/reportLegs.ts';
import { history, own, storedObject } from './answer.ts';
import * as p from './param.ts';
import { paid } from './route.ts';

const reportBand = {
  minMicroUsd: reportPrices.least,
  maxMicroUsd: reportPrices.most,
  statedAt: ['data', 'depth', 'price_micro_usd'],
  components: {
    statedAt: ['data', 'depth', 'components'],
    parts: reportComponents.map(({ component, condition }) => ({
      component,
      microUsd: reportPriceMicroUsd([component]),
      condition,
    })),
  },
};

const filingParts = [
  p.flag('include_segments', 'Adds segment data where the filing has it.'),
  p.flag('include_related_party', 'Adds related-party transactions where the filing has them.'),
];

const reportParams = [
  p.period,
  p.sourceDate,
  ...filingParts,
  p.oneOf(
    'output_mode',
    outputModes,
    'compact: the last 30 points of the field map; full: all of them, with the keys they were read from.',
    'compact',
  ),
  p.oneOf('format', ['json', 'html', 'pdf'], 'Representation; a page shows the compact report.', 'json'),
];

const reportNote =
  'The price follows from what the report holds, and is stated before payment; without a required part it is the least one.';

/** R08–R11, R17, R23, R29, R30: one issuer. */
export const issuerRoutes = [
  paid({
    id: 'R08',
    path: '/v1/company-fundamentals/{ticker}',
    operationId: 'getCompanyFundamentals',
    micro: 50_000,
    mirroredBy: 'M07',
    params: [p.tickerPath, p.period, p.sourceDate, ...filingParts],
    schemaId: 'company_fundamentals.v1',
    answer: storedObject(companyFundamentals),
    description: 'Nine filed figures of one issuer, each with concept, period and accession number.',
    examplePath: '/v1/company-fundamentals/MSTR',
  }),
  paid({
    id: 'R09',
    path: '/v1/alpha-signals/{ticker}',
    operationId: 'getAlphaSignals',
    micro: 70_000,
    mirroredBy: 'M08',
    params: [p.tickerPath, p.sourceDate],
    schemaId: 'alpha_signals.v1',
    answer: storedObject(alphaSignals),
    description: 'Quality-and-resilience score of one issuer with all its parts.',
    examplePath: '/v1/alpha-signals/MSTR',
  }),
  paid({
    id: 'R10',
    path: '/v1/peer-ranking/{ticker}',
    operationId: 'getPeerRanking',
    micro: 60_000,
    mirroredBy: 'M09',
    params: [p.tickerPath, p.period, p.sourceDate],
    schemaId: 'peer_ranking.v1',
    answer: storedObject({
      ...peerRanking,
      // why an issuer of the slice has no rank stands beside its covenant row (M4.5)
      miss: {
        reasonCode: 'issuer_not_ranked',
        sentence: 'has no rank in the slice',
        hint: 'GET /v1/covenant-stress/{ticker} shows what is known of it.',
        because: 'unranked_reason',
      },
    }),
    description: 'Rank and percentile of one issuer among its peers, with system resonance.',
    examplePath: '/v1/peer-ranking/MSTR',
  }),
  paid({
    id: 'R11',
    path: '/v1/covenant-stress/{ticker}',
    operationId: 'getCovenantStress',
    micro: 100_000,
    mirroredBy: 'M10',
    params: [p.tickerPath, p.period, p.sourceDate],
    schemaId: 'covenant_stress.v1',
    answer: storedObject(covenantStress),
    description: 'Leverage ratio of one issuer under 30, 50 and 70 percent shocks, filed and live.',
    examplePath: '/v1/covenant-stress/MSTR',
  }),
  paid({
    id: 'R17',
    path: '/v1/spectra-field-map/{ticker}',
    operationId: 'getIssuerFieldMap',
    micro: 80_000,
    params: [p.tickerPath, p.sourceDate],
    schemaId: 'issuer_field_map.v1',
    answer: storedObject({
      ...issuerFieldMap,
      newest: { history: issuerFieldMap.stored.points, member: 'points', most: mostFieldPoints },
      counted: ['points', 'events'],
      miss: {
        reasonCode: 'historical_field_map_missing',
        sentence: 'has no stored field map',
        hint: 'GET /v1/core-history/{ticker} shows the rows it would be drawn from.',
      },
    }),
    description: 'Historical field map of one issuer with filing markers and chains.',
    note: 'One point a slice with the issuer; artifact.counts of the 402 says how many there are.',
    examplePath: '/v1/spectra-field-map/MSTR',
  }),
  paid({
    id: 'R23',
    path: '/v1/core-history/{ticker}',
    operationId: 'getCoreHistory',
    micro: 150_000,
    params: [p.tickerPath, p.dateFrom, p.dateTo, ...p.page(2000, 500)],
    schemaId: 'core_history.v1',
    answer: history({
      payload: coreHistory,
      history: coreHistory.stored.history,
      member: 'data',
      members: ({ page, filters, stored, issuer }) => ({
        ticker: issuer.ticker,
        lookup_ticker: issuer.asked,
        join_key: 'cik' as const,
        cik: issuer.cik,
        meta: { ...page, coverage: stored, filters },
      }),
    }),
    description: 'Covenant and stress series of one issuer as known on each date.',
    examplePath: '/v1/core-history/MSTR',
  }),
  paid({
    id: 'R29',
    path: '/v1/company-report/{ticker}',
    operationId: 'getCompanyReport',
    micro: reportPrices.usual,
    priceBand: reportBand,
    params: [p.tickerPath, ...reportParams],
    schemaId: 'company_report.v1',
    answer: own('company_report'),
    description:
      'Everything known of one issuer in one answer: fundamentals, scores, rank, covenant stress with its loan facilities, field map, capital structure.',
    note: reportNote,
    examplePath: '/v1/company-report/MSTR',
  }),
  paid({
    id: 'R30',
    method: 'POST',
    path: '/v1/bundles/company-report',
    operationId: 'postCompanyReport',
    micro: reportPrices.usual,
    priceBand: reportBand,
    params: [p.required(p.tickerQuery, 'MSTR'), ...reportParams].map(p.inBody),
    schemaId: 'company_report.v1',
    answer: own('company_report'),
    description: 'The company report asked for with a JSON body.',
    note: reportNote,
  }),
] as const;
