import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { Block, Paragraph } from './readBlocks.ts';
import {
  type Calendar,
  type DatedSpan,
  findDays,
  findMonths,
  findPeriods,
  findQuarters,
  isDayFirst,
  monthEnd,
} from './reportDates.ts';
import type { Mark } from './reportText.ts';
import type { ReportWords } from './reportWords.ts';
import type { RefusalReason, RefusedStatement, ReportSource, Statement } from './statement.ts';

/** What is known of a document before it is read. */
export type ReportContext = {
  readonly source: ReportSource;
  /** Type of the SGML header. */
  readonly type: string;
  readonly document: string;
  /** Names of the issuer by EDGAR, former ones too. */
  readonly names: readonly string[];
  readonly words: ReportWords;
};

/** What the whole document says about its sentences and tables. */
export type DocumentFrame = {
  readonly context: ReportContext;
  readonly blocks: readonly Block[];
  /** Day of the dateline, else of the filing. */
  readonly releaseDay: string;
  /** The first `as of` day of the document. */
  readonly asOfDay: string | null;
  /** Offsets at which the issuer is named as the one who acts. */
  ownSubjects(text: string): readonly number[];
  /** The text with the issuer's names blank, whose words say nothing of others. */
  withoutNames(text: string): string;
  /** True where a subsidiary is named there instead of the issuer. */
  isSubsidiary(text: string, at: number): boolean;
  /** True if a footnote that the marks name says the number holds options, receivables or the like. */
  pointsToDerivatives(block: number, marks: readonly string[]): boolean;
  /** The day, period or month of the nearest heading above a block; with `isPeriod` no day alone. */
  headingAbove(block: number, only?: { isPeriod: true }): DatedSpan | null;
  /** The period the first heading names; null where it names none. */
  readonly subject: DatedSpan | null;
  /** True if that is a month. */
  readonly isMonthly: boolean;
  readonly calendar: Calendar;
  /** True where the opening names an update or results of a month or quarter. */
  readonly isUpdate: boolean;
};

export type Findings = {
  readonly statements: readonly Statement[];
  readonly refused: readonly RefusedStatement[];
};

