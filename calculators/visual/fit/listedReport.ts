import { type FitReport, listedPerCode } from '../../../data/contract/visual/fitReport.ts';
import type { ViolationCode } from '../../../data/contract/visual/visualContract.ts';

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
