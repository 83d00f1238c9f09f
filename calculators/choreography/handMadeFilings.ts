import type { Parameters } from '../parameters.ts';
import type { FilingRow } from './filingRow.ts';

/** The values of METHODOLOGY M13.1 that choreography reads. */
export const parameters: Pick<Parameters, 'choreography'> = {
  choreography: {
    shelfTakedown: { beforeBusinessDays: 1, afterBusinessDays: 3, closesAfterYears: 3 },
    staffReview: { gapDays: 60, anchorDays: 180, releaseBusinessDays: 20 },
    lateFiling: { annualDays: 15, quarterlyDays: 5 },
    initialOffering: { listingDays: 30, registrationYears: 3 },
    merger: { agreementDays: 180, closingDays: 365 },
  },
};

/** No holidays: Monday to Friday are business days. */
export const calendar = { holidays: new Set<string>() };

/** A filing of a made-up registrant; its accession counts up with `n` and says nothing. */
export function filing(n: number, form: string, filed: string, more: Partial<FilingRow> = {}): FilingRow {
  return {
    cik: '0000000001',
    accession: `0000000009-25-${String(n).padStart(6, '0')}`,
    form,
    filed,
    acceptedAt: `${filed}T16:00:00Z`,
    reportDate: null,
    fileNumber: null,
    items: [],
    description: null,
    ...more,
  };
}
