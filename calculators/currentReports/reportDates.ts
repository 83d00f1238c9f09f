import { addDays } from '../exact/civilDate.ts';

// Days, periods, months and quarters as sentences and headers state them (M17.13).

/** A day or period in a text, with where it stands. */
export type DatedSpan = {
  readonly start: number;
  readonly end: number;
  readonly from: string;
  readonly to: string;
};
/** A day in a text. */
export type DayMention = { readonly start: number; readonly end: number; readonly day: string };

/** How the times of a document are read. */
export type Calendar = {
  /** Day of the filing: a day without a year is the last such day not after it. */
  readonly filed: string;
  /** Its quarters are of a year that does not end in December. */
  readonly isFiscal: boolean;
  /** `5/9/2025` is in September; null where the document leaves it open. */
  readonly isDayFirst: boolean | null;
};

const month =
  '(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const dayPattern = new RegExp(
  [
    `(?<!\\b\\d{1,2} )\\b${month}\\.? (\\d{1,2})(?:st|nd|rd|th)?(?:(?: ?, ?| )((?:19|20)\\d\\d)\\b)?(?![\\d,]*\\d)`,
    `\\b(\\d{1,2})(?:st|nd|rd|th)? ${month}\\.?,? ((?:19|20)\\d\\d)\\b`,
    '\\b(\\d{1,2})/(\\d{1,2})/((?:20)?\\d\\d)\\b',
    '\\b(20\\d\\d)[-/](\\d\\d)[-/](\\d\\d)\\b',
    `\\b(\\d{1,2})-${month}-((?:20)?\\d\\d)\\b`,
    `\\b${month}-(\\d{1,2})-(20\\d\\d)\\b`,
    '(?<![\\d.])(\\d{1,2})\\.(\\d{1,2})\\.(20\\d\\d)\\b',
  ].join('|'),
  'gi',
);

const digit = /\d/;

type PartialDay = { start: number; end: number; year: number | null; month: number; day: number };

/** The days of a text; one without a year is the last such day not after the filing (M17.13). */
export function findDays(text: string, calendar: Calendar): DayMention[] {
  return partialDays(text, calendar).flatMap((partial) => {
    const day =
      partial.year === null
        ? lastBefore(partial, calendar.filed)
        : isoDay(partial.year, partial.month, partial.day);
    return day === null ? [] : [{ start: partial.start, end: partial.end, day }];
  });
}

function partialDays(text: string, { isDayFirst }: Calendar): PartialDay[] {
  if (!digit.test(text)) return [];
  return [...text.matchAll(dayPattern)].flatMap((match) => {
    const [, m1, d1, y1, d2, m2, y2, one, two, y3, y4, m4, d4, d5, m5, y5, m6, d6, y6, d7, m7, y7] = match;
    if (isDayFirst === null && Number(one) <= 12 && Number(two) <= 12 && one !== two) return [];
    const [m3, d3] = (isDayFirst ?? Number(one) > 12) ? [two, one] : [one, two];
    const name = m1 ?? m2 ?? m5 ?? m6;
    const number = name === undefined ? Number(m3 ?? m4 ?? m7) : monthNumber(name);
    const year = y1 ?? y2 ?? y3 ?? y4 ?? y5 ?? y6 ?? y7;
    const found = {
      start: match.index,
      end: match.index + match[0].length,
      year: year === undefined ? null : Number(year.length === 2 ? `20${year}` : year),
      month: number,
      day: Number(d1 ?? d2 ?? d3 ?? d4 ?? d5 ?? d6 ?? d7),
    };
    // "May 1" is a day, "may 5" in a sentence is not
    return name !== undefined && !/^[A-Z]/.test(name) ? [] : [found];
  });
}

const numericDay = /(?<![\d./])(\d{1,2})\/(\d{1,2})\/(?:20)?\d\d\b|\b(dd)\/mm\b/gi;

