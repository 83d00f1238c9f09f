import { dailyBrief } from '../payloads/reports/dailyBrief.ts';
import { briefLimits, naturalBrief } from '../payloads/reports/naturalBrief.ts';
import { alphaOpportunities } from '../payloads/universe/alphaOpportunities.ts';
import { covenantStressList } from '../payloads/universe/covenantStressList.ts';
import { latestDailyChanges } from '../payloads/universe/latestDailyChanges.ts';
import { readiness } from '../payloads/universe/readiness.ts';
import { riskDistribution } from '../payloads/universe/riskDistribution.ts';
import { topStressed } from '../payloads/universe/topStressed.ts';
import {
  briefStyles,
  debtCoverages,
  issuerTypes,
  normQualities,
  qualityFlags,
  riskTiers,
  treasuryRelevances,
} from '../values/enums.ts';
import { type Filter, list, own, storedObject } from './answer.ts';
import { atLeast, equals, isNull, isTrue } from './filter.ts';
import * as p from './param.ts';
import { paid } from './route.ts';

const listedTypes: readonly string[] = ['operating_company', 'foreign_issuer'];
const fundTypes: readonly string[] = ['etf_trust', 'fund_vehicle', 'product'];

// without a type the board lists operating companies and foreign issuers, and funds beside them when they are asked for
const boardTypes: Filter<'issuer_type'> = {
  params: ['issuer_type', 'include_funds'],
  column: 'issuer_type',
  condition: (asked) => {
    const type = asked.get('issuer_type');
    if (type === 'all') return null;
    const withFunds = asked.get('include_funds') === true;
    const byDefault = withFunds ? [...listedTypes, ...fundTypes] : listedTypes;
    const wanted = typeof type === 'string' ? [type] : byDefault;
    return (value) => typeof value === 'string' && wanted.includes(value);
  },
};

