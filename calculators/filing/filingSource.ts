import type { IssuerInputs } from './rows.ts';
import type { XbrlFiling } from './xbrlFiling.ts';

/** The files of the filing in force; null when none are at hand or they belong to another filing (M1.45). */
export function filingAtHand({ filing, xbrl }: Pick<IssuerInputs, 'filing' | 'xbrl'>): XbrlFiling | null {
  if (xbrl === null) return null;
  const isThisOne =
    digits(xbrl.cik) === digits(filing.cik) && digits(xbrl.accession) === digits(filing.accession);
  return isThisOne ? xbrl : null;
}

function digits(text: string): string {
  return text.replaceAll(/\D/g, '').replace(/^0+/, '');
}
