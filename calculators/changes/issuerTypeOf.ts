import type { IssuerType } from '../../data/contract/values/enums.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { CompanyProfile } from './companyProfile.ts';

const trustName = /\b(ETF|Trust|Fund|ETP)\b/i;
const fundForms = /^(N-CSR|N-CSRS|N-PORT|NPORT-P|NPORT-EX|N-CEN|N-1A|N-2|485APOS|485BPOS|497|N-8A)(\/A)?$/;
const fundReports = /^(N-CSR|N-CSRS|N-PORT|NPORT-P|NPORT-EX)(\/A)?$/;
const foreignForms = /^(20-F|40-F|6-K)(\/A)?$/;
const domesticForms = /^(10-K|10-KT|10-Q|10-QT)(\/A)?$/;
/** A prospectus supplement in this many months of the last year is a monthly one. */
const monthlySupplements = 10;

/**
 * The issuer type by the rules of M5.20; a name alone never makes a trust. Null when the submissions are not at hand,
 * since forms decide: the universe then says.
 */
export function issuerTypeOf(
  profile: CompanyProfile,
  { date, parameters }: { date: string; parameters: Pick<Parameters, 'issuerType'> },
): IssuerType | null {
  if (profile.forms === null) return null;
  const forms = profile.forms.filter((row) => row.filed <= date);
  const has = (pattern: RegExp) => forms.some((row) => pattern.test(row.form));
  if (profile.sic === '6221' && !profile.facts.operations) return 'etf_trust';
  const trustLike =
    trustName.test(profile.entityName) &&
    (profile.cryptoShareOfAssets ?? 0) >= parameters.issuerType.cryptoShareOfAssets &&
    profile.debtIsZero === true;
  if (trustLike && (profile.facts.creationUnits || monthly(forms, date) || has(fundReports)))
    return 'etf_trust';
  if (has(fundForms)) return 'fund_vehicle';
  if (has(foreignForms) && !has(domesticForms)) return 'foreign_issuer';
  return 'operating_company';
}

function monthly(forms: readonly { form: string; filed: string }[], date: string): boolean {
  const yearAgo = `${Number(date.slice(0, 4)) - 1}${date.slice(4)}`;
  const months = forms
    .filter((row) => row.form === '424B3' && row.filed > yearAgo)
    .map((row) => row.filed.slice(0, 7));
  return new Set(months).size >= monthlySupplements;
}
