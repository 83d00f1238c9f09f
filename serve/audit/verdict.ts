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