/** R01–R07, R12, R24: the whole slice, boards and screens. */
export const universeRoutes = [
  paid({
    id: 'R01',
    path: '/v1/readiness',
    operationId: 'getReadiness',
    micro: 40_000,
    mirroredBy: 'M01',
    params: [],
    schemaId: 'readiness.v1',
    answer: storedObject(readiness),
    description: 'Freshness, coverage and readiness of the current slice.',
  }),
  paid({
    id: 'R02',
    path: '/v1/daily-changes/latest',
    operationId: 'getDailyChangesLatest',
    micro: 30_000,
    mirroredBy: 'M02',
    params: [
      ...p.page(250, 50),
      p.shown(
        p.text(
          'date_from',
          1,
          32,
          'First day of the delta window; problems are reported in the window status.',
        ),
        '2026-02-01',
      ),
      p.shown(
        p.text('date_to', 1, 32, 'Last day of the delta window; problems are reported in the window status.'),
        '2026-02-07',
      ),
    ],
    schemaId: 'latest_daily_changes.v1',
    answer: own('daily_changes'),
    description: 'What changed in the SEC filings of tracked companies last night.',
  }),
  paid({
    id: 'R03',
    path: '/v1/daily-changes/evidence',
    operationId: 'getDailyChangeEvidence',
    micro: 30_000,
    params: [p.tickerQuery, p.cikQuery, p.sourceDate, p.limit(1, 250, 100), p.offset(10_000_000)],
    requireOneOf: ['ticker', 'cik'],
    schemaId: 'daily_change_evidence.v1',
    answer: own('daily_evidence'),
    description: 'Paginated raw tag evidence behind one daily-change row.',
    examplePath: '/v1/daily-changes/evidence?ticker=BMNR',
  }),
  paid({
    id: 'R04',
    path: '/v1/risk-distribution',
    operationId: 'getRiskDistribution',
    micro: 40_000,
    mirroredBy: 'M03',
    params: [
      p.oneOf(
        'basis',
        ['filing', 'live'],
        'Tiers that are counted: of the filings, or at the closes of the slice.',
        'filing',
      ),
    ],
    schemaId: 'risk_distribution.v1',
    answer: storedObject(riskDistribution),
    description: 'Issuers of the slice counted by risk tier, by the filings or at live prices.',
  }),
  paid({
    id: 'R05',
    path: '/v1/top-stressed',
    operationId: 'getTopStressed',
    micro: 50_000,
    mirroredBy: 'M04',
    params: [...p.page(100, 10)],
    schemaId: 'top_stressed.v1',
    answer: list({
      payload: topStressed,
      rows: topStressed.stored.rows,
      member: 'data',
      members: ({ page, slice, stored }) => ({
        meta: {
          ...page,
          source_date: slice,
          sort: 'live_else_filing_stress_50pct_desc' as const,
          excluded_unclassified: stored.excluded_unclassified,
        },
      }),
    }),
    description: 'Issuers ranked by leverage after a 50 % fall of their coins, worst first.',
    examplePath: '/v1/top-stressed?limit=5',
  }),
  paid({
    id: 'R06',
    path: '/v1/alpha-opportunities',
    operationId: 'getAlphaOpportunities',
    micro: 50_000,
    mirroredBy: 'M05',
    params: [
      ...p.page(100, 10),
      p.sourceDate,
      p.oneOf('risk_tier', riskTiers, 'Only rows of this tier.'),
      p.oneOf('debt_coverage_status', debtCoverages, 'Only rows with this debt coverage.'),
      p.oneOf('quality_flag', normQualities, 'Only rows of this quality.'),
      p.oneOf(
        'issuer_type',
        [...issuerTypes, 'all'],
        'Only issuers of this type; default operating companies and foreign issuers.',
      ),
      p.flag('include_funds', 'Adds trusts, funds and products.'),
    ],
    exclusive: [['issuer_type', 'include_funds']],
    schemaId: 'alpha_opportunities.v1',
    answer: list({
      payload: alphaOpportunities,
      rows: alphaOpportunities.stored.rows,
      filters: [
        // no row with a failed gate other than the issuer type is on any board (I4.R06.3)
        isNull('failed_gate_besides_type'),
        equals('risk_tier', 'risk_tier'),
        equals('debt_coverage_status', 'debt_coverage_status'),
        equals('quality_flag', 'quality'),
        boardTypes,
      ],
      member: 'opportunities',
      members: ({ page, filters, slice, stored }) => ({
        source_date: slice,
        market_regime: stored.market_regime,
        tower_status: stored.tower_status,
        tower_coherence: stored.tower_coherence,
        meta: { ...page, filters },
      }),
    }),
    description: 'Board of issuers ranked by the quality-and-resilience score.',
    examplePath: '/v1/alpha-opportunities?limit=5',
  }),
  paid({
    id: 'R07',
    path: '/v1/alpha-opportunities/audit',
    operationId: 'getAlphaOpportunitiesAudit',
    micro: 30_000,
    mirroredBy: 'M06',
    params: [
      p.limit(1, 100, 10),
      p.sourceDate,
      p.oneOf('issuer_type', [...issuerTypes, 'all'], 'Board view that is explained.'),
      p.flag('include_rows', 'Adds every row.'),
    ],
    schemaId: 'alpha_opportunities_audit.v1',
    answer: own('alpha_audit'),
    description: 'Why rows are missing from the board and why raw rank differs from board rank.',
  }),
  paid({
    id: 'R12',
    path: '/v1/covenant-stress',
    operationId: 'screenCovenantStress',
    micro: 80_000,
    mirroredBy: 'M11',
    params: [
      p.sourceDate,
      p.period,
      p.oneOf('risk_tier', riskTiers, 'Only rows of this tier.'),
      p.oneOf('quality_flag', qualityFlags, 'Only rows of this quality.'),
      p.oneOf('debt_coverage_status', debtCoverages, 'Only rows with this debt coverage.'),
      p.oneOf(
        'treasury_relevance',
        treasuryRelevances,
        'Only rows whose coins are core, material, incidental or none of the issuer.',
      ),
      p.shown(
        p.numberAtLeast('min_stress', 0, 1000, 'Only rows with stress_50pct at or above this value.'),
        '0.5',
      ),
      p.flag('linkbase_only', 'Only rows whose totals come from a calculation linkbase.'),
      ...p.page(100, 25),
    ],
    schemaId: 'covenant_stress_list.v1',
    answer: list({
      payload: covenantStressList,
      rows: covenantStressList.stored.rows,
      filters: [
        equals('period', 'period'),
        equals('risk_tier', 'risk_tier'),
        equals('quality_flag', 'quality_flag'),
        equals('debt_coverage_status', 'debt_coverage_status'),
        equals('treasury_relevance', 'treasury_relevance'),
        atLeast('min_stress', 'stress_50pct'),
        isTrue('linkbase_only', 'is_linkbase_backed'),
      ],
      member: 'data',
      members: ({ page, filters, slice }) => ({
        meta: { ...page, filters, source_date: slice, sort: 'stress_50pct_desc' as const },
      }),
    }),
    description: 'Screen of the slice by tier, quality, coverage and stress.',
    examplePath: '/v1/covenant-stress?risk_tier=CRITICAL',
  }),
  paid({
    id: 'R24',
    path: '/v1/core7/calculation-history',
    operationId: 'getCore7CalculationHistory',
    micro: 200_000,
    params: [
      p.tickerQuery,
      p.cikQuery,
      ...p.dates,
      p.oneOf(
        'mode',
        ['compact', 'full'],
        'Stored form of a row: complete, or without what it is made from.',
        'full',
      ),
      ...p.page(250, 25),
    ],
    schemaId: 'core7_calculation_history.v1',
    answer: own('calculation_history'),
    description: 'Complete calculation rows of issuers and source dates.',
    note: 'Rows are complete; mode=compact leaves fundamentals, peer_ranking, alpha_signals and source_fields out of each, at the same price.',
    examplePath: '/v1/core7/calculation-history?ticker=MSTR',
  }),
] as const;

