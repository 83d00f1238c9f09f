import { addDays } from '../../calculators/exact/civilDate.ts';
import type { Dimension } from '../../calculators/filing/xbrlFiling.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';
import type { ConceptNames } from './conceptNames.ts';
import { splitQName } from './schemaReader.ts';
import { iso4217, xbrldi, xbrliNamespace } from './xbrlNamespaces.ts';
import { type ResolvePrefix, shownText, type XmlElement, xmlAttribute } from './xmlReader.ts';

/** Entity, period and dimensions that facts refer to by id. */
export type InstanceContext = {
  readonly scheme: string;
  readonly identifier: string;
  /** null for instants */
  readonly start: string | null;
  readonly end: string;
  /** sorted by axis */
  readonly dimensions: readonly Dimension[];
};

/** Reads one `context`; `result` gives the reason instead when facts of it cannot be placed. */
export type ContextReader = {
  open(tag: XmlElement, depth: number): void;
  text(text: string): void;
  close(tag: XmlElement, depth: number): void;
  result(): InstanceContext | string;
};

/** The largest contexts of EDGAR have about ten. */
const maxDimensions = 64;

type OpenMember = { axis: string; text: string; typed: boolean; depth: number };

/**
 * Reads the context whose tag has `depth`. Segment and scenario count alike; content that is no dimension is kept as
 * a typed one named by its element, so that such a fact never passes for one of the whole entity.
 */
export function contextReader(input: {
  names: ConceptNames;
  resolve: ResolvePrefix;
  depth: number;
}): ContextReader {
  const texts: Record<string, string> = {};
  const parts = new Set<string>();
  const dimensions: Dimension[] = [];
  let scheme = '';
  let field: string | null = null;
  let member: OpenMember | null = null;
  let container = 0;
  let fault: string | null = null;

  function qname(text: string): string | null {
    const [prefix, local] = splitQName(text.trim());
    const uri = input.resolve(prefix) ?? '';
    return uri === '' || local === '' ? null : input.names.qname({ uri, local, declared: prefix });
  }

  function openMember(tag: XmlElement, depth: number): void {
    const dimensional = tag.uri === xbrldi && (tag.local === 'explicitMember' || tag.local === 'typedMember');
    const axis = dimensional
      ? qname(xmlAttribute(tag, 'dimension') ?? '')
      : input.names.qname({ uri: tag.uri, local: tag.local, declared: tag.prefix });
    if (axis === null) fault = 'contexts with a dimension of an unknown namespace';
    member = { axis: axis ?? '', text: '', typed: tag.local !== 'explicitMember' || !dimensional, depth };
  }

  function closeMember(open: OpenMember): void {
    if (dimensions.length >= maxDimensions) {
      fault = `contexts with more than ${maxDimensions} dimensions`;
      return;
    }
    const text = open.text.trim();
    const value = open.typed ? text : qname(text);
    if (value === null) fault = 'contexts with a member of an unknown namespace';
    if (dimensions.some((d) => d.axis === open.axis)) fault = 'contexts that state a dimension twice';
    dimensions.push({ axis: open.axis, member: value ?? '', typed: open.typed });
  }

  return {
    open(tag, depth) {
      if (member !== null) return;
      if (container > 0) {
        if (depth === container + 1) openMember(tag, depth);
      } else if (tag.uri === xbrliNamespace) {
        if (depth === input.depth + 1 && (tag.local === 'period' || tag.local === 'entity')) {
          if (parts.has(tag.local)) fault = `contexts that state their ${tag.local} twice`;
          parts.add(tag.local);
        } else if (tag.local === 'segment' || tag.local === 'scenario') {
          container = depth;
        } else if (depth > input.depth + 1) {
          field = tag.local;
          if (texts[field] !== undefined) fault = `contexts that state their ${shownText(field, 20)} twice`;
          texts[field] = '';
          if (field === 'identifier') scheme = xmlAttribute(tag, 'scheme') ?? '';
        }
      }
    },
    text(text) {
      if (member !== null) member.text += text;
      else if (field !== null) texts[field] += text;
    },
    close(_tag, depth) {
      if (member !== null) {
        if (depth === member.depth) {
          closeMember(member);
          member = null;
        }
      } else if (depth === container) {
        container = 0;
      } else {
        field = null;
      }
    },
    result() {
      const identifier = (texts['identifier'] ?? '').trim();
      if (fault !== null) return fault;
      const period = periodOf(texts);
      if (typeof period === 'string') return period;
      dimensions.sort((a, b) => compareText(a.axis, b.axis));
      return { scheme, identifier, ...period, dimensions };
    },
  };
}

