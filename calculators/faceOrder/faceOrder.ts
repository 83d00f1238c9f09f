import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import { chooseDuplicate } from '../filing/chooseDuplicate.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import { type RelatedPartyLine, relatedPartyLines } from '../filing/relatedPartyLines.ts';
import type { InstanceFact, XbrlFiling } from '../filing/xbrlFiling.ts';
import { equityConcepts } from '../fundamentals/conceptPrecedence.ts';
import type { CalculationNetwork } from '../network/calculationNetwork.ts';
import {
  assetsConcepts,
  isEquity,
  isFaceTotal,
  liabilitiesAndEquityConcepts,
  liabilitiesConcepts,
  wordsOf,
} from '../network/conceptNames.ts';
import type { TrailFace } from '../trail/resolutionTrail.ts';
import { faceNetwork } from './faceNetwork.ts';
import { type FaceBounds, type FaceFigure, type FacePart, faceParses } from './faceParses.ts';

type FaceReading = {
  /** Role `face_order`; its root is the anchor. */
  readonly network: CalculationNetwork;
  readonly lines: readonly FaceFigure[];
};

/** One side of the balance sheet as the document order gives it (M1.24c). */
export type FaceSide =
  | {
      readonly kind: 'closed';
      readonly side: FaceSideName;
      /** `us-gaap:Assets`, `us-gaap:Liabilities`; the latter also where the equity anchor stands for it. */
      readonly anchor: string;
      /** What the run adds up to. */
      readonly target: ExactDecimal;
      readonly isByEquity: boolean;
      /** False where the run misses the anchor within the rounding of the filing. */
      readonly isExact: boolean;
      /** At least one; several when the order allows several. */
      readonly readings: readonly [FaceReading, ...FaceReading[]];
      /** Lines shown by counterparty, or with one member, without which the side does not close (M1.7b, M1.24c 8). */
      readonly relatedParty: readonly RelatedPartyLine[];
      /** The one line with a member that fills the gap of the assets; null where they close without it. */
      readonly gapLine: string | null;
    }
  | { readonly kind: 'rejected'; readonly side: FaceSideName; readonly reason: string }
  | { readonly kind: 'absent'; readonly side: FaceSideName; readonly reason: string };

/** Both sides of the balance sheet rebuilt from the document order of one filing. */
export type FaceOrder = { readonly assets: FaceSide; readonly liabilities: FaceSide };

/**
 * Rebuilds both sides of the balance sheet from the order of facts in the instance (M1.24c). A side is closed only when
 * its lines add up to its anchor; nothing less is ever returned.
 */
export function faceOrder(input: {
  readonly filing: XbrlFiling | null;
  readonly sheet: FactSheet;
  readonly bounds: FaceBounds;
}): FaceOrder {
  const { filing } = input;
  if (filing === null || filing.facts.length === 0) {
    const absent = { kind: 'absent', reason: 'the instance is not at hand' } as const;
    return { assets: { ...absent, side: 'assets' }, liabilities: { ...absent, side: 'liabilities' } };
  }
  const isFiled = (concept: string) => input.sheet.chosen(concept) !== null;
  const relatedParty = relatedPartyLines(filing, { period: input.sheet.period, isFiled });
  const sideOf = (side: FaceSideName): FaceSide => {
    const plain = faceSide({ ...input, filing, side, relatedParty: [] });
    if (plain.kind === 'closed' || relatedParty.length === 0) return plain;
    const withMembers = faceSide({ ...input, filing, side, relatedParty });
    return withMembers.kind === 'closed' ? withMembers : plain;
  };
  const assets = (): FaceSide => {
    const found = sideOf('assets');
    if (found.kind !== 'rejected') return found;
    const figures = faceFigures({ ...input, filing, relatedParty: [] }) ?? [];
    const [only, ...others] = partsOfNext(figures.slice(0, assetsEnd(figures)))
      .map((leftOut) => faceSide({ ...input, filing, side: 'assets', relatedParty: [], leftOut }))
      .filter((side) => side.kind === 'closed' && side.isExact);
    return (only !== undefined && others.length === 0 ? only : withGapLine({ ...input, filing })) ?? found;
  };
  return { assets: assets(), liabilities: sideOf('liabilities') };
}

