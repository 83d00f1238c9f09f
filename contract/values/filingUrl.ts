import { isPlaceholder } from './accessionText.ts';

/** The page of a filing at SEC EDGAR; null for a placeholder, which names none. */
export function filingUrl({
  cik,
  accession,
}: {
  readonly cik: string;
  readonly accession: string;
}): string | null {
  if (!/^\d{10}-\d{2}-\d{6}$/.test(accession) || isPlaceholder(accession)) return null;
  const folder = `${Number(cik)}/${accession.replaceAll('-', '')}`;
  return `https://www.sec.gov/Archives/edgar/data/${folder}/${accession}-index.htm`;
}
