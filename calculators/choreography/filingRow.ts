/** One row of EDGAR's submissions: a filing of any form. */
export type FilingRow = {
  readonly cik: string;
  readonly accession: string;
  /** As filed: `8-K`, `S-3ASR`, `SC 13G/A`. */
  readonly form: string;
  readonly filed: string;
  /** Instant of acceptance, UTC; null when the archive gives none. */
  readonly acceptedAt: string | null;
  /** Balance-sheet date or event date the filer names. */
  readonly reportDate: string | null;
  /** Commission file number (`333-284510`); null for review letters and wherever it is empty. */
  readonly fileNumber: string | null;
  /** Items of a current report: `1.01`, `2.03`. */
  readonly items: readonly string[];
  /** What the filer calls the main document; mostly the form again. */
  readonly description: string | null;
};

/** True for the form itself or its amendment. */
export function isForm(row: Pick<FilingRow, 'form'>, ...forms: readonly string[]): boolean {
  return forms.includes(baseForm(row.form));
}

/** The form without its amendment mark: `10-Q/A` is `10-Q`. */
export function baseForm(form: string): string {
  return form.endsWith('/A') ? form.slice(0, -2) : form;
}

export function isAmendment(row: Pick<FilingRow, 'form'>): boolean {
  return row.form.endsWith('/A');
}
