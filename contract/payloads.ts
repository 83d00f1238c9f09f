import type { z } from 'zod';
import * as alphaExample from './alphaExamples.ts';
import { alphaOpportunities } from './alphaOpportunities.ts';
import { alphaOpportunitiesAudit } from './alphaOpportunitiesAudit.ts';
import { alphaSignals } from './alphaSignals.ts';
import { calculationHistory } from './calculationHistory.ts';
import * as changeExample from './changeExamples.ts';
import { companyFundamentals } from './companyFundamentals.ts';
import { coreHistory } from './coreHistory.ts';
import { covenantStress, covenantStressList } from './covenantStress.ts';
import { dailyChangeEvidence } from './dailyChangeEvidence.ts';
import { latestDailyChanges } from './dailyChanges.ts';
import * as example from './examples.ts';
import * as historyExample from './historyExamples.ts';
import { issuerFieldMap } from './issuerFieldMap.ts';
import { peerRanking } from './peerRanking.ts';
import { readiness } from './readiness.ts';
import { riskDistribution } from './riskDistribution.ts';
import { topStressed } from './topStressed.ts';

/** Schema, component name and example of each payload, by the schema id of I4.31a. */
export const payloads = {
  'readiness.v1': { name: 'Readiness', schema: readiness, example: example.readinessExample },
  'risk_distribution.v1': {
    name: 'RiskDistribution',
    schema: riskDistribution,
    example: example.riskDistributionExample,
  },
  'top_stressed.v1': { name: 'TopStressed', schema: topStressed, example: example.topStressedExample },
  'company_fundamentals.v1': {
    name: 'CompanyFundamentals',
    schema: companyFundamentals,
    example: example.companyFundamentalsExample,
  },
  'covenant_stress.v1': {
    name: 'CovenantStress',
    schema: covenantStress,
    example: example.covenantStressExample,
  },
  'covenant_stress_list.v1': {
    name: 'CovenantStressList',
    schema: covenantStressList,
    example: example.covenantStressListExample,
  },
  'latest_daily_changes.v1': {
    name: 'LatestDailyChanges',
    schema: latestDailyChanges,
    example: changeExample.latestDailyChangesExample,
  },
  'daily_change_evidence.v1': {
    name: 'DailyChangeEvidence',
    schema: dailyChangeEvidence,
    example: changeExample.dailyChangeEvidenceExample,
  },
  'alpha_opportunities.v1': {
    name: 'AlphaOpportunities',
    schema: alphaOpportunities,
    example: alphaExample.alphaOpportunitiesExample,
  },
  'alpha_opportunities_audit.v1': {
    name: 'AlphaOpportunitiesAudit',
    schema: alphaOpportunitiesAudit,
    example: alphaExample.alphaOpportunitiesAuditExample,
  },
  'alpha_signals.v1': {
    name: 'AlphaSignals',
    schema: alphaSignals,
    example: alphaExample.alphaSignalsExample,
  },
  'peer_ranking.v1': { name: 'PeerRanking', schema: peerRanking, example: alphaExample.peerRankingExample },
  'issuer_field_map.v1': {
    name: 'IssuerFieldMap',
    schema: issuerFieldMap,
    example: historyExample.issuerFieldMapExample,
  },
  'core_history.v1': { name: 'CoreHistory', schema: coreHistory, example: historyExample.coreHistoryExample },
  'core7_calculation_history.v1': {
    name: 'Core7CalculationHistory',
    schema: calculationHistory,
    example: historyExample.calculationHistoryExample,
  },
} as const satisfies Record<string, { name: string; schema: z.ZodType; example: unknown }>;

export type SchemaId = keyof typeof payloads;
