import type { InstanceFact, NamedLines, TermFact } from '../../calculators/filing/xbrlFiling.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { ConceptNames } from './conceptNames.ts';
import type { FilingDefects } from './filingDefects.ts';
import {
  accuracyOf,
  type ContextReader,
  contextReader,
  factValue,
  type InstanceContext,
  isTermConcept,
  termCharactersMax,
  termsMax,
  termText,
  type UnitReader,
  unitReader,
} from './instanceContext.ts';
import { linkNamespace, xbrliNamespace, xlink, xsi } from './xbrlNamespaces.ts';
import { type ResolvePrefix, readXml, type XmlElement, type XmlHandler, xmlAttribute } from './xmlReader.ts';

/**
 * A numeric fact and the tuples around it, outermost first, as a path of ordinals (empty at the top). Decimals are
 * null beside a value only for precision 0, which says that no digit is known.
 */
export type ScopedFact = InstanceFact & { readonly scope: string };

/** What an instance document holds, before anyone asks whose it is. */
export type Instance = {
  readonly facts: readonly ScopedFact[];
  readonly contexts: ReadonlyMap<string, InstanceContext>;
  readonly units: ReadonlyMap<string, string>;
  readonly schemaRefs: readonly string[];
  readonly linkbaseRefs: readonly string[];
  /** dei text facts of the whole entity, by concept */
  readonly cover: ReadonlyMap<string, string>;
  /** text facts of the whole entity that name lines of the balance sheet */
  readonly namedLines: readonly NamedLines[];
  /** facts without a unit that state a term, `termsMax` at most */
  readonly terms: readonly TermFact[];
  /** facts with a unit, including those that were dropped */
  readonly numericFactCount: number;
};

type RawFact = {
  readonly concept: string;
  readonly scope: string;
  readonly contextRef: string;
  /** null for text facts */
  readonly unitRef: string | null;
  readonly isTerm: boolean;
  readonly decimals: string | null;
  readonly precision: string | null;
  readonly nil: string | null;
  text: string;
  hasChild: boolean;
};

const coverConcepts: ReadonlySet<string> = new Set([
  'dei:DocumentType',
  'dei:DocumentPeriodEndDate',
  'dei:AmendmentFlag',
  'dei:EntityFilerCategory',
  'dei:CurrentFiscalYearEndDate',
  'dei:DocumentFiscalPeriodFocus',
]);

/** A text fact whose value is the lines of the balance sheet that hold an amount of the notes. */
const lineList = /^(us-gaap:\w+)StatementOfFinancialPositionExtensible(?:List|Enumeration)$/;
/** More lines than a balance sheet splits an amount over. */
const linesMax = 8;

/**
 * Reads an instance: contexts, units and numeric facts; text blocks and footnotes are passed over.
 *
 * Facts whose context, unit, value or decimals cannot be read are dropped and counted in `defects`. Returns null when
 * the root is not `xbrli:xbrl`; throws XmlFault when the document cannot be read.
 */
export function readInstance({
  bytes,
  names,
  defects,
}: {
  bytes: Uint8Array;
  names: ConceptNames;
  defects: FilingDefects;
}): Instance | null {
  const reading = newReading(names);
  readXml({ bytes, handler: (resolve) => instanceHandler(reading, resolve) });
  if (!reading.isInstance) return null;
  const { contexts, units, schemaRefs, linkbaseRefs } = reading;
  return {
    ...placeFacts({ ...reading, defects }),
    contexts: new Map(
      [...contexts].filter((entry): entry is [string, InstanceContext] => typeof entry[1] !== 'string'),
    ),
    units: new Map([...units].filter((entry): entry is [string, string] => entry[1] !== null)),
    schemaRefs,
    linkbaseRefs,
  };
}

/** What has been read, and where the reader stands. */
type Reading = {
  readonly names: ConceptNames;
  readonly contexts: Map<string, InstanceContext | string>;
  readonly units: Map<string, string | null>;
  readonly facts: RawFact[];
  readonly schemaRefs: string[];
  readonly linkbaseRefs: string[];
  readonly concepts: Map<string, Map<string, string>>;
  isInstance: boolean;
  // one of these is open at a time; the depth is that of its tag
  context: { reader: ContextReader; id: string; depth: number } | null;
  unit: { reader: UnitReader; id: string; depth: number } | null;
  fact: (RawFact & { depth: number }) | null;
  skipped: number;
  readonly tuples: number[];
  children: number;
};