const style = p.oneOf('style', briefStyles, 'Voice and length of the brief.', 'professional');
const rows = p.oneOf('limit', briefLimits, 'Rows of each board in the brief.', '10');

/** What the boards of a slice are compiled from, by name. */
const boards = {
  readiness: readiness.stored.object,
  risk_distribution: riskDistribution.stored.object,
  top_stressed: topStressed.stored.rows,
  alpha_opportunities: alphaOpportunities.stored.rows,
};

/** A brief as it lies in the release; one that is missed beside its evidence could not be compiled (I2.45). */
const brief = (
  object: (typeof naturalBrief.stored)[keyof typeof naturalBrief.stored],
  sources: Parameters<typeof storedObject>[0]['sources'] = {},
) =>
  storedObject({
    stored: { object },
    serveTime: naturalBrief.serveTime,
    miss: {
      reasonCode: 'not_published',
      sentence: 'has no compiled brief in the slice',
      hint: 'GET /v1/readiness shows the slice that is served; the figures have routes of their own.',
    },
    sources,
    unsourced: 'raw_evidence_missing',
  });

/** R25–R28: compiled briefs. */
export const briefRoutes = [
  paid({
    id: 'R25',
    path: '/v1/morning-brief/natural',
    operationId: 'getMorningBriefNatural',
    micro: 950_000,
    params: [p.briefDate, rows, style],
    schemaId: 'natural_brief.v1',
    answer: brief(naturalBrief.stored.morning, boards),
    description: 'Natural-language morning brief in which every number is evidence.',
  }),
  paid({
    id: 'R26',
    path: '/v1/top-stressed/natural',
    operationId: 'getTopStressedNatural',
    micro: 950_000,
    params: [rows, style],
    schemaId: 'natural_brief.v1',
    answer: brief(naturalBrief.stored.topStressed, boards),
    description: 'Natural-language brief on the most stressed issuers.',
  }),
  paid({
    id: 'R27',
    path: '/v1/covenant-stress/natural',
    operationId: 'getCovenantStressNatural',
    micro: 1_200_000,
    params: [p.required(p.tickerQuery, 'MSTR'), p.briefDate, style],
    schemaId: 'natural_brief.v1',
    answer: brief(naturalBrief.stored.covenant),
    description: 'Natural-language covenant-stress brief of one issuer.',
    examplePath: '/v1/covenant-stress/natural?ticker=MSTR',
  }),
  paid({
    id: 'R28',
    path: '/v1/daily-brief/public',
    operationId: 'getDailyBriefPublic',
    micro: 4_500_000,
    params: [p.oneOf('format', ['html', 'json', 'pdf'], 'Representation.', 'json'), p.briefDate],
    schemaId: 'daily_brief.v1',
    answer: storedObject({
      stored: dailyBrief.stored,
      miss: {
        reasonCode: 'not_published',
        sentence: 'holds no daily brief of this format',
        hint: 'Ask for another date; GET /v1/readiness and the routes of its figures show the same slice.',
      },
      formats: { html: dailyBrief.stored.html, pdf: dailyBrief.stored.pdf },
      sources: {
        readiness: readiness.stored.object,
        latest_daily_changes: latestDailyChanges.stored.object,
        risk_distribution: riskDistribution.stored.object,
        top_stressed: topStressed.stored.rows,
        alpha_opportunities: alphaOpportunities.stored.rows,
      },
    }),
    description: 'Customer-facing daily brief as JSON with copy-ready text, as an HTML page or as a PDF.',
  }),
] as const;