const dateline =
  /^[^.]{0,120}?\(?((?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? \d{1,2}(?:st|nd|rd|th)?, 20\d\d)\)? ?(?:\/|\(|-|:)/;
const wires = /newswire|business ?wire|accesswire|\((?:nasdaq|nyse|otc|tsx)/i;

export function frameDocument(context: ReportContext, blocks: readonly Block[]): DocumentFrame {
  const { filed } = context.source;
  const paragraphs = blocks.filter((block): block is Paragraph => block.kind === 'paragraph');
  const calendar = calendarOf(context, blocks);
  const { names, subsidiaries } = ownNames(context.names, paragraphs);
  const own = new RegExp(
    [...names.map((name) => `(?<![\\w-])${escaped(name)}${legalForm}(?![\\w-])`), '$^'].join('|'),
    'gi',
  );
  // EDGAR writes names in capitals, and a name begins with one
  const named = (text: string) =>
    [...text.matchAll(own)].filter(([name]) => /^[A-Z\d]/.test(name) && context.words.assetOf(name) === null);
  const release = paragraphs
    .slice(0, 80)
    .find(({ text }) => wires.test(text.slice(0, 300)) && dateline.test(text));
  const released =
    release === undefined ? undefined : findDays(dateline.exec(release.text)?.[1] ?? '', calendar)[0]?.day;
  const headings = paragraphs.flatMap((paragraph) => {
    const span = headingSpan(paragraph, calendar);
    return span === null ? [] : [{ index: paragraph.index, span }];
  });
  const footnotes = paragraphs.flatMap((paragraph) => {
    const name = footnoteName(paragraph);
    return name === null ? [] : [{ index: paragraph.index, name, text: paragraph.text }];
  });
  return {
    context,
    blocks,
    releaseDay: released !== undefined && released <= filed ? released : filed,
    asOfDay: paragraphs.map(({ text }) => asOfDay(text, calendar)).find((day) => day !== null) ?? null,
    ownSubjects: (text) => [
      ...context.words.find(text, 'own').map(({ start }) => start),
      ...named(text).map((match) => match.index),
    ],
    withoutNames: (text) =>
      named(text).reduce(
        (left, { index, 0: name }) =>
          left.slice(0, index) + ' '.repeat(name.length) + left.slice(index + name.length),
        text,
      ),
    isSubsidiary: (text, at) => subsidiaries.some((name) => text.startsWith(name, at)),
    pointsToDerivatives: (block, marks) =>
      marks.some((mark) => {
        const first = countBefore(footnotes, block + 1);
        const notes = footnotes.slice(first, first + footnotesBehind);
        const note = notes.find(({ name }) => name === mark);
        return note !== undefined && context.words.has(note.text, 'derivative');
      }),
    headingAbove: (block, only) => {
      const end = countBefore(headings, block);
      const above = headings.slice(Math.max(0, end - headingReach), end);
      const near = above.findLast(
        ({ index, span }) => block - index <= headingReach && (only === undefined || span.from !== span.to),
      );
      return near?.span ?? null;
    },
    subject: headings.find(({ span }) => span.from !== span.to)?.span ?? null,
    calendar,
    isUpdate: paragraphs.slice(0, 8).some(({ text }) => isUpdateTitle(text, calendar)),
    isMonthly: headings[0] !== undefined && headings[0].span.to === monthEnd(headings[0].span.from),
  };
}

const fiscal = /\bfiscal (?:year|quarter|Q[1-4]|20\d\d)|\bF(?:Y ?)?(?:20)?2\d\b|\bquarter fiscal\b/i;
const calendarYear = /\byears? (?:ended|ending|ends?)(?: on)?,? (?:December 31|31 December)\b/i;

function calendarOf({ source: { filed, form } }: ReportContext, blocks: readonly Block[]): Calendar {
  const texts = blocks.map((block) =>
    block.kind === 'paragraph'
      ? block.text
      : block.rows.map((row) => row.map(({ text }) => text).join(' ')).join(' '),
  );
  return {
    filed,
    isFiscal: texts.some((text) => fiscal.test(text)) && !texts.some((text) => calendarYear.test(text)),
    isDayFirst: isDayFirst(texts, form),
  };
}

function isUpdateTitle(text: string, calendar: Calendar): boolean {
  const start = text.slice(0, 300);
  return (
    /\b(?:updates?|production|results|highlights|operational|operating)\b/i.test(start) &&
    findMonths(start, calendar).length + findQuarters(start, { ...calendar, isFiscal: false }).length > 0
  );
}

/** How many blocks a heading reaches. */
const headingReach = 12;
/** How many footnotes behind a number are looked through for its own. */
const footnotesBehind = 60;

/** How many of the items, which are in order, stand before a block. */
function countBefore(items: readonly { readonly index: number }[], block: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((items[middle]?.index ?? block) < block) low = middle + 1;
    else high = middle;
  }
  return low;
}

function asOfDay(text: string, calendar: Calendar): string | null {
  const at = text.search(/\bas of /i);
  if (at < 0) return null;
  const day = findDays(text.slice(at, at + 40), calendar)[0];
  return day !== undefined && day.start <= 6 && day.day <= calendar.filed ? day.day : null;
}

const datePieces =
  /[A-Z][a-z]{2,8}\.?,? 20\d\d|[A-Z][a-z]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?(?:, 20\d\d)?|\b20\d\d\b|\d{1,2}\/\d{1,2}\/\d{2,4}|\bQ[1-4]\b|\(\d\)/g;

/** A short line without a full stop that names a day, period or month heads what follows. */
function headingSpan({ text }: Paragraph, calendar: Calendar): DatedSpan | null {
  if (text.length > 240 || !/\d/.test(text) || /[.;]$/.test(text)) return null;
  // a line with numbers beside its dates states something itself
  if (/\d/.test(text.replace(datePieces, ''))) return null;
  const periods = findPeriods(text, calendar);
  const months = findMonths(text, calendar);
  const span = periods[0] ?? months[0] ?? findQuarters(text, calendar)[0];
  if (span !== undefined) return span.to <= calendar.filed ? span : null;
  const day = asOfDay(text, calendar);
  return day === null ? null : { start: 0, end: 0, from: day, to: day };
}

const footnoteStart = /^(?:\(([0-9]{1,2}|[a-z]|\*)\)|\[([0-9]{1,2})\]|([0-9]{1,2})\.|(\*{1,3})) /;

function footnoteName({ text, marks }: Paragraph): string | null {
  if (marks[0]?.at === 0) return marks[0].name;
  const match = footnoteStart.exec(text);
  return match === null ? null : (match.slice(1).find((group) => group !== undefined) ?? null);
}

const legalSuffix =
  /[ ,]+(?:inc|incorporated|corp|corporation|co|company|ltd|limited|llc|plc|n\.?v|s\.?a|ag|lp|holdings?|group|\/[a-z]{2}\/?)\.?$/i;
/** What may follow the name in a sentence. */
const legalForm =
  '(?:,? (?:Inc|Incorporated|Corp|Corporation|Co|Company|Ltd|Limited|LLC|PLC|N\\.V|S\\.A|AG|Holdings?|Group)\\b\\.?){0,3}';
const subsidiaryBehind = /^,? an? (?:[\w-]{1,20} ){0,4}subsidiary/i;
const subsidiaryBefore = /subsidiar(?:y|ies),? [A-Z][^()]{1,60}$/;
const definesCompany = /the "Company,?"|"we,?"|"our,?"/;

/** Names of the issuer: by EDGAR without their legal form, and what the document defines for it or a subsidiary. */
function ownNames(
  filedNames: readonly string[],
  paragraphs: readonly Paragraph[],
): { names: string[]; subsidiaries: string[] } {
  const subsidiaries = new Set<string>();
  const names = new Set(filedNames.map(withoutLegalForm).filter((name) => name.length > 2));
  const cores = [...names].map((name) => name.toLowerCase());
  for (const { text } of paragraphs) {
    if (names.size >= mostNames) break;
    for (const match of text.matchAll(/\(([^()]{3,200})\)/g)) {
      const [whole, inside = ''] = match;
      if (!inside.includes('"')) continue;
      const before = text.slice(Math.max(0, match.index - 90), match.index);
      const behind = text.slice(match.index + whole.length, match.index + whole.length + 60);
      const isSubsidiary = subsidiaryBehind.test(behind) || subsidiaryBefore.test(before);
      const isOwn =
        definesCompany.test(inside) ||
        isSubsidiary ||
        cores.some((core) =>
          before
            .slice(-core.length - 40)
            .toLowerCase()
            .includes(core),
        );
      if (!isOwn) continue;
      for (const [, quoted = ''] of inside.matchAll(/"([A-Z][\w&.' -]{1,40}?)[,.]?"/g)) {
        if (generic.test(quoted)) continue;
        names.add(quoted);
        if (isSubsidiary && !definesCompany.test(inside)) subsidiaries.add(quoted);
      }
    }
  }
  return { names: [...names].slice(0, mostNames), subsidiaries: [...subsidiaries] };
}

const mostNames = 40;
const generic =
  /^(?:the )?(?:we|us|our|company|registrant|borrower|issuer|parent|guarantor|notes?|shares?|offering|agreement|atm|.*(?:shares|stock|notes|agreement|atm|act|offering|facility|agents?|purchasers?))$/i;

function withoutLegalForm(name: string): string {
  let core = name.trim();
  for (let shorter = core.replace(legalSuffix, ''); shorter !== core; shorter = core.replace(legalSuffix, ''))
    core = shorter;
  // EDGAR writes names in capitals; the document does not
  return core === core.toUpperCase() ? core.toLowerCase().replace(/\b[a-z]/g, (c) => c.toUpperCase()) : core;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Where in a document a number was read, and the words around it. */
export type Found = {
  readonly block: number;
  readonly row?: number;
  readonly column?: number;
  readonly quote: string;
};

type Stated = Pick<Statement, 'kind' | 'asset' | 'confidence' | 'dateBasis'> & Partial<Statement>;

/** Items under which an 8-K furnishes what it says instead of filing it (M17.17). */
const furnishedItems = new Set(['2.02', '7.01']);
const longestQuote = 600;

export function stated({ context }: DocumentFrame, found: Found, statement: Stated): Statement {
  return {
    units: null,
    periodFrom: null,
    asOf: null,
    usd: null,
    avgPrice: null,
    netProceeds: null,
    capacityLeft: null,
    security: null,
    isApproximate: false,
    fromTable: found.row !== undefined,
    ...statement,
    furnished: isFurnished(context),
    place: placeOf(context, found),
    alsoAt: [],
    quote: found.quote.slice(0, longestQuote),
    notes: [],
    source: context.source,
  };
}

export function refusal(
  { context }: DocumentFrame,
  found: Found,
  { reason, asset, units }: { reason: RefusalReason; asset: string | null; units: ExactDecimal | null },
): RefusedStatement {
  return {
    reason,
    asset,
    units,
    place: placeOf(context, found),
    quote: found.quote.slice(0, longestQuote),
    source: context.source,
  };
}

function placeOf(
  { source, type, document }: ReportContext,
  { block, row, column }: Found,
): Statement['place'] {
  return { accession: source.accession, type, document, block, row: row ?? null, column: column ?? null };
}

function isFurnished({ source: { form, items } }: ReportContext): boolean | null {
  if (!form.startsWith('8-K') || items.length === 0) return null;
  const substantive = items.filter((item) => item !== '9.01');
  return substantive.length > 0 && substantive.every((item) => furnishedItems.has(item));
}

/** Names of the marks that stand within a part of a paragraph. */
export function marksWithin(marks: readonly Mark[], from: number, to: number): string[] {
  return marks.filter(({ at }) => from <= at && at <= to).map(({ name }) => name);
}
