import type { PreIpoLikelihood } from '../../data/contract/values/enums.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { CompanyProfile, FormRow } from './companyProfile.ts';

export type PreIpo = {
  readonly likelihood: PreIpoLikelihood;
  readonly points: number;
  /** The hits with their points; null when nothing was hit. */
  readonly reason: string | null;
};

const registration = /^(S-1|F-1|S-11|F-10|DRS|DRSLTR)(\/A)?$/;
const effective = /^(EFFECT|424B4)$/;
const periodic = /^(10-K|10-KT|10-Q|10-QT|20-F)(\/A)?$/;
const listing = /^8-A12B(\/A)?$/;
const withdrawal = /^RW( WD)?$/;

/**
 * How likely a registrant is on its way to a public offering, from the forms it filed (M6.11).
 *
 * Null when its submissions are not at hand: draft registrations are confidential at first, so absence says nothing.
 *
 * @param date the day; only filings up to it count
 */
export function preIpoLikelihood(
  profile: Pick<CompanyProfile, 'forms' | 'ticker' | 'exchange' | 'sic'>,
  { date, parameters }: { date: string; parameters: Pick<Parameters, 'preIpo'> },
): PreIpo | null {
  if (profile.forms === null) return null;
  const { points, registrationMonths, high, medium, low } = parameters.preIpo;
  const known = profile.forms.filter((row) => row.filed <= date);
  const since = monthsBefore(date, registrationMonths);
  const registered = newest(known.filter((row) => registration.test(row.form) && row.filed >= since));
  const seen = (pattern: RegExp) => newest(known.filter((row) => pattern.test(row.form)));
  const effectiveRow = seen(effective);
  const hits: [string, number][] = [];
  if (profile.ticker === null && profile.exchange === null)
    hits.push(['no ticker or exchange', points.noTicker]);
  if (registered !== null) {
    hits.push([`${registered.form} filed ${registered.filed}`, points.registration]);
    // an offering that went effective before this registration is another one
    if (effectiveRow === null || effectiveRow.filed < registered.filed)
      hits.push(['no EFFECT or 424B4 yet', points.notEffective]);
  }
  const report = seen(periodic);
  if (report !== null) hits.push([`${report.form} filed ${report.filed}`, points.periodic]);
  const listed = seen(listing);
  if (listed !== null) hits.push([`${listed.form} filed ${listed.filed}`, points.listingForm]);
  const withdrawn = seen(withdrawal);
  if (withdrawn !== null) hits.push([`${withdrawn.form} filed ${withdrawn.filed}`, points.withdrawal]);
  if (profile.sic === '6770') hits.push(['SIC 6770 blank check', points.blankCheck]);
  const total = hits.reduce((sum, [, value]) => sum + value, 0);
  const likelihood = total >= high ? 'high' : total >= medium ? 'medium' : total >= low ? 'low' : 'none';
  const reason = hits.map(([what, value]) => `${what} (${value > 0 ? '+' : '−'}${Math.abs(value)})`);
  return { likelihood, points: total, reason: reason.length === 0 ? null : reason.join('; ') };
}

function newest(rows: readonly FormRow[]): FormRow | null {
  return rows.reduce<FormRow | null>(
    (best, row) => (best === null || row.filed > best.filed ? row : best),
    null,
  );
}

/** The same day of the month so many months earlier, or the last day that month has. */
function monthsBefore(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 - months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, last));
  return first.toISOString().slice(0, 10);
}