function newReading(names: ConceptNames): Reading {
  return {
    names,
    contexts: new Map(),
    units: new Map(),
    facts: [],
    schemaRefs: [],
    linkbaseRefs: [],
    concepts: new Map(),
    isInstance: false,
    context: null,
    unit: null,
    fact: null,
    skipped: 0,
    tuples: [],
    children: 0,
  };
}

function conceptOf({ concepts, names }: Reading, tag: XmlElement): string {
  let locals = concepts.get(tag.uri);
  if (locals === undefined) {
    locals = new Map();
    concepts.set(tag.uri, locals);
  }
  let concept = locals.get(tag.local);
  if (concept === undefined) {
    concept = names.qname({ uri: tag.uri, local: tag.local, declared: tag.prefix });
    locals.set(tag.local, concept);
  }
  return concept;
}

function openFact(reading: Reading, tag: XmlElement, depth: number): void {
  const { tuples } = reading;
  const concept = conceptOf(reading, tag);
  const unitRef = xmlAttribute(tag, 'unitRef');
  const isTerm = unitRef === null && isTermConcept(concept);
  if (unitRef === null && !isTerm && !coverConcepts.has(concept) && !lineList.test(concept)) {
    reading.skipped = depth;
    return;
  }
  const opened = {
    concept,
    scope: tuples.length === 0 ? '' : tuples.join('/'),
    contextRef: xmlAttribute(tag, 'contextRef') ?? '',
    unitRef,
    isTerm,
    decimals: xmlAttribute(tag, 'decimals'),
    precision: xmlAttribute(tag, 'precision'),
    nil: xmlAttribute(tag, 'nil', xsi),
    text: '',
    hasChild: false,
    depth,
  };
  reading.facts.push(opened);
  reading.fact = opened;
}

function openTop(reading: Reading, tag: XmlElement, depth: number, resolve: ResolvePrefix): void {
  const { names } = reading;
  if (tag.uri === linkNamespace) {
    const href = xmlAttribute(tag, 'href', xlink);
    if (tag.local === 'schemaRef' && href !== null) reading.schemaRefs.push(href);
    if (tag.local === 'linkbaseRef' && href !== null) reading.linkbaseRefs.push(href);
    reading.skipped = depth;
  } else if (tag.uri === xbrliNamespace && tag.local === 'context' && depth === 2) {
    const reader = contextReader({ names, resolve, depth });
    reading.context = { reader, id: xmlAttribute(tag, 'id') ?? '', depth };
  } else if (tag.uri === xbrliNamespace && tag.local === 'unit' && depth === 2) {
    reading.unit = { reader: unitReader({ names, resolve }), id: xmlAttribute(tag, 'id') ?? '', depth };
  } else if (tag.attributes['contextRef'] !== undefined) {
    openFact(reading, tag, depth);
  } else {
    // an element without a context is a tuple; its facts are distinguished by where they stand
    reading.children += 1;
    reading.tuples.push(reading.children);
  }
}

function instanceHandler(reading: Reading, resolve: ResolvePrefix): XmlHandler {
  const { contexts, units, tuples } = reading;
  return {
    open(tag, depth) {
      const { fact, context, unit } = reading;
      if (depth === 1) {
        reading.isInstance = tag.uri === xbrliNamespace && tag.local === 'xbrl';
      } else if (!reading.isInstance || reading.skipped > 0) {
        return;
      } else if (fact !== null) {
        fact.hasChild = true;
      } else if (context !== null) {
        context.reader.open(tag, depth);
      } else if (unit !== null) {
        unit.reader.open(tag);
      } else {
        openTop(reading, tag, depth, resolve);
      }
    },
    text(text) {
      const { fact, context, unit } = reading;
      if (fact !== null) {
        if (!fact.isTerm || fact.text.length <= termCharactersMax) fact.text += text;
      } else if (context !== null) context.reader.text(text);
      else if (unit !== null) unit.reader.text(text);
    },
    close(tag, depth) {
      const { fact, context, unit } = reading;
      if (reading.skipped > 0) {
        if (depth === reading.skipped) reading.skipped = 0;
      } else if (fact !== null) {
        if (depth === fact.depth) reading.fact = null;
      } else if (context !== null) {
        if (depth === context.depth) {
          keepContext(contexts, context.id, context.reader.result());
          reading.context = null;
        } else context.reader.close(tag, depth);
      } else if (unit !== null) {
        if (depth === unit.depth) {
          const name = unit.reader.result();
          units.set(unit.id, units.has(unit.id) && units.get(unit.id) !== name ? null : name);
          reading.unit = null;
        } else unit.reader.close(tag);
      } else if (depth > 1) {
        tuples.pop();
      }
    },
  };
}

