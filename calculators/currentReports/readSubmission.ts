import { IssuerError } from '../../data/contract/errors/issuerError.ts';

/** A submission text cut into its header and documents (M17.27). */
export type Submission = {
  readonly accession: string;
  readonly form: string;
  /** Civil date. */
  readonly filed: string;
  readonly period: string | null;
  /** UTC instant of acceptance; null where the header has none. */
  readonly acceptedAt: string | null;
  readonly documents: readonly SubmittedDocument[];
  /** EX-99 documents that are no text, `unreadable_exhibit`. */
  readonly unreadable: readonly SubmittedDocument[];
};

export type SubmittedDocument = {
  readonly type: string;
  readonly filename: string;
  readonly text: string;
};

const mostDocuments = 64;
const longestHeader = 200_000;

/**
 * Cuts the text of a submission at its documents; types come from its tags, never from a file's name (M17.27).
 *
 * @throws IssuerError `validation_failed` for a text without the header of a submission, or with more than 64 documents that are read.
 */
export function readSubmission(text: string): Submission {
  const first = text.indexOf('<DOCUMENT>');
  const header = text.slice(0, Math.min(first < 0 ? text.length : first, longestHeader));
  const accession = field(header, /^\s*ACCESSION NUMBER:[ \t]{1,20}(\d{10}-\d\d-\d{6})/m);
  const form = field(header, /^\s*CONFORMED SUBMISSION TYPE:[ \t]{1,20}(\S{1,12})/m);
  const filed = field(header, /^\s*FILED AS OF DATE:[ \t]{1,20}(\d{8})/m);
  if (accession === null || form === null || filed === null)
    throw bad('has no header with accession number, submission type and filing date');
  const accepted = field(header, /^\s*<ACCEPTANCE-DATETIME>(\d{14})/m);
  const period = field(header, /^\s*CONFORMED PERIOD OF REPORT:[ \t]{1,20}(\d{8})/m);
  const all = documentsOf(text, first).filter(
    ({ type }) => type === form || /^(?:8-K|6-K|EX-99|EX-10|EX-4)/.test(type),
  );
  if (all.length > mostDocuments) throw bad(`has more than ${mostDocuments} documents to read`);
  return {
    accession,
    form,
    filed: civil(filed),
    period: period === null ? null : civil(period),
    acceptedAt: accepted === null ? null : easternToUtc(accepted),
    documents: all.filter((document) => isReadable(document)),
    unreadable: all.filter((document) => document.type.startsWith('EX-99') && !isReadable(document)),
  };
}

function documentsOf(text: string, first: number): SubmittedDocument[] {
  const documents: SubmittedDocument[] = [];
  for (let at = first; at >= 0; ) {
    const end = text.indexOf('</DOCUMENT>', at);
    const body = text.slice(at, end < 0 ? text.length : end);
    const start = body.indexOf('<TEXT>');
    const tags = body.slice(0, start < 0 ? 2000 : start);
    documents.push({
      type: field(tags, /^<TYPE>([^\r\n]{1,40})/m) ?? '',
      filename: field(tags, /^<FILENAME>([^\r\n]{1,200})/m) ?? '',
      text: start < 0 ? '' : body.slice(start + 6).replace(/<\/TEXT>\s{0,4}$/, ''),
    });
    at = end < 0 ? -1 : text.indexOf('<DOCUMENT>', end);
  }
  return documents;
}

function isReadable({ filename, text }: SubmittedDocument): boolean {
  return (
    !/\.(?:pdf|jpe?g|png|gif|xml|xsd|zip)$/i.test(filename) &&
    !/^\s*<PDF>|^begin \d{3} /m.test(text.slice(0, 200))
  );
}

function field(text: string, pattern: RegExp): string | null {
  return pattern.exec(text)?.[1]?.trim() ?? null;
}

function civil(digits: string): string {
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}`;
}

/** The UTC instant of Eastern digits `YYYYMMDDhhmmss`: four hours behind in summer time, else five (M17.28). */
export function easternToUtc(digits: string): string {
  const local = `${civil(digits)}T${digits.slice(8, 10)}:${digits.slice(10, 12)}:${digits.slice(12, 14)}Z`;
  const time = Date.parse(local);
  if (Number.isNaN(time)) throw bad('has an acceptance time that is none');
  const year = Number(digits.slice(0, 4));
  // second Sunday of March to the first of November, at two in the morning
  const isSummer = time >= sundayOf(year, 2, 2) && time < sundayOf(year, 10, 1);
  return new Date(time + (isSummer ? 4 : 5) * 3_600_000).toISOString();
}

function sundayOf(year: number, month: number, nth: number): number {
  const first = new Date(Date.UTC(year, month, 1));
  const day = 1 + ((7 - first.getUTCDay()) % 7) + (nth - 1) * 7;
  return Date.UTC(year, month, day, 2);
}

/** When a filing was known: by its header, else the later reading of a time that may be Eastern marked `Z` (M17.28). */
export function acceptedInstant({ header, listed }: { header: string | null; listed: string }): string {
  if (header !== null) return header;
  const eastern = easternToUtc(listed.replace(/\D/g, '').slice(0, 14));
  const utc = new Date(listed).toISOString();
  return eastern > utc ? eastern : utc;
}

function bad(what: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The submission text ${what}.`,
    hint: 'Fetch the complete submission text file of the accession from EDGAR again.',
  });
}

const forms: ReadonlySet<string> = new Set(['8-K', '8-K/A', '6-K', '6-K/A']);
const items: ReadonlySet<string> = new Set([
  ...['1.01', '1.02', '1.03', '2.01', '2.02', '2.03', '2.04', '3.02', '7.01', '8.01'],
]);

/** True for a current report that is read: a 6-K always, an 8-K by its items, or where none are known (M17.35). */
export function isReadReport(report: { readonly form: string; readonly items: readonly string[] }): boolean {
  if (!forms.has(report.form)) return false;
  if (report.form.startsWith('6-K') || report.items.length === 0) return true;
  return report.items.some((item) => items.has(item));
}
