import { etfAudit, thresholdMembers } from '../payloads/market/etfAudit.ts';
import { etfPressureState } from '../payloads/market/etfPressureState.ts';
import { marketFieldMap } from '../payloads/market/marketFieldMap.ts';
import { perpCalculationHistory } from '../payloads/market/perpCalculationHistory.ts';
import { perpConstituents } from '../payloads/market/perpConstituents.ts';
import { perpFactors } from '../payloads/market/perpFactors.ts';
import { perpRankings, rankingRule } from '../payloads/market/perpRankings.ts';
import { list, own, productHistory, storedObject } from './answer.ts';
import { equals } from './filter.ts';
import { askedLength, askedMode, bucketMembers, registryMembers } from './marketMembers.ts';
import * as p from './param.ts';
import { paid } from './route.ts';

const page = p.page(250, 25);
const auditScope = [p.productPath, p.bucketLength, ...p.dates];
const windowDays = {
  name: 'window_days',
  in: 'query',
  required: false,
  type: { kind: 'int', min: 1, max: 30, default: 7 },
  description: 'Days of factor history ending at the slice; not together with a range.',
} as const;
const windowOrRange = ['source_date_from', 'source_date_to'].map((bound) => ['window_days', bound]);

const noPressure = {
  reasonCode: 'no_artifact_for_source_date',
  sentence: 'has no stored bucket up to the slice',
  hint: 'GET /v1/market-core/perps/rankings shows the products with stored buckets.',
} as const;