/** Which comes first in `5/9/2025`: what its other days say, else the month in an 8-K; null for not known (M17.13). */
export function isDayFirst(texts: readonly string[], form: string): boolean | null {
  const days = texts.flatMap((text) => [...text.matchAll(numericDay)]);
  if (days.some(([, one, two, said]) => said !== undefined || (Number(one) > 12 && Number(two) <= 12)))
    return true;
  return form.startsWith('8-K') || days.some(([, , two]) => Number(two) > 12) ? false : null;
}

/** True where a text writes a day in digits that says none. */
export function hasUnreadDay(text: string, calendar: Calendar): boolean {
  const read = new Set(findDays(text, calendar).map(({ start }) => start));
  return [...text.matchAll(numericDay)].some(({ index }) => !read.has(index));
}

const joins = /^[ ,]{0,2}(?:to|through|thru|until|and|-)(?: and including)?(?: the)? ?$/i;

/** The periods of a text: `between D1 and D2`, `from D1 to D2`, `D1 - D2`. */
export function findPeriods(text: string, calendar: Calendar): DatedSpan[] {
  const { filed } = calendar;
  const days = partialDays(text, calendar);
  if (days.length === 0) return [];
  const spans: DatedSpan[] = days.slice(0, -1).flatMap((first, index) => {
    const second = days[index + 1];
    if (second === undefined) return [];
    const between = text.slice(first.end, second.start);
    if (!joins.test(between)) return [];
    const before = text.slice(Math.max(0, first.start - 24), first.start);
    if (/and/i.test(between) && !/between(?: the (?:period|dates))? $/i.test(before)) return [];
    const to =
      second.year === null ? lastBefore(second, filed) : isoDay(second.year, second.month, second.day);
    if (to === null) return [];
    const from = first.year === null ? lastBefore(first, to) : isoDay(first.year, first.month, first.day);
    return from === null || from > to ? [] : [{ start: first.start, end: second.end, from, to }];
  });
  return [...spans, ...daysOfOneMonth(text), ...endedPeriods(text, calendar)].toSorted(
    (a, b) => a.start - b.start,
  );
}

const oneMonth = new RegExp(`\\b${month}\\.? (\\d{1,2}) ?(?:-|to|through) ?(\\d{1,2}),? (20\\d\\d)\\b`, 'gi');

function daysOfOneMonth(text: string): DatedSpan[] {
  return [...text.matchAll(oneMonth)].flatMap((match) => {
    const [, name = '', first, last, year] = match;
    const from = isoDay(Number(year), monthNumber(name), Number(first));
    const to = isoDay(Number(year), monthNumber(name), Number(last));
    return spanOf(match, from, to);
  });
}

const ended =
  /(?<!\b(?:two|four|five|seven|eight|ten|\d{1,2}) )\b(week|month|quarter|year|(?:one|three|six|nine|twelve) months|(?:3|6|9|12) months|quarterly period|fiscal (?:quarter|year))s? (?:ended|ending) /gi;
const countOf: Readonly<Record<string, number>> = { one: 1, three: 3, six: 6, nine: 9, twelve: 12 };

/** Of `nine months`, `fiscal quarter` and the like. */
function monthsOf(name: string): number {
  if (name.includes('quarter')) return 3;
  if (name.endsWith('year')) return 12;
  const [count = ''] = name.split(' ');
  return name === 'month' ? 1 : (countOf[count] ?? Number(count));
}

/** `three months ended D`, `the week ended D`. */
function endedPeriods(text: string, calendar: Calendar): DatedSpan[] {
  return [...text.matchAll(ended)].flatMap((match) => {
    const at = match.index + match[0].length;
    const day = findDays(text.slice(at, at + 30), calendar)[0];
    if (day === undefined || day.start > 4) return [];
    const name = (match[1] ?? '').toLowerCase();
    const span = { start: match.index, end: at + day.end, to: day.day };
    if (name === 'week') return [{ ...span, from: addDays(day.day, -6) }];
    const first = monthShift(day.day, 1 - monthsOf(name));
    return day.day === monthEnd(day.day) ? [{ ...span, from: first }] : [];
  });
}

