import { fiscalYearStart } from '../crypto/fairValues.ts';
import { addDays, daysBetween } from '../exact/civilDate.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { Filing, Issuer } from '../filing/rows.ts';
import type { Reporting } from '../filing/xbrlFiling.ts';
import type { Parameters } from '../parameters/parameters.ts';

const quarterDays = 365.25 / 4;

/**
 * The reporting of a filing's filer: as its cover states it, else by the fiscal year its flows begin with, else by the
 * universe (M1.60). A fiscal year that has moved is that of the filing.
 */
export function filedReporting({
  issuer,
  filing,
  sheet,
  stated,
  parameters,
}: {
  readonly issuer: Pick<Issuer, 'fiscalYearEnd'>;
  readonly filing: Pick<Filing, 'period'>;
  readonly sheet: FactSheet;
  readonly stated: Reporting | null;
  readonly parameters: Parameters;
}): Reporting {
  const start = fiscalYearStart(sheet, parameters);
  const quarters =
    start === null ? null : Math.round(daysBetween(addDays(start, -1), filing.period) / quarterDays);
  return {
    filerCategory: stated?.filerCategory ?? null,
    fiscalYearEnd: stated?.fiscalYearEnd ?? issuer.fiscalYearEnd ?? null,
    // one quarter can be all that a filing shows of a longer year
    quarter: stated?.quarter ?? (quarters === 2 || quarters === 3 ? quarters : null),
  };
}
