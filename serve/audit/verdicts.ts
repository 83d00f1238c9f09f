import {
  type AuditOperation,
  type AuditRun,
  auditOperations,
} from '../../data/contract/payloads/audit/auditRun.ts';
import { compareText } from '../../data/contract/values/compareText.ts';

/** How one operation of the audit ended, and why where it did not pass (M13.9). */
export type Verdict =
  | { readonly outcome: 'ok' }
  | { readonly outcome: 'failed' | 'skipped' | 'not_applicable'; readonly reason: string };

export const passed: Verdict = { outcome: 'ok' };

export function failed(reason: string): Verdict {
  return { outcome: 'failed', reason };
}

export function skipped(reason: string): Verdict {
  return { outcome: 'skipped', reason };
}

export function notApplicable(reason: string): Verdict {
  return { outcome: 'not_applicable', reason };
}

/** The first problem found, or a pass. */
export function verdictOf(problems: Iterable<string>): Verdict {
  for (const problem of problems) return failed(problem);
  return passed;
}

const maxFailuresListed = 200;

/** Counts the verdicts of the nine operations (M13.9) and keeps the first failures of every kind. */
export function newTally() {
  const counts = new Map<string, number>();
  const failures: AuditRun['failures'] = [];
  const of = (key: string): number => counts.get(key) ?? 0;
  const bump = (key: string) => counts.set(key, of(key) + 1);
  const perOperation = (kind: string) =>
    Object.fromEntries(auditOperations.map((operation) => [operation, of(`${kind} ${operation}`)]));
  const reasons = new Map<string, number>();
  return {
    add(operation: AuditOperation, cik: string, verdict: Verdict) {
      bump(verdict.outcome);
      bump(`count ${operation}`);
      if (verdict.outcome === 'ok') return;
      if (verdict.outcome === 'failed') {
        bump(`failure ${operation}`);
        this.note(cik, operation, verdict.reason);
        return;
      }
      reasons.set(verdict.reason, (reasons.get(verdict.reason) ?? 0) + 1);
    },
    note(cik: string | null, operation: string, reason: string) {
      if (failures.length < maxFailuresListed) failures.push({ cik, operation, reason });
    },
    failures: () => failures,
    totals: () => ({
      operation_count: auditOperations.reduce((sum, operation) => sum + of(`count ${operation}`), 0),
      ok_count: of('ok'),
      failed_count: of('failed'),
      skipped_count: of('skipped'),
      not_applicable_count: of('not_applicable'),
      counts_by_operation: perOperation('count') as AuditRun['counts_by_operation'],
      failures_by_operation: perOperation('failure') as AuditRun['failures_by_operation'],
      reasons: Object.fromEntries([...reasons].sort(([a], [b]) => compareText(a, b))),
    }),
  };
}
