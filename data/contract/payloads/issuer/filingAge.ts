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