function faceSide(input: {
  filing: XbrlFiling;
  sheet: FactSheet;
  bounds: FaceBounds;
  side: FaceSideName;
  relatedParty: readonly RelatedPartyLine[];
  /** A figure that is no line of the side (M1.24c 3). */
  leftOut?: string;
}): FaceSide {
  const { side, bounds, leftOut } = input;
  const figures = faceFigures(input)?.filter(({ concept }) => concept !== leftOut) ?? null;
  if (figures === null) return { kind: 'absent', side, reason: 'the order of its facts is not known' };
  const anchor = faceAnchor({ ...input, figures });
  if ('reason' in anchor) return { kind: 'absent', side, reason: anchor.reason };
  const { concept, end, target, isByEquity } = anchor;
  const found = faceParses({ figures, end, target, tolerance: anchor.tolerance, bounds });
  if (found.kind === 'exhausted') {
    return {
      kind: 'rejected',
      side,
      reason: `its lines can be read in more than ${bounds.stepsMax} steps only`,
    };
  }
  const readings = found.parses.map((parts): FaceReading => {
    const lines = leavesOf(parts).map((at) => figures[at]);
    return {
      network: faceNetwork({ anchor: concept, figures, parts }),
      lines: lines.filter((figure) => figure !== undefined),
    };
  });
  const [first, ...rest] = readings;
  if (first === undefined)
    return { kind: 'rejected', side, reason: missing({ figures, end, target, concept }) };
  const used = new Set(readings.flatMap(({ lines }) => lines.map((line) => line.concept)));
  return {
    kind: 'closed',
    side,
    anchor: concept,
    target,
    isByEquity,
    isExact: found.isExact,
    readings: [first, ...rest],
    gapLine: null,
    relatedParty: input.relatedParty.filter((line) => used.has(line.concept)),
  };
}

/** The assets with the only line shown with one member that fills their gap exactly; null without it (M1.24c 8). */
function withGapLine(input: { filing: XbrlFiling; sheet: FactSheet; bounds: FaceBounds }): FaceSide | null {
  const { filing, sheet, bounds } = input;
  const isFiled = (concept: string) => sheet.chosen(concept) !== null;
  const lines = gapLines(filing, { period: sheet.period, isFiled });
  // all candidates together cost one search
  const stepsMax = Math.floor(bounds.stepsMax / Math.max(lines.length, 1));
  const [only, ...others] = lines.flatMap((line) => {
    const side = faceSide({
      ...input,
      bounds: { ...bounds, stepsMax },
      side: 'assets',
      relatedParty: [line],
    });
    return side.kind === 'closed' && side.isExact ? [{ ...side, gapLine: line.concept }] : [];
  });
  return only !== undefined && others.length === 0 ? only : null;
}

function assetsEnd(figures: readonly FaceFigure[]): number {
  return figures.findIndex(({ concept }) => assetsConcepts.some((total) => total === concept));
}

function leavesOf(parts: readonly FacePart[]): number[] {
  return parts.flatMap((part) => (part.parts.length === 0 ? [part.at] : leavesOf(part.parts)));
}

/** How near the lines before the anchor come, so that a reader sees what is missing. */
function missing({
  figures,
  end,
  target,
  concept,
}: {
  figures: readonly FaceFigure[];
  end: number;
  target: ExactDecimal;
  concept: string;
}): string {
  const before = figures.slice(Math.max(0, end - 8), end).map(({ concept }) => concept.split(':').at(-1));
  return `no run of facts before ${concept} adds up to ${target}; before it stand ${before.join(', ') || 'none'}`;
}