const namedMonth = new RegExp(`\\b${month}(?:\\.?,? ((?:19|20)\\d\\d)|(?:-| ?')(\\d\\d)(?![-\\d]))\\b`, 'gi');
const bareMonth = new RegExp(
  `\\b(?:in|during|for|of|in early|in late) ${month}\\b(?!\\.? ?\\d|,? (?:19|20)\\d\\d)`,
  'gi',
);

function monthOf(match: RegExpExecArray, from: string | null): DatedSpan[] {
  return spanOf(match, from, from === null ? null : monthEnd(from));
}

/** The months a text names, `October 2023` or `in October`, each with its first and last day. */
export function findMonths(text: string, { filed }: Calendar): DatedSpan[] {
  const named = [...text.matchAll(namedMonth)].flatMap((match) => {
    const [, name = '', long, short] = match;
    if (!/^[A-Z]/.test(name)) return [];
    // "Aug-25" is a month where the filing is of that year or the next to it
    const isFar = short !== undefined && Math.abs(Number(filed.slice(2, 4)) - Number(short)) > 1;
    return isFar ? [] : monthOf(match, isoDay(Number(long ?? `20${short}`), monthNumber(name), 1));
  });
  const bare = [...text.matchAll(bareMonth)].flatMap((match) => {
    const name = match[1] ?? '';
    if (!/^[A-Z]/.test(name)) return [];
    return monthOf(match, lastBefore({ month: monthNumber(name), day: 1 }, filed));
  });
  return [...named, ...bare].toSorted((a, b) => a.start - b.start);
}

const namedQuarter =
  /\b(?:(first|second|third|fourth) (?:calendar )?quarter(?: of)?,? (20\d\d)|Q([1-4])(?: ?'?| of )(20\d\d|\d\d)|([1-4])Q ?'?(20\d\d|\d\d))\b/gi;
const ordinals = ['first', 'second', 'third', 'fourth'];

/** The calendar quarters a text names; a fiscal one says no days, nor does any but a calendar one of a fiscal document. */
export function findQuarters(text: string, { isFiscal }: Calendar): DatedSpan[] {
  return [...text.matchAll(namedQuarter)].flatMap((match) => {
    if (isFiscal && !/calendar/i.test(match[0])) return [];
    const [, ordinal, year, digit, short, leading, trailing] = match;
    const quarter =
      ordinal === undefined ? Number(digit ?? leading) : ordinals.indexOf(ordinal.toLowerCase()) + 1;
    const written = year ?? short ?? trailing ?? '';
    const from = isoDay(Number(written.length === 2 ? `20${written}` : written), quarter * 3 - 2, 1);
    return spanOf(match, from, from === null ? null : monthEnd(monthShift(from, 2)));
  });
}

/** Last day of the month of a day. */
export function monthEnd(day: string): string {
  return addDays(monthShift(day, 1), -1);
}

/** First day of the month `months` after that of `day`. */
export function monthShift(day: string, months: number): string {
  const count = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months;
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}-01`;
}

const monthStarts = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

function monthNumber(name: string): number {
  return monthStarts.indexOf(name.toLowerCase().slice(0, 3)) + 1;
}

/** A part of a text with the days it is about; none where one of them does not exist. */
function spanOf({ index, 0: text }: RegExpExecArray, from: string | null, to: string | null): DatedSpan[] {
  return from === null || to === null || from > to
    ? []
    : [{ start: index, end: index + text.length, from, to }];
}

function lastBefore({ month: m, day: d }: { month: number; day: number }, known: string): string | null {
  const year = Number(known.slice(0, 4));
  const same = isoDay(year, m, d);
  return same !== null && same <= known ? same : isoDay(year - 1, m, d);
}

function isoDay(year: number, m: number, d: number): string | null {
  if (!(m >= 1 && m <= 12 && d >= 1 && year >= 1990 && year <= 2100)) return null;
  const february = year % 4 === 0 && year !== 2100 ? 29 : 28;
  if (d > (m === 2 ? february : [4, 6, 9, 11].includes(m) ? 30 : 31)) return null;
  return `${year}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`;
}
