import { type BusinessCalendar, isBusinessDay } from '../changes/businessCalendar.ts';
import { fiscalYearStart } from '../crypto/fairValues.ts';
import { addDays, daysBetween, monthsAfter } from '../exact/civilDate.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { Filing, Issuer } from '../filing/rows.ts';
import type { Reporting } from '../filing/xbrlFiling.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** Days after the period end (General Instruction A of forms 10-Q and 10-K), by category. */
const quarterlyDays = { large_accelerated: 40, accelerated: 40, other: 45 } as const;
const annualDays = { large_accelerated: 60, accelerated: 75, other: 90 } as const;
/** Form 40-F is due when the annual filing in Canada is: 120 days for the slowest. */
const canadianDays = 120;
/** General Instruction A of form 20-F. */
const foreignMonths = 4;
/** How far the end of a fiscal year of 52 or 53 weeks may lie from its nominal day. */
const weekSlackDays = 15;

/** True for the forms of a filer that reports every quarter. */
export function isQuarterlyFiler({ form }: Pick<Filing, 'form'>): boolean {
  return form.startsWith('10-');
}

/**
 * The last day on which the report after a filing is in time, by the forms the filer uses: the latest its category
 * allows, on the next business day where it is none (Rule 0-3); extensions of Rule 12b-25 are not counted (METHODOLOGY M1.60).
 *
 * @returns null for an interim report on 6-K of a filer whose fiscal year is not known: nothing says what comes next
 */
export function nextReportDue(
  { form, period }: Pick<Filing, 'form' | 'period'>,
  { reporting, calendar }: { readonly reporting: Reporting; readonly calendar: BusinessCalendar },
): string | null {
  const due = lastDay({ form: form.replace(/\/A$/, ''), period }, reporting);
  return due === null ? null : onBusinessDay(due, calendar);
}

function lastDay(filing: Pick<Filing, 'form' | 'period'>, reporting: Reporting): string | null {
  const { form, period } = filing;
  const category = reporting.filerCategory ?? 'other';
  const later = (months: 3 | 12) => periodEnd(period, { months, reporting });
  switch (form) {
    case '20-F':
      return monthsAfter(later(12), foreignMonths);
    case '40-F':
      return addDays(later(12), canadianDays);
    case '6-K': {
      const yearEnd = fiscalYearEndFrom(period, reporting);
      return yearEnd === null ? null : monthsAfter(yearEnd, foreignMonths);
    }
    default: {
      // an annual report is the later one, so an unknown place in the year is taken for its third quarter
      const isAnnualNext = form.startsWith('10-Q') && (quarterOf(period, reporting) ?? 3) === 3;
      return addDays(later(3), (isAnnualNext ? annualDays : quarterlyDays)[category]);
    }
  }
}

/** Which quarter ends with a period: as the filing says, else by the end of the fiscal year. */
function quarterOf(period: string, { quarter, fiscalYearEnd }: Reporting): number | null {
  if (quarter !== null || fiscalYearEnd === null) return quarter;
  const of = [1, 2, 3, 4].find((n) => {
    const yearEnd = monthsAfter(period, 3 * (4 - n));
    return nominalDays(yearEnd, fiscalYearEnd).some(
      (day) => Math.abs(daysBetween(day, yearEnd)) <= weekSlackDays,
    );
  });
  return of ?? null;
}

/** The first end of a fiscal year on or after a day, the weeks of a 52-week year counted with it. */
function fiscalYearEndFrom(day: string, { fiscalYearEnd }: Reporting): string | null {
  if (fiscalYearEnd === null) return null;
  return nominalDays(day, fiscalYearEnd).find((end) => daysBetween(day, end) >= -weekSlackDays) ?? null;
}

/** `MMDD` in the year of a day, before and after; the last of February follows the year. */
function nominalDays(day: string, monthDay: string): string[] {
  const year = Number(day.slice(0, 4));
  const month = Number(monthDay.slice(0, 2));
  return [year - 1, year, year + 1].map((y) => {
    const last = daysIn(y, month);
    const isLast = monthDay === '0228' || monthDay === '0229';
    return civil(y, month, isLast ? last : Math.min(Number(monthDay.slice(2)), last));
  });
}

/**
 * The latest day on which the period after another ends: by months, or of a fiscal year counted in weeks after a quarter
 * of fourteen of them or a year of fifty-three.
 */
function periodEnd(
  period: string,
  { months, reporting }: { readonly months: 3 | 12; readonly reporting: Reporting },
): string {
  const { fiscalYearEnd } = reporting;
  const isNominal =
    fiscalYearEnd === null || isMonthEnd(`2023-${fiscalYearEnd.slice(0, 2)}-${fiscalYearEnd.slice(2)}`);
  if (isMonthEnd(period) && isNominal) return monthsAfter(period, months);
  return addDays(period, months === 3 ? 14 * 7 : 53 * 7);
}

function isMonthEnd(day: string): boolean {
  return Number(day.slice(8)) >= daysIn(Number(day.slice(0, 4)), Number(day.slice(5, 7)));
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function civil(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/** A week has a business day in every calendar. */
const maxClosedDays = 7;

function onBusinessDay(day: string, calendar: BusinessCalendar): string {
  const open = Array.from({ length: maxClosedDays }, (_, i) => addDays(day, i));
  return open.find((one) => isBusinessDay(one, calendar)) ?? day;
}

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
