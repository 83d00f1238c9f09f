/** True for an accession number that stands in for one the inputs do not know (M1.45). */
export function isPlaceholder(accession: string): boolean {
  return accession.startsWith('0000000000-');
}

/** An accession number for a reader, who must not look for a placeholder at EDGAR. */
export function accessionText(accession: string): string {
  return isPlaceholder(accession) ? `placeholder ${accession}` : accession;
}
