import type { CurrentReports } from '../../data/contract/payloads/issuer/filingAge.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { filingUrl } from '../../data/contract/values/filingUrl.ts';
import type { Filing } from '../filing/rows.ts';

/** One filing of the list of submissions that says something between two periodic reports. */
export type SubmittedFiling = {
  readonly cik: string;
  readonly accession: string;
  readonly form: string;
  readonly items: readonly string[];
  readonly filed: string;
  /** The later of the filing date and the UTC day of acceptance (M10.2). */
  readonly knownOn: string;
};

/** What the list of submissions holds of an issuer. */
export type IssuerSubmissions = {
  /** Current and periodic reports and the ends of registrations, in any order. */
  readonly filings: readonly SubmittedFiling[];
  /** The first filing of any form the list has; it is cut where that is no beginning. */
  readonly from: string;
  readonly isCut: boolean;
};

/**
 * The current reports since the balance sheet of a filing, by kind: 8-K by item, 6-K as such, amendments with them,
 * each with its newest, the kind of the newest of all first. One report with several items counts under each (M1.61).
 */
export function currentReports(
  { period }: Pick<Filing, 'period'>,
  {
    submissions,
    sourceDate,
  }: { readonly submissions: IssuerSubmissions | null; readonly sourceDate: string },
): CurrentReports {
  if (submissions === null)
    return { current_reports: null, current_reports_missing: 'submissions_not_at_hand' };
  if (submissions.isCut && submissions.from > period)
    return { current_reports: null, current_reports_missing: 'submissions_begin_later' };
  const newestFirst = submissions.filings
    .filter(({ filed, knownOn }) => filed > period && knownOn <= sourceDate)
    .toSorted((a, b) => compareText(b.filed, a.filed) || compareText(b.accession, a.accession));
  const byKind = Map.groupBy(
    newestFirst.flatMap((filing) => kindsOf(filing).map((kind) => ({ kind, filing }))),
    ({ kind }) => kind,
  );
  const reports = [...byKind].flatMap(([kind, of]) => {
    const newest = of[0]?.filing;
    if (newest === undefined) return [];
    const { accession, filed } = newest;
    const filing_url = filingUrl(newest);
    return [{ kind, count: of.length, accession_number: accession, filed, filing_url }];
  });
  return { current_reports: reports };
}

function kindsOf({ form, items }: SubmittedFiling): readonly string[] {
  const base = form.replace(/\/A$/, '');
  if (base === '6-K') return ['6-K'];
  if (base !== '8-K') return [];
  // exhibits stand with every other item and say nothing of their own
  const own = [...new Set(items)].filter((item) => /^\d{1,2}(\.\d{2})?$/.test(item) && item !== '9.01');
  return own.length === 0 ? ['8-K'] : own.map((item) => `8-K ${item}`);
}

/**
 * The day on which the issuer said that its reporting ends, by Form 15; null where it did not, or reports after it: a
 * class of securities can end alone (M1.60).
 */
export function reportingEnded(
  submissions: IssuerSubmissions | null,
  { sourceDate }: { readonly sourceDate: string },
): string | null {
  const known = (submissions?.filings ?? []).filter(({ knownOn }) => knownOn <= sourceDate);
  const newest = (isOf: (form: string) => boolean) =>
    known
      .filter(({ form }) => isOf(form))
      .map(({ filed }) => filed)
      .toSorted(compareText)
      .at(-1) ?? null;
  const ended = newest(isEnd);
  const reported = newest((form) => !isEnd(form));
  return ended !== null && (reported === null || reported <= ended) ? ended : null;
}

function isEnd(form: string): boolean {
  return form.startsWith('15');
}
