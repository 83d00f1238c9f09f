import { accessionPattern, cikPattern } from './primitives.ts';

/** Letters of the staff, which EDGAR numbers with the prefix that marks a placeholder elsewhere. */
const staffForms: readonly string[] = ['UPLOAD'];

/**
 * The page of a filing at SEC EDGAR; null where the filer or the accession number is not known, and for a placeholder,
 * which names no filing (I1.13a).
 *
 * @param form of an event EDGAR lists: letters of the staff have a page
 */
export function filingUrl({
  cik,
  accession,
  form,
}: {
  readonly cik: string | null | undefined;
  readonly accession: string | null | undefined;
  readonly form?: string;
}): string | null {
  if (cik == null || accession == null) return null;
  if (!cikPattern.test(cik) || !accessionPattern.test(accession)) return null;
  if (isPlaceholder(accession) && !staffForms.includes(form ?? '')) return null;
  const folder = `${Number(cik)}/${accession.replaceAll('-', '')}`;
  return `https://www.sec.gov/Archives/edgar/data/${folder}/${accession}-index.htm`;
}

/** True for an accession number that stands in for one the inputs do not know (M1.45). */
export function isPlaceholder(accession: string): boolean {
  return accession.startsWith('0000000000-');
}

/** An accession number for a reader, who must not search EDGAR for a placeholder. */
export function accessionText(accession: string): string {
  return isPlaceholder(accession) ? `placeholder ${accession}` : accession;
}
