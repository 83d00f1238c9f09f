import { z } from 'zod';
import { accession, count, date, filingPage } from '../../values/primitives.ts';

/** Members of an issuer's row that say how old its balance sheet is (I2.5g). */
export const filingAge = {
  filed: date.nullable().optional(),
  filing_age_days: count.optional(),
  next_report_due: date.nullable().optional(),
} as const;

const currentReport = z.object({
  kind: z.string(),
  count,
  accession_number: accession,
  filed: date,
  filing_url: filingPage,
});

/** What an issuer reported since its balance sheet (I2.5g). */
export const currentReports = {
  current_reports: z.array(currentReport).nullable().optional(),
  current_reports_missing: z.enum(['submissions_not_at_hand', 'submissions_begin_later']).optional(),
} as const;

const currentReportMembers = z.object(currentReports);

export type CurrentReports = z.infer<typeof currentReportMembers>;

export const filingAgeMeanings = {
  filed:
    'Day EDGAR gives the filing the figures are from; null where no source has a day and the statutory one stands for it.',
  filing_age_days: 'Days from the period end to source_date.',
  next_report_due:
    'Last day on which the report after that filing is in time, by the latest date its category of filers allows; null where nothing says what comes next.',
} as const;

export const currentReportsMeanings = {
  current_reports:
    'Current reports filed since the period end and known by source_date, counted by kind, each with its newest; null where the list of submissions does not say.',
  current_reports_missing: 'Why current_reports is null; sent only then.',
  kind: 'Form of the reports, with the item for 8-K; a report with several items counts under each.',
} as const;
