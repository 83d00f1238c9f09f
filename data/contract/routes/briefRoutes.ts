import { dailyBrief } from '../payloads/reports/dailyBrief.ts';
import { briefLimits, naturalBrief } from '../payloads/reports/naturalBrief.ts';
import { alphaOpportunities } from '../payloads/universe/alphaOpportunities.ts';
import { latestDailyChanges } from '../payloads/universe/latestDailyChanges.ts';
import { readiness } from '../payloads/universe/readiness.ts';
import { riskDistribution } from '../payloads/universe/riskDistribution.ts';
import { topStressed } from '../payloads/universe/topStressed.ts';
import { briefStyles } from '../values/enums.ts';
import { storedObject } from './answer.ts';
import { paid } from './paid.ts';
import * as p from './param.ts';

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
    scope: 'universe',
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
    scope: 'universe',
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
    scope: 'universe',
    statusClass: 'ST-I',
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
    scope: 'universe',
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
