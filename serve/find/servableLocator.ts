import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { OwnFinder } from '../../data/contract/routes/answer.ts';
import type { ResolvedIssuer } from '../identity/resolveIssuer.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import type { Snapshot } from '../store/artifactStore.ts';
import type { ByteCache } from '../store/byteCache.ts';
import { findAlphaAudit } from './answers/alphaAudit.ts';
import { findCompanyReport } from './answers/companyReport.ts';
import { findDailyChanges, findDailyEvidence } from './answers/dailyChanges.ts';
import { findEtfAudit, findEtfAuditExport } from './answers/etfAudit.ts';
import { findCalculationHistory, findHistory } from './answers/historyAnswer.ts';
import { findList } from './answers/listAnswer.ts';
import { findObject } from './answers/objectAnswer.ts';
import { findProductHistory } from './answers/productHistory.ts';
import type { FindInput, Found } from './servable/findInput.ts';
import type { Servable } from './servable/servable.ts';

/** Finds the servable of a plan, which is remembered while the pointers are the same. */
export type ServableLocator = (plan: RoutePlan, snapshot: Snapshot) => Promise<Found>;

type Place = {
  readonly snapshot: Snapshot;
  readonly lookup: ResolvedIssuer['lookup'] | null;
  readonly cacheKey: string;
};

/**
 * Remembers where each plan found its servable. Only the place is cached, and no longer than the plan: the bytes
 * stay bounded by the cache, and a promotion changes the snapshot and so every place.
 *
 * The returned function throws and rejects as `findServable` does.
 */
export function servableLocator(cache: ByteCache<Servable>): ServableLocator {
  const places = new WeakMap<RoutePlan, Place>();

  return async (plan, snapshot) => {
    const place = places.get(plan);
    if (place?.snapshot === snapshot) {
      const { lookup, cacheKey } = place;
      const servable = cache.get(cacheKey);
      if (servable !== undefined) return { servable, lookup, cacheKey };
    }
    const found = await findServable({ route: plan.route, params: plan.params, snapshot, cache });
    places.set(plan, { snapshot, lookup: found.lookup, cacheKey: found.cacheKey });
    return found;
  };
}

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
async function findServable(input: FindInput): Promise<Found> {
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
