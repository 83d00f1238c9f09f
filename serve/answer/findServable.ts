import { IssuerError } from '../../contract/issuerError.ts';
import { findAlphaAudit } from './alphaAudit.ts';
import { findAlphaBoard } from './alphaBoard.ts';
import { findCalculationHistory } from './calculationHistory.ts';
import { findCoreHistory } from './coreHistory.ts';
import { findDailyChanges } from './dailyChanges.ts';
import { findDailyEvidence } from './dailyEvidence.ts';
import type { FindInput, Found } from './findInput.ts';
import { findIssuerAnswer } from './issuerAnswer.ts';
import { findScreen, findTopStressed } from './screens.ts';
import { findUniverseObject } from './universeObject.ts';

/** Who finds the answer of a payload; a mirror has the payload of its twin (I4.31a). */
const finders: Readonly<Record<string, (input: FindInput) => Promise<Found>>> = {
  'readiness.v1': findUniverseObject((slice) => `readiness/${slice}.json`),
  'latest_daily_changes.v1': findDailyChanges,
  'daily_change_evidence.v1': findDailyEvidence,
  'risk_distribution.v1': findUniverseObject((slice) => `risk-distribution/${slice}.json`),
  'top_stressed.v1': findTopStressed,
  'alpha_opportunities.v1': findAlphaBoard,
  'alpha_opportunities_audit.v1': findAlphaAudit,
  'company_fundamentals.v1': findIssuerAnswer,
  'alpha_signals.v1': findIssuerAnswer,
  'peer_ranking.v1': findIssuerAnswer,
  'covenant_stress.v1': findIssuerAnswer,
  'covenant_stress_list.v1': findScreen,
  'issuer_field_map.v1': findIssuerAnswer,
  'core_history.v1': findCoreHistory,
  'core7_calculation_history.v1': findCalculationHistory,
};

/**
 * Finds what a paid route answers: artifact, view and price, hashes checked (I4.7 step 5, P1.4).
 *
 * @throws IssuerError `not_found`, `ambiguous_ticker`, `identifier_conflict`, `offset_out_of_range`, `not_ready` or
 * `artifact_unavailable`.
 */
export async function findServable(input: FindInput): Promise<Found> {
  const finder = finders[input.route.schemaId ?? ''];
  if (finder === undefined) {
    throw new IssuerError({ code: 'internal', message: `Route ${input.route.id} has no finder.`, hint: '' });
  }
  return finder(input);
}
