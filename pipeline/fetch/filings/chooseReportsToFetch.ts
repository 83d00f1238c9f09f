import { isReadReport } from '../../../calculators/currentReports/readSubmission.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { isPlaceholder } from '../../../data/contract/values/filingUrl.ts';

/** A current report of the list of submissions. */
export type ReportCandidate = {
  /** Ten digits. */
  readonly cik: string;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  /** UTC instant; null when only `filed` is known. */
  readonly acceptedAt: string | null;
  readonly items: readonly string[];
};

/**
 * Chooses the current reports that have to be available on `sourceDate`: of the forms and items that are read (M17.35), known by
 * that day, and filed after the day of the issuer's balance sheet in force, or from `from` on. Newest first, issuers in order
 * of CIK, each (cik, accession) once; an issuer without a balance sheet has none to be newer than.
 */
export function chooseReportsToFetch(
  candidates: readonly ReportCandidate[],
  input: {
    readonly sourceDate: string;
    /** Day of the newest balance sheet, by CIK. */
    readonly periods: ReadonlyMap<string, string>;
    readonly from?: string;
  },
): ReportCandidate[] {
  const { sourceDate, periods, from } = input;
  const wanted = candidates.filter((report) => {
    const { cik, accession, filed, acceptedAt } = report;
    const isKnown = filed <= sourceDate && (acceptedAt ?? filed).slice(0, 10) <= sourceDate;
    if (!isKnown || isPlaceholder(accession) || !isReadReport(report)) return false;
    const period = periods.get(cik);
    return (from !== undefined && filed >= from) || (period !== undefined && filed > period);
  });
  const once = new Map(wanted.map((report) => [`${report.cik} ${report.accession}`, report]));
  return [...once.values()].sort(
    (a, b) =>
      compareText(a.cik, b.cik) || compareText(b.filed, a.filed) || compareText(b.accession, a.accession),
  );
}
