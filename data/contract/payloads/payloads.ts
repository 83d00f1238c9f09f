import { alphaSignals } from './issuer/alphaSignals.ts';
import { calculationHistory } from './issuer/calculationHistory.ts';
import { capital } from './issuer/capital.ts';
import { capitalFigure } from './issuer/capitalParts.ts';
import { companyFundamentals } from './issuer/companyFundamentals.ts';
import { coreHistory } from './issuer/coreHistory.ts';
import { covenantStress } from './issuer/covenantStress.ts';
import { issuerFieldMap } from './issuer/issuerFieldMap.ts';
import { peerRanking } from './issuer/peerRanking.ts';
import { etfAudit, etfAuditThresholds } from './market/etfAudit.ts';
import { etfAuditExport } from './market/etfAuditExport.ts';
import { etfPressureState } from './market/etfPressureState.ts';
import { marketFieldMap } from './market/marketFieldMap.ts';
import { perpCalculationHistory } from './market/perpCalculationHistory.ts';
import { perpConstituents } from './market/perpConstituents.ts';
import { perpFactors } from './market/perpFactors.ts';
import { perpRankings } from './market/perpRankings.ts';
import { companyReport } from './reports/companyReport.ts';
import { dailyBrief } from './reports/dailyBrief.ts';
import { naturalBrief } from './reports/naturalBrief.ts';
import { alphaOpportunities } from './universe/alphaOpportunities.ts';
import { alphaOpportunitiesAudit } from './universe/alphaOpportunitiesAudit.ts';
import { covenantStressList } from './universe/covenantStressList.ts';
import { dailyChangeEvidence } from './universe/dailyChangeEvidence.ts';
import { latestDailyChanges } from './universe/latestDailyChanges.ts';
import { readiness } from './universe/readiness.ts';
import { riskDistribution } from './universe/riskDistribution.ts';
import { topStressed } from './universe/topStressed.ts';

/** Every payload of the contract, in the order of the documents. */
const listed = [
  readiness,
  riskDistribution,
  topStressed,
  companyFundamentals,
  covenantStress,
  covenantStressList,
  latestDailyChanges,
  dailyChangeEvidence,
  alphaOpportunities,
  alphaOpportunitiesAudit,
  alphaSignals,
  peerRanking,
  issuerFieldMap,
  coreHistory,
  calculationHistory,
  perpConstituents,
  perpFactors,
  perpCalculationHistory,
  perpRankings,
  marketFieldMap,
  etfPressureState,
  etfAudit,
  etfAuditExport,
  etfAuditThresholds,
  naturalBrief,
  capital,
  capitalFigure,
  companyReport,
  dailyBrief,
] as const;

type Listed = (typeof listed)[number];
export type SchemaId = Listed['id'];

/** The payloads by the schema id of I4.31a. */
export const payloads = Object.fromEntries(listed.map((one) => [one.id, one])) as {
  readonly [P in Listed as P['id']]: P;
};

/** Schema ids that describe the answer of a route: its own, and those of payloads that stand in it whole. */
export function describingSchemas(schemaId: string): readonly string[] {
  return [schemaId, ...payloads[schemaId as SchemaId].embeds.map(({ id }) => id)];
}

/** What a discovery catalogue shows of the answer of a route; null for a route without a payload (P2.2). */
export function discoveryExample(schemaId: string | null): object | null {
  return Object.hasOwn(payloads, schemaId ?? '') ? payloads[schemaId as SchemaId].excerpt : null;
}
