import type { IssuerResult, Slice } from '../../calculators/composeSlice.ts';
import type { Issuer } from '../../calculators/rows.ts';
import { type CompanyFundamentals, companyFundamentals } from '../../contract/companyFundamentals.ts';
import { covenantStress } from '../../contract/covenantStress.ts';
import { readinessArtifact } from '../../contract/readiness.ts';
import { riskDistribution } from '../../contract/riskDistribution.ts';
import { liveRoutes } from '../../contract/routes.ts';
import * as stores from '../../contract/rowStores.ts';
import type { Artifact } from '../release/artifact.ts';
import { rowStore } from '../release/rowStore.ts';
import { alphaArtifacts, backfilledAlphaArtifacts } from './alphaArtifacts.ts';
import { companyRows } from './companyRows.ts';
import { singleArtifact } from './singleArtifact.ts';
import type { SliceHistory } from './sliceHistory.ts';

/**
 * The artifacts of one slice under the keys of I4, every payload parsed by its contract schema. A backfilled
 * slice holds only the row stores (I4.36).
 *
 * @throws IssuerError `validation_failed` for the first payload its schema refuses.
 */
export function sliceArtifacts(o: {
  slice: Slice;
  results: readonly IssuerResult[];
  issuers: readonly Issuer[];
  history: SliceHistory;
  sourceDate: string;
  backfilled: boolean;
}): Artifact[] {
  const d = o.sourceDate;
  const covenantStore = covenantRowStore(o.slice, d);
  if (o.backfilled) {
    return [...covenantStore, ...fundamentalsRowStore(o.results, d), ...backfilledAlphaArtifacts(o.slice, d)];
  }
  const { filing, live } = o.slice.riskDistribution;
  return [
    singleArtifact(`readiness/${d}.json`, readinessArtifact, o.slice.readiness),
    singleArtifact(`risk-distribution/${d}.json`, riskDistribution, filing),
    singleArtifact(`risk-distribution/${d}.live.json`, riskDistribution, live),
    ...topStressedRowStore(o.slice, d),
    ...covenantStore,
    ...o.results.flatMap((result) => issuerArtifacts(result, d)),
    ...alphaArtifacts(o.slice, d),
    ...companiesRowStore(o),
  ];
}

function issuerArtifacts(result: IssuerResult, d: string): Artifact[] {
  const cik = `CIK${result.issuer.cik}`;
  const full = result.fundamentals;
  const variants = [
    ['', withoutSegments(withoutRelatedParties(full))],
    ['+rpt', withoutSegments(full)],
    ['+seg', withoutRelatedParties(full)],
    ['+seg+rpt', full],
  ] as const;
  return [
    singleArtifact(`covenant/${d}/${cik}.json`, covenantStress, result.stress),
    ...variants.map(([flags, value]) =>
      singleArtifact(`fundamentals/${d}/${cik}${flags}.json`, companyFundamentals, value),
    ),
  ];
}

/** The variant without a flag says `available: false` with an empty array (I4.R08.3). */
function withoutSegments(full: CompanyFundamentals): CompanyFundamentals {
  return { ...full, segment_data: { available: false, segments: [] } };
}

function withoutRelatedParties(full: CompanyFundamentals): CompanyFundamentals {
  return { ...full, related_party_transactions: { available: false, transactions: [] } };
}

function covenantRowStore(slice: Slice, d: string): readonly Artifact[] {
  return rowStore({
    store: stores.covenantSlice,
    key: [d],
    rows: slice.covenantRows,
    beside: ({ cik }) => ({ unrankedReason: slice.unranked.get(cik) ?? null }),
    meta: {},
  });
}

function topStressedRowStore(slice: Slice, d: string): readonly Artifact[] {
  return rowStore({
    store: stores.topStressed,
    key: [d],
    rows: slice.topStressed,
    meta: { excluded_unclassified: slice.excludedUnclassified },
  });
}

function fundamentalsRowStore(results: readonly IssuerResult[], d: string): readonly Artifact[] {
  const sorted = [...results].sort((a, b) => (a.issuer.cik < b.issuer.cik ? -1 : 1));
  return rowStore({
    store: stores.fundamentals,
    key: [d],
    rows: sorted.map((r) => withoutSegments(withoutRelatedParties(r.fundamentals))),
    meta: {},
  });
}

function companiesRowStore(o: {
  results: readonly IssuerResult[];
  issuers: readonly Issuer[];
  history: SliceHistory;
  sourceDate: string;
}): readonly Artifact[] {
  const lastSourceDates = new Map<string, string>();
  for (const past of o.history) for (const cik of past.ciks) lastSourceDates.set(cik, past.sourceDate);
  const rows = companyRows({
    issuers: o.issuers,
    covered: new Set(o.results.map((result) => result.issuer.cik)),
    sourceDate: o.sourceDate,
    lastSourceDates,
    routes: liveRoutes,
  });
  return rowStore({ store: stores.companies, key: [o.sourceDate], rows, meta: {} });
}