/** R13–R16, R18–R22: perpetual products and synthetic ETFs. */
export const marketRoutes = [
  paid({
    id: 'R13',
    path: '/v1/market-core/perps/constituents/{product}',
    operationId: 'getPerpConstituents',
    micro: 80_000,
    params: [p.productPath, ...p.dates, p.mode, ...page],
    schemaId: 'perp_constituents.v1',
    answer: productHistory({
      payload: perpConstituents,
      history: () => perpConstituents.stored.history,
      form: (asked) => perpConstituents.stored.history.forms.indexOf(askedMode(asked)),
      byDefault: 'newest_date',
      sent: 'newest_first',
      needsRegistry: true,
      member: 'data',
      members: (page) => registryMembers(page, 'GET /v1/market-core/perps/constituents/{product}'),
    }),
    description: 'Persisted constituent registry of one thematic or index perpetual product.',
    examplePath: '/v1/market-core/perps/constituents/AI-PERP-INTX',
  }),
  paid({
    id: 'R14',
    path: '/v1/market-core/perps/factors/{product}',
    operationId: 'getPerpFactors',
    micro: 100_000,
    params: [p.productPath, p.underlyingTicker, p.bucketLength, ...p.dates, p.mode, ...page],
    schemaId: 'perp_factors.v1',
    answer: productHistory({
      payload: perpFactors,
      history: (asked) => perpFactors.stored[askedLength(asked)],
      form: (asked) => perpFactors.stored['1d'].forms.indexOf(askedMode(asked)),
      byDefault: 'all',
      sent: 'newest_first',
      member: 'data',
      members: (page) => bucketMembers(page, 'GET /v1/market-core/perps/factors/{product}'),
    }),
    description: 'Market-factor history of one perpetual product.',
    examplePath: '/v1/market-core/perps/factors/BTC-PERP-INTX',
  }),
  paid({
    id: 'R15',
    path: '/v1/market-core/perps/calculation-history',
    operationId: 'getPerpCalculationHistory',
    micro: 200_000,
    params: [p.productQuery, p.underlyingTicker, p.bucketLength, ...p.dates, p.mode, ...page],
    schemaId: 'perp_calculation_history.v1',
    answer: productHistory({
      payload: perpCalculationHistory,
      history: (asked) => perpFactors.stored[askedLength(asked)],
      form: (asked) =>
        perpFactors.stored['1d'].forms.indexOf(askedMode(asked) === 'full' ? 'full' : 'hashed'),
      byDefault: 'newest_date',
      sent: 'newest_first',
      member: 'data',
      members: (page) => bucketMembers(page, 'GET /v1/market-core/perps/calculation-history'),
    }),
    description: 'Market-factor calculation rows of the products in scope.',
    examplePath: '/v1/market-core/perps/calculation-history?product=BTC-PERP-INTX',
  }),
  paid({
    id: 'R16',
    path: '/v1/market-core/perps/rankings',
    operationId: 'getPerpRankings',
    micro: 120_000,
    params: [p.bucketLength, p.sourceDate, p.underlyingTicker, ...page],
    schemaId: 'perp_rankings.v1',
    answer: list({
      payload: perpRankings,
      rows: perpRankings.stored.rows,
      filters: [equals('underlying_ticker', 'underlying_ticker')],
      member: 'data',
      lacking: 'market data',
      members: ({ page, filters, stored, asked, cells }) => {
        const { first_bucket_utc, last_bucket_utc, method_version: methodVersion } = stored;
        const around = bucketMembers(
          {
            asked,
            page,
            methodVersion,
            status: cells('status').every((status) => status === 'ok') ? 'complete' : 'partial',
            filters: Object.fromEntries(
              Object.entries(filters).map(([name, value]) => [name, String(value)]),
            ),
            sourceDates: [...new Set(cells('source_date').map(String))].sort().reverse(),
            persistence: { first_bucket_utc, last_bucket_utc },
          },
          'GET /v1/market-core/perps/rankings',
        );
        return {
          ...around,
          meta: { ...around.meta, ranking_field: 'ranking_score' as const, selection_rule: rankingRule },
        };
      },
    }),
    description: 'Products ranked by pressure, one row per product.',
  }),
  paid({
    id: 'R18',
    path: '/v1/market-spectra-field-map/{product}',
    operationId: 'getMarketFieldMap',
    micro: 80_000,
    params: [p.productPath, p.bucketLength, ...p.dates, ...page],
    schemaId: 'market_field_map.v1',
    answer: productHistory({
      payload: marketFieldMap,
      history: (asked) => marketFieldMap.stored[askedLength(asked)],
      form: () => 0,
      byDefault: 'all',
      sent: 'oldest_first',
      around: marketFieldMap.stored.object,
      member: 'points',
      members: ({ page, filters: { product: _, ...filters } }) => ({ meta: { ...page, filters } }),
    }),
    description: 'Historical market field map of one perpetual product.',
    examplePath: '/v1/market-spectra-field-map/BTC-PERP-INTX',
  }),
  paid({
    id: 'R19',
    path: '/v1/synthetic-etf/pressure-state/{product}',
    operationId: 'getEtfPressureState',
    micro: 120_000,
    params: [p.productPath, p.bucketLength, p.sourceDate],
    schemaId: 'etf_pressure_state.v1',
    answer: storedObject({ ...etfPressureState, miss: noPressure }),
    description: 'Composite pressure read of one product from stored constituents and factors.',
    examplePath: '/v1/synthetic-etf/pressure-state/BTC-PERP-INTX',
  }),
  paid({
    id: 'R20',
    path: '/v1/synthetic-etf/audit/{product}',
    operationId: 'getEtfAudit',
    micro: 200_000,
    params: [
      ...auditScope,
      windowDays,
      ...p.page(250, 100),
      p.flag('include_export', 'Adds the export block.', true),
    ],
    exclusive: windowOrRange,
    schemaId: 'etf_audit.v1',
    answer: own('etf_audit'),
    description:
      'Audit of the pressure read: thresholds, factor history, coverage, attribution, readiness of each question.',
    examplePath: '/v1/synthetic-etf/audit/BTC-PERP-INTX',
  }),
  paid({
    id: 'R21',
    path: '/v1/synthetic-etf/audit/{product}/export',
    operationId: 'exportEtfAudit',
    micro: 200_000,
    params: [...auditScope, windowDays, ...p.page(250, 250)],
    exclusive: windowOrRange,
    schemaId: 'etf_audit_export.v1',
    answer: own('etf_audit_export'),
    description: 'Audit export with artifact metadata and raw factor rows.',
    examplePath: '/v1/synthetic-etf/audit/BTC-PERP-INTX/export',
  }),
  paid({
    id: 'R22',
    path: '/v1/synthetic-etf/audit/{product}/thresholds',
    operationId: 'getEtfAuditThresholds',
    micro: 200_000,
    params: [p.productPath, p.bucketLength, p.sourceDate],
    schemaId: 'etf_audit_thresholds.v1',
    answer: storedObject({ ...etfAudit, picked: thresholdMembers, miss: noPressure }),
    description: 'Threshold contract with pass and fail flags, event status and blockers.',
    examplePath: '/v1/synthetic-etf/audit/BTC-PERP-INTX/thresholds',
  }),
] as const;