/** The sum of the lines of a reading. */
export function closingSum({ lines }: FaceReading): ExactDecimal {
  return sumOf(lines.map(({ value }) => value));
}

/** A side as the trail shows it: the lines of its first reading and their closing sum; null unless it closed. */
export function trailFace(side: FaceSide): TrailFace | null {
  if (side.kind !== 'closed') return null;
  const [reading] = side.readings;
  const lines = reading.lines.map(({ concept, value }) => ({ concept, value }));
  const { anchor, target, isByEquity } = side;
  return { anchor, target, isByEquity, sum: closingSum(reading), lines };
}

/**
 * Figures that may be printed inside the caption of the line after them, "contract assets, including retainage of 3,166":
 * smaller than that line, under a name with the same first word (M1.24c 3).
 */
function partsOfNext(figures: readonly FaceFigure[]): readonly string[] {
  return figures.flatMap((figure, i) => {
    const next = figures[i + 1];
    if (next === undefined || figure.isTotal || next.isTotal) return [];
    const isSmaller = figure.value.sign > 0 && figure.value.compare(next.value) < 0;
    return isSmaller && wordsOf(figure.concept)[0] === wordsOf(next.concept)[0] ? [figure.concept] : [];
  });
}

/**
 * The figures of the balance-sheet date in the order of the instance document (M1.24c 1); null where that order is not
 * known. Of several facts of a concept the first appearance counts; nil, zero and blocked concepts are absent.
 */
function faceFigures({
  filing,
  sheet,
  relatedParty,
}: {
  readonly filing: XbrlFiling;
  readonly sheet: FactSheet;
  /** Lines shown by counterparty that are let in beside the whole-entity facts (M1.7b). */
  readonly relatedParty: readonly RelatedPartyLine[];
}): readonly FaceFigure[] | null {
  const added = new Map(relatedParty.map(({ concept, value }) => [concept, value]));
  const members = new Set(relatedParty.flatMap(({ facts }) => facts));
  const candidates = filing.facts.filter((fact) => members.has(fact) || isWholeEntity(fact, sheet.period));
  const placed = candidates.filter(isPlaced);
  if (placed.length < candidates.length) return null;
  const figures = new Map<string, FaceFigure>();
  for (const { concept } of placed.toSorted((a, b) => a.position - b.position)) {
    if (figures.has(concept)) continue;
    const value = added.get(concept) ?? sheet.amount(concept);
    if (value === null || value.sign === 0) continue;
    figures.set(concept, { concept, value, isTotal: isFaceTotal(concept) });
  }
  return [...figures.values()];
}

function isWholeEntity({ unit, start, end, dimensions }: InstanceFact, period: string): boolean {
  return unit === 'USD' && start === null && end === period && dimensions.length === 0;
}

function isPlaced(fact: InstanceFact): fact is InstanceFact & { readonly position: number } {
  return fact.position !== undefined;
}

type FaceSideName = 'assets' | 'liabilities';

/** What a run has to end before and add up to (M1.24c 2). */
type FaceAnchor = {
  /** The total of the side, the root of its network. */
  readonly concept: string;
  /** The run ends directly before this figure. */
  readonly end: number;
  readonly target: ExactDecimal;
  /** Rounding of the filing at this total (M1.24c 4). */
  readonly tolerance: ExactDecimal;
  /** Liabilities are not filed: the target is the total with equity, less equity and mezzanine. */
  readonly isByEquity: boolean;
};

const mezzanine =
  /^us-gaap:(TemporaryEquityCarryingAmount|RedeemableNoncontrollingInterestEquityCarryingAmount)/;

type AnchorInput = {
  readonly side: FaceSideName;
  readonly figures: readonly FaceFigure[];
  readonly sheet: FactSheet;
};
type Anchored = FaceAnchor | { readonly reason: string };

