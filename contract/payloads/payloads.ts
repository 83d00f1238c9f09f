import { alphaOpportunities } from './alphaOpportunities.ts';
import { alphaOpportunitiesAudit } from './alphaOpportunitiesAudit.ts';
import { alphaSignals } from './alphaSignals.ts';
import { calculationHistory } from './calculationHistory.ts';
import { companyFundamentals } from './companyFundamentals.ts';
import { companyReport } from './companyReport.ts';
import { coreHistory } from './coreHistory.ts';
import { covenantStress } from './covenantStress.ts';
import { covenantStressList } from './covenantStressList.ts';
import { dailyBrief } from './dailyBrief.ts';
import { dailyChangeEvidence } from './dailyChangeEvidence.ts';
import { etfAudit } from './etfAudit.ts';
import { etfAuditExport } from './etfAuditExport.ts';
import { etfAuditThresholds } from './etfAuditThresholds.ts';
import { etfPressureState } from './etfPressureState.ts';
import { issuerFieldMap } from './issuerFieldMap.ts';
import { latestDailyChanges } from './latestDailyChanges.ts';
import { marketFieldMap } from './marketFieldMap.ts';
import { naturalBrief } from './naturalBrief.ts';
import { peerRanking } from './peerRanking.ts';
import { perpCalculationHistory } from './perpCalculationHistory.ts';
import { perpConstituents } from './perpConstituents.ts';
import { perpFactors } from './perpFactors.ts';
import { perpRankings } from './perpRankings.ts';
import { readiness } from './readiness.ts';
import { riskDistribution } from './riskDistribution.ts';
import { topStressed } from './topStressed.ts';

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
