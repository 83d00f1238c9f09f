import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { closeTo, grouped } from '../exact/decimals.ts';
import type { TrailFact, TrailSource, TrailTotal } from '../trail/resolutionTrail.ts';

/** What a later filing says of a figure that was published as proven (M12.18), gravest last but for `open`. */
export const recordVerdicts = ['confirmed', 'restated', 'contradicted', 'open'] as const;
export type RecordVerdict = (typeof recordVerdicts)[number];

/** A figure of a balance sheet date, as published or as the comparatives of the later filing give it. */
export type FigureReading = {
  readonly amount: ExactDecimal;
  /** Coins measured at cost less impairment, which is no other amount than a value but another measure (M2.6). */
  readonly isAtCost: boolean;
  /** Total assets of the same date; null where they are not filed. */
  readonly assets: ExactDecimal | null;
};

export type LaterReading = FigureReading & {
  readonly isProven: boolean;
  /** What of the amount the balance sheet carries (M3.12): the amount itself, but for coins valued beside it. */
  readonly carried: ExactDecimal;
};

/** A filed fact behind the published figure, with the values the later filing has for it; none where it has none. */
export type FactAgain = { readonly fact: TrailFact; readonly later: readonly ExactDecimal[] };

export type RecordedFigure = {
  readonly verdict: RecordVerdict;
  readonly compared: number;
  readonly changed: number;
  readonly absent: number;
  /** What was found, with the numbers. */
  readonly finding: string;
};

/**
 * Holds a published figure against the same date in a later filing of its issuer (M12.18): restated where a fact behind
 * it or, beside another amount, total assets were restated; contradicted where the filer changed nothing and the
 * comparatives prove another amount.
 */
export function recordedFigure({
  published,
  later,
  facts,
  tolerance,
}: {
  readonly published: FigureReading & {
    /** Coins valued at units × close (M2.6b). */
    readonly isEstimate: boolean;
  };
  readonly later: LaterReading;
  readonly facts: readonly FactAgain[];
  /** Share by which a value that is filed later may differ from units × close (M2.9). */
  readonly tolerance: number;
}): RecordedFigure {
  const changed = facts.filter(
    ({ fact, later: values }) => values.length > 0 && !isAmong(fact.value, values),
  );
  const absent = facts.filter(({ later: values }) => values.length === 0);
  const counts = { compared: facts.length, changed: changed.length, absent: absent.length };
  const found = (verdict: RecordVerdict, finding: string) => ({ verdict, ...counts, finding });
  const [first] = changed;
  if (first !== undefined) return found('restated', restatement(first, changed.length - 1));
  if (later.isProven && isEqual(published, later)) return found('confirmed', confirmation(counts, later));
  if (later.isProven && published.isEstimate && closeTo(published.amount, later.amount, tolerance)) {
    return found(
      'confirmed',
      `units × close, within the price check of the ${grouped(later.amount)} filed later`,
    );
  }
  const { assets } = published;
  if (assets !== null && later.assets !== null && !assets.equals(later.assets)) {
    return found(
      'restated',
      `total assets were ${grouped(assets)}, the later filing has ${grouped(later.assets)}`,
    );
  }
  if (!later.isProven) return found('open', 'the comparatives of the later filing prove no amount');
  if (later.isAtCost && !published.isAtCost)
    return found('open', 'the comparatives state coins at cost only');
  const amounts = `${grouped(published.amount)} was published, the comparatives give ${grouped(later.amount)}`;
  const names = absent.map(({ fact }) => fact.concept).join(', ');
  return found('contradicted', names === '' ? amounts : `${amounts}; not shown again: ${names}`);
}

/** Coins that were published at cost are compared at cost, even where their value has become known. */
function isEqual({ amount, isAtCost }: FigureReading, later: LaterReading): boolean {
  return amount.equals(isAtCost ? later.carried : later.amount);
}

function isAmong(value: ExactDecimal | null, values: readonly ExactDecimal[]): boolean {
  return value !== null && values.some((other) => other.equals(value));
}

function restatement({ fact, later }: FactAgain, more: number): string {
  const values = [...new Set(later.map(grouped))].join(' and ');
  const was = fact.value === null ? 'nil' : grouped(fact.value);
  return `${fact.concept} was ${was}, the later filing has ${values}${more > 0 ? `, and ${more} more` : ''}`;
}

function confirmation(
  { compared, absent }: { compared: number; absent: number },
  later: LaterReading,
): string {
  if (compared === 0)
    return later.amount.sign === 0 ? 'the comparatives prove none either' : 'the comparatives prove the same';
  const again = compared - absent;
  const shown = again === 0 ? 'shown by other facts' : `${again} of ${compared} facts filed again unchanged`;
  return `${shown}, and the comparatives add up to the same`;
}

/** True where a close values a quantity of the total (M2.6b). */
export function isEstimate({ children }: TrailTotal): boolean {
  return children.some((root) => root.children.some(({ kind }) => kind === 'price'));
}

/** The filed facts of a total that are dated on its balance sheet, each once. */
export function factsBehind({ children }: TrailTotal, period: string): TrailFact[] {
  const found = new Map<string, TrailFact>();
  const visit = (source: TrailSource): void => {
    if (source.kind === 'sum') source.children.forEach(visit);
    if (source.kind === 'fact' && source.end === period && source.value !== null)
      found.set(factKey(source), source);
  };
  for (const root of children) root.children.forEach(visit);
  return [...found.values()];
}

/** What one filing states one value for on a date: concept, unit and members. */
export function factKey({
  concept,
  unit,
  dimensions,
}: Pick<TrailFact, 'concept' | 'unit' | 'dimensions'>): string {
  return [concept, unit, ...dimensions.map(({ axis, member }) => `${axis}=${member}`).sort()].join(' ');
}
