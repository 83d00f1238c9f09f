import type { CompanyReportFrame } from '../../data/contract/payloads/reports/companyReport.ts';

/** What of each leg no artifact holds: of readiness its serve-time members, as they are at the build (I4.R01.3). */
export function builtMembers(sliceStatus: 'complete' | 'partial') {
  const isPartial = sliceStatus === 'partial';
  return {
    readiness: { ok: !isPartial, reason: isPartial ? ('partial_slice' as const) : null, age_minutes: 0 },
    company_fundamentals: {},
    alpha_signals: {},
    peer_ranking: {},
    covenant_stress: {},
    spectra_field_map: {},
  } satisfies Partial<CompanyReportFrame['data']>;
}