function periodOf(texts: Readonly<Record<string, string>>): { start: string | null; end: string } | string {
  const { instant, startDate, endDate, forever } = texts;
  if (forever !== undefined) return 'contexts without an end (forever)';
  const start = startDate === undefined ? null : startDay(startDate);
  const end = endDay(instant ?? endDate ?? '');
  const isWhole = instant === undefined ? start !== null : startDate === undefined && endDate === undefined;
  if (end === null || !isWhole) return 'contexts whose period is no whole days';
  if (start !== null && start > end) return 'contexts that start after their end';
  return { start, end };
}

const datePattern = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.0+)?)?$/;

/** First day of a period from `startDate`; null when the text is no whole day. */
export function startDay(text: string): string | null {
  const day = civilDay(text);
  return day === null || day.time === '24:00:00' ? null : day.date;
}

/**
 * Last day of a period from `endDate` or `instant`: a date means its end (XBRL 2.1 §4.7.2), so midnight at the start
 * of a day is the end of the day before. Null when the text is no whole day.
 */
export function endDay(text: string): string | null {
  const day = civilDay(text);
  if (day === null) return null;
  return day.time === '00:00:00' ? dayBefore(day.date) : day.date;
}

function civilDay(text: string): { date: string; time: string | null } | null {
  const [, date = '', time = null] = datePattern.exec(text.trim()) ?? [];
  if (!isCivilDate(date) || date < '0001') return null;
  if (time !== null && time !== '00:00:00' && time !== '24:00:00') return null;
  return { date, time };
}

function dayBefore(date: string): string | null {
  return date === '0001-01-01' ? null : addDays(date, -1);
}

/** Reads one `unit`; `result` is its name (`USD`, `USD/shares`), null when it is not known. */
export type UnitReader = {
  open(tag: XmlElement): void;
  text(text: string): void;
  close(tag: XmlElement): void;
  result(): string | null;
};

/** Reads a unit of measure: local names, factors sorted and joined by `*`, a divide written with `/`. */
export function unitReader({ names, resolve }: { names: ConceptNames; resolve: ResolvePrefix }): UnitReader {
  const numerator: string[] = [];
  const denominator: string[] = [];
  let into = numerator;
  let measure: string | null = null;
  let broken = false;

  function nameOf(text: string): string | null {
    const [prefix, local] = splitQName(text.trim());
    const uri = resolve(prefix);
    if (uri === undefined || uri === '' || local === '') return null;
    if (uri === iso4217 || (uri === xbrliNamespace && (local === 'shares' || local === 'pure'))) return local;
    // a filer's own `USD` or `shares` must not pass for the registered one
    const misleading = /^[A-Z]{3}$/.test(local) || local === 'shares' || local === 'pure';
    return misleading ? names.qname({ uri, local, declared: prefix }) : local;
  }

  return {
    open(tag) {
      if (tag.uri !== xbrliNamespace) return;
      if (tag.local === 'unitDenominator') into = denominator;
      else if (tag.local === 'unitNumerator') into = numerator;
      else if (tag.local === 'measure') measure = '';
    },
    text(text) {
      if (measure !== null) measure += text;
    },
    close(tag) {
      if (measure === null || tag.uri !== xbrliNamespace || tag.local !== 'measure') return;
      const name = nameOf(measure);
      if (name === null) broken = true;
      else into.push(name);
      measure = null;
    },
    result() {
      if (broken || numerator.length === 0) return null;
      const top = numerator.sort().join('*');
      return denominator.length === 0 ? top : `${top}/${denominator.sort().join('*')}`;
    },
  };
}

