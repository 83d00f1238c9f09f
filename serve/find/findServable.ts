import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { OwnFinder } from '../../data/contract/routes/answer.ts';
import { findAlphaAudit } from './answers/alphaAudit.ts';
import { findCalculationHistory } from './answers/calculationHistory.ts';
import { findCompanyReport } from './answers/companyReport.ts';
import { findDailyChanges } from './answers/dailyChanges.ts';
import { findDailyEvidence } from './answers/dailyEvidence.ts';
import { findEtfAudit } from './answers/etfAudit.ts';
import { findEtfAuditExport } from './answers/etfAuditExport.ts';
import { findHistory } from './answers/historyAnswer.ts';
import { findList } from './answers/listAnswer.ts';
import { findObject } from './answers/objectAnswer.ts';
import { findProductHistory } from './answers/productHistory.ts';
import type { FindInput, Found } from './servable/findInput.ts';

/** The answers that are put together by code of their own. */
const ownFinders: { readonly [F in OwnFinder]: (input: FindInput) => Promise<Found> } = {
  alpha_audit: findAlphaAudit,
  calculation_history: findCalculationHistory,
  company_report: findCompanyReport,
  daily_changes: findDailyChanges,
  daily_evidence: findDailyEvidence,
  etf_audit: findEtfAudit,
  etf_audit_export: findEtfAuditExport,
};

/**
 * Finds what a paid route answers, in the way its row says: artifact, view and price, hashes checked (I4.7 step 5, P1.4).
 *
 * @throws IssuerError `not_found`, `ambiguous_ticker`, `identifier_conflict`, `offset_out_of_range`, `not_ready` or
 * `artifact_unavailable`.
 */
export async function findServable(input: FindInput): Promise<Found> {
  const { answer } = input.route;
  switch (answer?.kind) {
    case 'object':
      return findObject(input, answer);
    case 'list':
      return findList(input, answer);
    case 'history':
      return findHistory(input, answer);
    case 'product_history':
      return findProductHistory(input, answer);
    case 'own':
      return ownFinders[answer.finder](input);
    default:
      throw new IssuerError({
        code: 'internal',
        message: `Route ${input.route.id} has no answer.`,
        hint: '',
      });
  }
}