/** The anchor of a side, or why the side has none. */
function faceAnchor(input: AnchorInput): Anchored {
  const names: readonly string[] = input.side === 'assets' ? assetsConcepts : liabilitiesConcepts;
  const end = input.figures.findIndex(({ concept }) => names.includes(concept));
  const figure = input.figures[end];
  if (figure !== undefined) {
    const tolerance = roundingOf(input.sheet, figure.concept);
    return { concept: figure.concept, end, target: figure.value, tolerance, isByEquity: false };
  }
  if (input.side === 'assets') return { reason: 'total assets have no amount at the period end' };
  return equityAnchor(input);
}

function equityAnchor({ figures, sheet }: AnchorInput): Anchored {
  const all = liabilitiesAndEquityConcepts.find((concept) => sheet.amount(concept) !== null);
  const total = all === undefined ? null : sheet.amount(all);
  const equity = sheet.firstAmount(equityConcepts);
  const end = figures.findIndex(({ concept }) => isEquity(concept));
  if (all === undefined || total === null || equity === null || end < 0) {
    return { reason: 'neither liabilities nor a total with equity to take it from is filed' };
  }
  const temporary = sumOf(figures.filter(({ concept }) => mezzanine.test(concept)).map(({ value }) => value));
  return {
    concept: liabilitiesConcepts[0],
    end,
    target: total.minus(equity).minus(temporary),
    tolerance: roundingOf(sheet, all),
    isByEquity: true,
  };
}

function roundingOf(sheet: FactSheet, concept: string): ExactDecimal {
  const entry = sheet.chosen(concept);
  const decimals = entry?.origin === 'instance' && entry.kind === 'fact' ? entry.fact.decimals : 0;
  const digits = typeof decimals === 'number' && Number.isInteger(decimals) ? decimals : 0;
  return Math.abs(digits) > 20 ? ExactDecimal.zero : ExactDecimal.parse(`1e${-digits}`);
}

/** More of them before total assets are a breakdown and no lines; each costs a search of its own. */
const candidatesMax = 12;

/**
 * Lines before total assets that a filer shows with one member of any axis and never for the whole entity (M1.24c 8): TSLA's
 * solar energy systems. Candidates for a gap of the assets; an amount that another concept or member states too is none,
 * since nothing says which of them the line is.
 */
function gapLines(
  { facts }: XbrlFiling,
  { period, isFiled }: { readonly period: string; isFiled(concept: string): boolean },
): readonly RelatedPartyLine[] {
  const atPeriod = facts.filter(({ unit, start, end }) => unit === 'USD' && start === null && end === period);
  const total = atPeriod
    .filter(({ concept, dimensions }) => dimensions.length === 0 && isTotal(concept))
    .reduce((first, { position = 0 }) => Math.min(first, position), Number.POSITIVE_INFINITY);
  const single = [...Map.groupBy(atPeriod.filter(hasOneMember), keyOf).values()].flatMap((stated) => {
    const [first, ...rest] = stated;
    const chosen = first === undefined ? null : chooseDuplicate([first, ...rest]);
    if (first === undefined || chosen?.kind !== 'fact' || chosen.value.sign <= 0) return [];
    const line: RelatedPartyLine = {
      concept: first.concept,
      value: chosen.value,
      members: first.dimensions.map(({ member }) => member),
      facts: [first, ...rest],
    };
    return [line];
  });
  const found = single.filter(
    (line) =>
      !isFiled(line.concept) &&
      line.facts.some(({ position = total }) => position < total) &&
      single.every((other) => other === line || !other.value.equals(line.value)),
  );
  return found.length > candidatesMax ? [] : found;
}

function isTotal(concept: string): boolean {
  return assetsConcepts.some((assets) => assets === concept);
}

function hasOneMember({ dimensions: [only, second] }: InstanceFact): boolean {
  return only !== undefined && !only.typed && second === undefined;
}

function keyOf({ concept, dimensions }: InstanceFact): string {
  return [concept, ...dimensions.map(({ axis, member }) => `${axis}=${member}`)].join(' ');
}
