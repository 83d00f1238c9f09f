import { addDays, daysCovered } from '../exact/civilDate.ts';
import type { DocumentFrame } from './documentFrame.ts';
import {
  type Calendar,
  type DatedSpan,
  findDays,
  findMonths,
  findPeriods,
  findQuarters,
  hasUnreadDay,
  monthEnd,
  monthShift,
} from './reportDates.ts';
import type { DateBasis } from './statement.ts';

/** The day or period of a statement, and where it was read. */
export type StatedTime = { readonly from: string | null; readonly to: string; readonly basis: DateBasis };

/** A number in its sentence: where it stands, and where the next number of coins begins. */
export type Position = {
  readonly sentence: string;
  readonly start: number;
  readonly end: number;
  readonly next: number;
  readonly block: number;
};

/** A time of day before the day, `11:59 p.m. ET on`. */
const clock =
  /(?:\d{1,2}(?::\d{2}){1,2}(?: ?[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\.?|midnight|noon),?(?: \(?(?:[ECMP][SD]?T|UTC|GMT|(?:Eastern|Central|Mountain|Pacific|New York)(?: (?:Standard|Daylight))?(?: Time)?)\)?)?,?(?: on)?/;
const asOf = new RegExp(
  `\\b(?:as of|as at|at|at the close of(?: business on)?)(?: and for)?(?: the)?(?: (?:close of business|end of (?:the )?day|month[- ]end|(?:market |trading )?close(?: of (?:trading|the market))?|(?:\\w{3,7} )?(?:quarter|months?|year|period|week) ended),?(?: on)?)?(?: (?:approximately )?${clock.source})? `,
  'gi',
);

type AsOf = { readonly start: number; readonly end: number; readonly day: string };

function asOfDays(sentence: string, calendar: Calendar): AsOf[] {
  return [...sentence.matchAll(asOf)].flatMap((match) => {
    const at = match.index + match[0].length;
    const day = findDays(sentence.slice(at, at + 30), calendar)[0];
    const isOfPrice =
      /\d/.test(match[0]) &&
      /\b(?:price|exchange|quoted?)\b/i.test(sentence.slice(Math.max(0, match.index - 60), match.index));
    return day === undefined || day.start > 2 || isOfPrice
      ? []
      : [{ start: match.index, end: at + day.end, day: day.day }];
  });
}

/** The stock is of a period's end, and the sentence does not say of which. */
const periodEnd =
  /\b(?:month|quarter|year|period)[- ]end\b|\bend of (?:(?:the|its|last|first|second|third|fourth|fiscal|calendar) ){1,3}(?:month|quarter|year|period)\b|\bended the (?:month|quarter|year|period)\b/i;
/** A stock of a moment that no day is given for. */
const otherMoment =
  /\b(?:prior to|before|at the time of|at one point|at (?:its|our|their) peak|at all times|formerly|originally|initially|previously|as of the (?:date|closing|time|end) of the|ago|last (?:year|quarter|month|week)|once|used to|when|until)\b/i;
/** The flow is of another time than what heads it, however long that is. */
const otherTime =
  /\bsubsequent|\bafter (?:the )?(?:month|quarter|period|year)|\bfiscal\b|\btoday\b|\b(?:in|during|for|throughout) (?:19|20)\d\d\b/i;

const startOfMonth = /\b(?:beginning|start|middle|half|week) of\b|\bearly\b|\bmid-/i;

/** False where a sentence about a quarter stands under a month, and the like. */
function fitsHeading(sentence: string, { from, to }: DatedSpan): boolean {
  const days = daysCovered(from, to);
  const text = sentence.replace(/\b(month|quarter|year)[ -]over[ -]\1\b/gi, ' ');
  if (otherTime.test(text) || (/\bweek\b/i.test(text) && days > 10)) return false;
  if (/\bmonth\b/i.test(text) && days > 31) return false;
  if (/\bquarter\b/i.test(text) && (days < 80 || days > 100)) return false;
  return !(/\b(?:year|annual)\b(?!-to-date)/i.test(text) && days < 300);
}

const opensWithDay = /(?:^|[,;:] |\b(?:and|that) )["'\u2022 ]{0,3}(?:on|by|effective)(?: \w{3,6}day,?)? $/i;
const pastStock = /\b(?:held|owned|had|stood at|totaled)\b/i;

/** The rest of a list of coins, whose day stands behind it all. */
const listBetween =
  /^(?: \([^()]{1,40}\))?(?:,? (?:and )?(?:approximately )?\d[\d,.]{0,18} [A-Za-z]{2,12}(?: \([^()]{1,40}\))?){1,8},? $/;

/** The day of a stock: the nearest `as of`, else a month end, else the day of the release (M17.14). */
export function stockTime(frame: DocumentFrame, at: Position): StatedTime | null {
  const { words } = frame.context;
  const { calendar } = frame;
  const own = withoutOtherEvents(at.sentence, at, { calendar, isStock: true });
  const sentence = own.replace(
    /\((?:vs\.?|versus|compared (?:to|with)|from) [^()]{1,80}\)/gi,
    (compared, from: number) => (from < at.start ? compared : ' '.repeat(compared.length)),
  );
  const inBracket = /\(([^()]{1,60})(?:\):? ?)?$/.exec(sentence.slice(0, at.start));
  const bracketed = inBracket === null ? undefined : findDays(inBracket[1] ?? '', calendar)[0];
  if (bracketed !== undefined) return { from: null, to: bracketed.day, basis: 'as_of' };
  const days = asOfDays(sentence, calendar);
  // "n (including m pledged) as of D" dates n too
  const end = at.end + (/^ ?\([^()]{1,200}\)/.exec(sentence.slice(at.end))?.[0].length ?? 0);
  const behind = days.find((day) => day.start >= end && day.start < Math.max(at.next, end + 16));
  const before = days.findLast((day) => day.end <= at.end);
  const gap = behind === undefined ? ';' : sentence.slice(end, behind.start);
  const isClose = gap.length <= 16 && !/;|\b(?:and|while|but)\b/.test(gap);
  const listed = days.find((day) => day.start >= end && listBetween.test(sentence.slice(end, day.start)));
  const chosen = isClose ? behind : (listed ?? before ?? (gap.includes(';') ? undefined : behind));
  const ownMonth = findMonths(
    /^ at (?:the )?end of .{0,20}/i.exec(sentence.slice(end))?.[0] ?? '',
    calendar,
  )[0];
  if (ownMonth !== undefined) return { from: null, to: ownMonth.to, basis: 'month_end' };
  if (chosen !== undefined) return { from: null, to: chosen.day, basis: 'as_of' };
  if (/\bas of (?:today|the date (?:hereof|of this))\b|\bcurrently\b|\btoday\b/i.test(sentence))
    return { from: null, to: frame.releaseDay, basis: 'release' };
  if (
    otherMoment.test(sentence.slice(0, at.end)) ||
    /^ (?:before|prior to|after|following|upon|when|until|from [A-Z][a-z]{2,8}\.? \d|at (?:its|our|the) (?!end|close|month|quarter|year))\b/i.test(
      sentence.slice(at.end),
    )
  )
    return null;
  const named = findDays(sentence.slice(0, at.start), calendar).at(-1);
  if (named !== undefined) {
    const act = sentence.slice(named.end, at.start);
    const isHeld = (['purchase', 'sale', 'production'] as const).every(
      (kind) => !words.has(act, `verb ${kind}`),
    );
    if (isHeld && pastStock.test(act) && opensWithDay.test(sentence.slice(0, named.start)))
      return { from: null, to: named.day, basis: 'as_of' };
  }
  const on = findDays(sentence.slice(at.end, at.next), calendar).find(
    ({ start }) =>
      /\bon $/i.test(sentence.slice(at.end + start - 3, at.end + start)) &&
      !/price/i.test(sentence.slice(at.end, at.end + start)),
  );
  if (on !== undefined) return { from: null, to: on.day, basis: 'as_of' };
  if (hasUnreadDay(at.sentence, calendar) || /\b[Aa]s (?:of|at) \d{1,2} ?[-/. ][\dA-Z]/.test(sentence))
    return null;
  const month = nearest(findMonths(sentence, calendar), at);
  if (month !== null) {
    const named = sentence.slice(Math.max(0, month.start - 16), month.end);
    return startOfMonth.test(named) ? null : { from: null, to: month.to, basis: 'month_end' };
  }
  if (periodEnd.test(sentence)) {
    const span =
      nearest(findQuarters(sentence, calendar), at) ??
      frame.headingAbove(at.block, { isPeriod: true }) ??
      frame.subject;
    return span === null ? null : { from: null, to: span.to, basis: 'month_end' };
  }
  const heading = frame.headingAbove(at.block);
  if (heading !== null && heading.to <= calendar.filed)
    return { from: null, to: heading.to, basis: 'heading' };
  // a monthly update states the end of its month, and which one is not said here
  if (frame.isUpdate || /\b(?:in|during|for) (?:19|20)\d\d\b/i.test(sentence)) return null;
  // "held n until D" is not of the day of the release (M17.49)
  const isDated =
    days.length > 0 ||
    (pastStock.test(sentence.slice(0, at.end)) && findDays(at.sentence, calendar).length > 0);
  if (isDated || /\byesterday\b/i.test(sentence)) return null;
  return { from: null, to: frame.releaseDay, basis: 'release' };
}

/** The period of a flow: stated, else a month or quarter, else of the heading, else the day it was done or reported (M17.14). */
export function flowTime(frame: DocumentFrame, at: Position): StatedTime | null {
  const { calendar } = frame;
  const { sentence } = at;
  const part = semicolonPart(at, calendar);
  const local = {
    ...at,
    sentence: part.text,
    start: at.start - part.start,
    end: at.end - part.start,
    next: at.next - part.start,
  };
  const periods = findPeriods(part.text, calendar);
  const period = nearest(periods, local);
  // "between D1 and D2, and again in August"
  if (period !== null && /^,? and again\b/i.test(part.text.slice(period.end))) return null;
  if (period !== null) return { from: period.from, to: period.to, basis: 'period' };
  if (/\b(?:over|in|during) the (?:past|last) (?:week|seven days|7 days)\b/i.test(part.text)) {
    const to = frame.asOfDay ?? frame.releaseDay;
    return { from: addDays(to, -6), to, basis: 'heading' };
  }
  if (/\blast month\b/i.test(part.text)) {
    const from = monthShift(frame.releaseDay, -1);
    return { from, to: monthEnd(from), basis: 'month' };
  }
  const month = nearest(findMonths(part.text, calendar), local);
  if (month !== null && isOneOfTwo(part.text, month)) return null;
  if (month !== null) return { from: month.from, to: month.to, basis: 'month' };
  const quarter = nearest(findQuarters(part.text, calendar), local);
  if (quarter !== null) return { from: quarter.from, to: quarter.to, basis: 'quarter' };
  const days = findDays(part.text, calendar);
  const beside = days.find(
    ({ start }) => start >= local.end && /^ on $/.test(part.text.slice(local.end, start)),
  );
  if (beside !== undefined) return { from: null, to: beside.day, basis: 'day' };
  const before = days.findLast(({ end }) => end <= local.end);
  if (before !== undefined) {
    const isTold = /announc|report|disclos|press release/i.test(part.text.slice(before.end, local.start));
    const isOn = /(?:^|\bon )$/i.test(
      part.text.slice(Math.max(0, before.start - 4), before.start).trimStart(),
    );
    // "on D we closed the offering and have purchased n"
    const isSince = /\b(?:has|have) (?:also |since |now )?\w{3,12}ed\b|\bhave bought\b|\bhas bought\b/i.test(
      part.text.slice(before.end, local.start),
    );
    if (isOneOfTwo(part.text, before)) return null;
    if (isOn && (isTold || !isSince))
      return { from: null, to: before.day, basis: isTold ? 'announced' : 'day' };
  }
  const behind = days.find(({ start }) => start >= local.end && start < local.next);
  if (behind !== undefined && /\bon $/i.test(part.text.slice(behind.start - 3, behind.start)))
    return { from: null, to: behind.day, basis: 'day' };
  if (hasUnreadDay(part.filed, calendar)) return null;
  const heading = frame.headingAbove(at.block, { isPeriod: true });
  if (heading !== null && fitsHeading(part.filed, heading))
    return { from: heading.from, to: heading.to, basis: 'heading' };
  if (/\bsubsequent/i.test(part.filed)) return null;
  const isNews =
    /\btoday announced\b|\b(?:has|have) (?:\w{1,12} )?(?:acquired|purchased|bought|sold|completed)\b/i.test(
      sentence,
    );
  return isNews ? { from: null, to: frame.releaseDay, basis: 'announced' } : null;
}

/** A time as a stock and as a flow have it. */
export type PairedTime = { readonly stock: StatedTime; readonly flow: StatedTime };

/** Ways to write two times as one, `September 30, 2025 and 2024`, with each written out. */
const writtenOut: readonly (readonly [RegExp, string])[] = [
  [/\bquarters\b/gi, 'quarter'],
  [
    /\b((?:(?:\w{3,6} months|quarter|year) ended )?[A-Z][a-z]{2,8} \d{1,2}, |(?:first|second|third|fourth) quarter of |Q[1-4] |[A-Z][a-z]{2,8} )(20\d\d) and (20\d\d)\b/g,
    '$1$2 and $1$3',
  ],
  [/\b([A-Z][a-z]{2,8}) and ([A-Z][a-z]{2,8}) (20\d\d)\b/g, '$1 $3 and $2 $3'],
  [/\b([A-Z][a-z]{2,8} \d{1,2}) and ([A-Z][a-z]{2,8} \d{1,2}), (20\d\d)\b/g, '$1, $3 and $2, $3'],
];

/**
 * The times of the numbers of a sentence with "respectively", in order: none where their count is another, null where the
 * word is not said or one time is that of all (M17.14).
 */
export function pairedTimes(sentence: string, calendar: Calendar, count: number): PairedTime[] | null {
  if (!/\brespectively\b/i.test(sentence)) return null;
  const text = writtenOut.reduce((left, [pattern, by]) => left.replace(pattern, by), sentence);
  const days = findDays(text, calendar).map(({ day }) => ({ from: null, to: day }));
  const stated = (
    [
      [findPeriods(text, calendar), 'period', 'as_of'],
      [days, 'day', 'as_of'],
      [findMonths(text, calendar), 'month', 'month_end'],
      [findQuarters(text, calendar), 'quarter', 'month_end'],
    ] as const
  ).find(([spans]) => spans.length > 1);
  if (stated === undefined) return null;
  const [spans, basis, atEnd] = stated;
  if (spans.length !== count) return [];
  return spans.map(({ from, to }) => ({
    stock: { from: null, to, basis: atEnd },
    flow: { from, to, basis },
  }));
}

/** What stands between is the begin of another act: "mined n and in October sold m". */
const opensAnother = /(?:;|\b(?:and|but|while))(?: then| later)?(?: (?:in|during|on|for|from|between))? $/i;

/** The span nearest before the number, else the first behind it and before the next number. */
function nearest(
  spans: readonly DatedSpan[],
  { sentence, start, end, next }: Pick<Position, 'sentence' | 'start' | 'end' | 'next'>,
): DatedSpan | null {
  const behind = spans.find(
    (span) => span.start >= end && span.start < next && !opensAnother.test(sentence.slice(end, span.start)),
  );
  if (behind !== undefined && behind.start - end <= 16) return behind;
  return (
    spans.findLast((span) => span.end <= end) ??
    spans.find((span) => span.start <= start && span.end >= end) ??
    behind ??
    null
  );
}

const monthName =
  '(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6}\\.?(?: \\d{1,2})?(?:,? 20\\d\\d)?';
const behindAnother = new RegExp(`\\b${monthName},? (?:and|or|to|through|-|&)(?: again)? (?:in |on |of )?$`);
const beforeAnother = new RegExp(`^,? (?:and|or|to|through|-|&)(?: again)? (?:in |on |of )?${monthName}\\b`);

/** "In October and November", "on D1 and again on D2": without "respectively" the number is of neither alone. */
function isOneOfTwo(text: string, { start, end }: Pick<DatedSpan, 'start' | 'end'>): boolean {
  const named = /^(?:in|during|for|of|on) /i.exec(text.slice(start, end))?.[0].length ?? 0;
  return (
    behindAnother.test(text.slice(Math.max(0, start - 50), start + named)) ||
    beforeAnother.test(text.slice(end, end + 50))
  );
}

/** What the period is compared with dates nothing behind it: "mined n, compared to m in July, and sold k". */
function withoutComparison(text: string, at: number): string {
  const blank = (phrase: string, from: number) =>
    from <= at && at < from + phrase.length ? phrase : ' '.repeat(phrase.length);
  return text
    .replace(
      /\b(?:compared (?:to|with)|versus|vs\.?|(?:up|down) from|(?:more|fewer|less|higher|lower|better|greater) than|from (?:approximately )?\d[\d,.]{0,14} \w{3,10}|\d ?% (?:over|from)|(?:increase|decrease|decline|growth|improvement)d?(?: of [\d.]{1,6} ?%)? (?:over|from)) [^,;]{1,160}?(?=[,;)]| and | but |\.?$)/gi,
      blank,
    )
    .replace(
      /\b(?:after|before|until|since|when|(?:that|which|who) had) [^,;]{1,160}/gi,
      (phrase, from: number) => (from < at ? phrase : blank(phrase, from)),
    );
}

const otherEvent =
  /\b(?:following|after|before|prior to|since|whose|which|who|closed|closing|completed|consummated|announced|entered|dated|approved|authori[sz]ed|(?:became|is|was|are|were) effective|expir\w{1,6}|matur\w{1,6}|commenced|launched|adopted|filed|unveiled|established|having \w{3,12}|(?:first|originally|initially|previously) \w{2,12})\b/i;
/** Behind the number a participle that says none of its own acts, or one of a thing in between. */
const otherBehind =
  /\bhad \w{3,12}|\b(?:the|its|our|an?) (?:\w{2,20} ){1,3}(?:sold|bought|acquired|purchased|drawn)(?: \w{2,12})? on $|\b(?!(?:purchased|acquired|mined|produced|earned|pledged|posted|released|returned|transferred|deposited|delivered|received|converted|disposed|liquidated|executed|settled)\b)\w{3,14}ed(?: \w{2,12})? on $/i;
const flowBefore = /\b(?:purchased|acquired|bought|sold|mined|earned|received)\b/i;

/** A text in which the days and months of other events than the number's are blank: "the placement closed on D" (M17.14). */
export function withoutOtherEvents(
  text: string,
  { start: at, end: quantityEnd }: Pick<Position, 'start' | 'end'>,
  { calendar, isStock }: { calendar: Calendar; isStock: boolean },
): string {
  const days = findDays(text, calendar);
  const months = findMonths(text, calendar).filter(({ start, end }) =>
    /\b(?:in|on|of|during|for|between|and|to)(?: early| late)?$/i.test(
      text.slice(Math.max(0, start - 12), end).replace(/ ?[A-Z][a-z]{2,8}\.?,?(?: (?:19|20)\d\d)?$/, ''),
    ),
  );
  const spans = [...days, ...months].toSorted((a, b) => a.start - b.start);
  let lastOther = -1;
  let previous = 0;
  const blankAt = (left: string, start: number, end: number, index: number) => {
    lastOther = index;
    return left.slice(0, start) + ' '.repeat(end - start) + left.slice(end);
  };
  return spans.reduce((left, { start, end }, index) => {
    const bound = Math.max(previous, start > at ? quantityEnd : 0);
    previous = Math.max(previous, end);
    const phrase =
      text
        .slice(bound, start)
        .split(/[,;(]| that /)
        .at(-1) ?? '';
    const isSecond = / ?(?:and|to|through|until|-) ?/.exec(phrase)?.[0] === phrase && phrase !== '';
    const isOwnEnd = /^ (?:[a-z]{2,12} ){0,2}(?:was|were) (?:completed|closed) on $/.test(phrase);
    if (isSecond) return lastOther === index - 1 && index > 0 ? blankAt(left, start, end, index) : left;
    const isOther =
      !isOwnEnd &&
      !/\bas (?:of|at)\b/i.test(phrase) &&
      (otherEvent.test(phrase) ||
        (start > at && otherBehind.test(phrase)) ||
        (isStock && start > at && flowBefore.test(phrase)));
    return isOther ? blankAt(left, start, end, index) : left;
  }, text);
}

function semicolonPart(
  { sentence, start, end }: Position,
  calendar: Calendar,
): { filed: string; text: string; start: number } {
  const from = sentence.lastIndexOf(';', start) + 1;
  const to = sentence.indexOf(';', start);
  const text = sentence.slice(from, to < 0 ? sentence.length : to);
  const within = { start: start - from, end: end - from };
  const own = withoutOtherEvents(text, within, { calendar, isStock: false });
  return { filed: text, text: withoutComparison(own, within.start), start: from };
}