function keepContext(
  contexts: Map<string, InstanceContext | string>,
  id: string,
  result: InstanceContext | string,
): void {
  const before = contexts.get(id);
  const differs = before !== undefined && JSON.stringify(before) !== JSON.stringify(result);
  contexts.set(id, differs ? 'contexts of one id that differ' : result);
}

function placeFacts(input: {
  facts: readonly RawFact[];
  contexts: ReadonlyMap<string, InstanceContext | string>;
  units: ReadonlyMap<string, string | null>;
  names: ConceptNames;
  defects: FilingDefects;
}): Pick<Instance, 'cover' | 'namedLines' | 'terms' | 'numericFactCount'> & { facts: ScopedFact[] } {
  const facts: ScopedFact[] = [];
  const cover = new Map<string, string>();
  const namedLines: NamedLines[] = [];
  const terms: TermFact[] = [];
  let numericFactCount = 0;
  for (const raw of input.facts) {
    const context = input.contexts.get(raw.contextRef);
    if (raw.isTerm) {
      const term = typeof context === 'object' && terms.length < termsMax ? termOf(raw, context) : null;
      if (term !== null) terms.push(term);
      continue;
    }
    if (raw.unitRef === null) {
      if (typeof context !== 'object' || context.dimensions.length > 0) continue;
      const [, concept] = lineList.exec(raw.concept) ?? [];
      if (concept === undefined) cover.set(raw.concept, raw.text.trim());
      else {
        const lines = linesIn(raw.text, input.names);
        if (lines.length > 0) namedLines.push({ concept, end: context.end, lines });
      }
      continue;
    }
    const position = numericFactCount;
    numericFactCount += 1;
    const unit = input.units.get(raw.unitRef);
    const amount = amountOf(raw);
    const drop = (kind: string): void => input.defects.count('instance', kind, raw.concept);
    if (context === undefined) drop('facts with an unknown context');
    else if (typeof context === 'string') drop(`facts in ${context}`);
    else if (unit === undefined) drop('facts with an unknown unit');
    else if (unit === null) drop('facts whose unit cannot be read');
    else if (typeof amount === 'string') drop(amount);
    else {
      const { start, end, dimensions } = context;
      const { concept, contextRef: contextId, scope } = raw;
      facts.push({ concept, contextId, unit, ...amount, start, end, dimensions, scope, position });
    }
  }
  return { facts, cover, namedLines, terms, numericFactCount };
}

function termOf(
  { concept, contextRef, nil, text, hasChild }: RawFact,
  { start, end, dimensions }: InstanceContext,
): TermFact | null {
  const value = nil !== null || hasChild ? null : termText(text);
  return value === null ? null : { concept, contextId: contextRef, value, start, end, dimensions };
}

/** The concepts of a list, `http://fasb.org/us-gaap/2025#LongTermDebtCurrent` each, or with their prefix; nothing of a list that names anything else. */
function linesIn(text: string, names: ConceptNames): string[] {
  const entries = text.split(/\s+/).filter((entry) => entry !== '');
  if (entries.length > linesMax) return [];
  const lines = entries.map((entry) => {
    if (/^us-gaap:\w+$/.test(entry)) return entry;
    const [, uri = '', local] = /^([^#]+)#([A-Za-z_][\w.-]*)$/.exec(entry) ?? [];
    const prefix = names.prefix(uri);
    return prefix === null || local === undefined ? null : `${prefix}:${local}`;
  });
  return lines.every((line) => line !== null) ? lines : [];
}

function amountOf(raw: RawFact): { value: ExactDecimal | null; decimals: number | 'INF' | null } | string {
  const nil = raw.nil?.trim();
  if (nil === 'true' || nil === '1') return { value: null, decimals: null };
  const value = raw.hasChild ? null : factValue(raw.text);
  if (value === null) return 'facts whose value is no decimal';
  const accuracy = accuracyOf({ decimals: raw.decimals, precision: raw.precision, value });
  if (accuracy === 'invalid') return 'facts whose decimals cannot be read';
  return { value, decimals: accuracy === 'unknown' ? null : accuracy.decimals };
}
