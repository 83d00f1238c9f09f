import { compareText } from '../../../data/contract/values/compareText.ts';
import { type FitReport, type FitViolation, listedPerCode } from '../../../data/contract/visual/fitReport.ts';
import { leastLegiblePx, type ViolationCode } from '../../../data/contract/visual/visualContract.ts';

/** What was measured against a policy and does not keep it. */
export type Found = Pick<FitViolation, 'measured' | 'limit' | 'message'> & {
  readonly code: ViolationCode;
  readonly ids: readonly string[];
};

/**
 * Violations by code and subjects, errors where the code is in `fail_on` or the text cannot be read, and the verdict they
 * give (V32).
 */
export function verdictOf(
  found: readonly Found[],
  failOn: readonly ViolationCode[],
): Pick<FitReport, 'verdict' | 'violations'> {
  const violations = found
    .map((one) => ({ one, key: [one.code, ...one.ids].join(' ') }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(
      ({ one: { code, ids, measured, limit, message } }): FitViolation => ({
        code,
        severity: failOn.includes(code) || isUnreadable({ code, measured }) ? 'error' : 'warning',
        subject_ids: [...ids],
        measured,
        limit,
        message,
      }),
    );
  if (violations.length === 0) return { verdict: 'fit', violations };
  const isRefused = violations.some(({ severity }) => severity === 'error');
  return { verdict: isRefused ? 'does_not_fit' : 'fit_with_warnings', violations };
}

// a picture without a word that can be read is no answer
function isUnreadable({ code, measured }: Pick<Found, 'code' | 'measured'>): boolean {
  return code === 'font_too_small' && measured !== null && measured < leastLegiblePx;
}

/** A report with the first violations of each code, and how many more there are; the verdict is that of all (V32). */
export function listedReport(report: FitReport): FitReport {
  const counts = new Map<ViolationCode, number>();
  const violations = report.violations.filter(({ code }) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return count <= listedPerCode;
  });
  const leftOut = report.violations.length - violations.length;
  return leftOut === 0 ? report : { ...report, violations, violations_left_out: leftOut };
}
