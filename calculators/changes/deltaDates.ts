/** What R08 dates its figures with: the deltas of the issuers that passed the daily-change gate (I3.27). */
export type DeltaDates = {
  /** Newest night whose delta held the issuer and passed, by CIK. */
  readonly byIssuer: ReadonlyMap<string, string>;
  /** Night of the baseline scan; null when no archive was scanned. */
  readonly baseline: string | null;
};

/**
 * The date of an issuer's newest delta that passed. A filing the baseline already held keeps the date it was filed; one
 * that came later in a delta that did not pass is shown under the date of the baseline.
 */
export function deltaDateOf(filing: { cik: string; filed: string }, dates: DeltaDates | null): string {
  const passed = dates?.byIssuer.get(filing.cik);
  if (passed !== undefined) return passed;
  const baseline = dates?.baseline ?? null;
  return baseline !== null && baseline < filing.filed ? baseline : filing.filed;
}