const maxLength = 64;
const maxExponent = 30;
const integer = /^[+-]?\d{1,4}$/;
const exponentPattern = /[eE]([+-]?\d+)$/;

/** Amount of a fact as filed (`6000000000.0`, `7.00`, `-3E2`), exact; null when the text is no decimal of sane size. */
export function factValue(text: string): ExactDecimal | null {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return null;
  const exponent = exponentPattern.exec(trimmed)?.[1];
  if (exponent !== undefined && !(Math.abs(Number(exponent)) <= maxExponent)) return null;
  return ExactDecimal.tryParse(trimmed);
}

/** What a fact states about its accuracy; `unknown` is precision 0, `invalid` is neither, both or nonsense. */
type Accuracy = { readonly decimals: number | 'INF' } | 'unknown' | 'invalid';

/**
 * Decimals of a fact, stated or inferred from `precision` by the magnitude of its value (XBRL 2.1 §4.6.6). A zero has
 * no magnitude: at any precision it is exact.
 */
export function accuracyOf(input: {
  decimals: string | null;
  precision: string | null;
  value: ExactDecimal;
}): Accuracy {
  const decimals = input.decimals?.trim() ?? null;
  const precision = input.precision?.trim() ?? null;
  if ((decimals === null) === (precision === null)) return 'invalid';
  if (decimals === 'INF' || precision === 'INF') return { decimals: 'INF' };
  const stated = decimals ?? precision ?? '';
  if (!integer.test(stated)) return 'invalid';
  const n = Number(stated);
  if (decimals !== null) return Math.abs(n) > maxExponent ? 'invalid' : { decimals: n };
  if (n < 0 || n > maxLength) return 'invalid';
  if (n === 0) return 'unknown';
  return { decimals: input.value.sign === 0 ? 'INF' : n - magnitude(input.value) - 1 };
}

/** floor(log10 |value|) of a value other than zero. */
function magnitude(value: ExactDecimal): number {
  const digits = value.units.toString().replace('-', '').length;
  return digits - 1 - value.scale;
}

/** Concepts whose dates, durations and short texts are terms of debt, warrants or shares (M18.11). */
const termName =
  /(Maturity|Expir(?:es|ation|y)|Redemption|Springing|RepurchaseRight|Put(?:Date|Option|Right)|Call(?:Date|Option)|Conver(?:sion|tible)|StockSplit|^DebtInstrument|^LineOfCredit|^(?:LongTerm|ShortTerm)Debt|^Warrants?And|^ClassOfWarrant|(?:Loans?|Notes?|Credit)\w*Term|^TermOf)/;
/** The same words in names of something else; enumerations name concepts, blocks hold tables. */
const otherName =
  /(Lease|Plan|Compensation|CarryForward|Carryforward|TaxAsset|Statute|TrdArr|Arr(?:Adopted|Modified|Trmntd)|Lessee|Investment|DebtSecurities|ExtensibleList|ExtensibleEnumeration|TextBlock|TableTextBlock|Policy|Receivable)/;

/** Longer texts are prose. */
const lengthMax = 200;
/** A filing of 2,000 terms states thirty times what the largest of those known does. */
export const termsMax = 2000;
/** Read of one text at most; what is longer is no term. */
export const termCharactersMax = 4000;

/** The title of a security on the cover, which says what a depositary share stands for (M18.42b). */
const titleConcept = /^dei:Security12[bg]Title$/;

/** True for a concept whose text may state a term. */
export function isTermConcept(concept: string): boolean {
  if (titleConcept.test(concept)) return true;
  const local = concept.slice(concept.indexOf(':') + 1);
  return !concept.startsWith('dei:') && termName.test(local) && !otherName.test(local);
}

/** The text of a term with its white space collapsed; null where it is empty or prose. */
export function termText(text: string): string | null {
  const value = text.length > termCharactersMax ? '' : text.replace(/\s+/g, ' ').trim();
  return value === '' || value.length > lengthMax ? null : value;
}
