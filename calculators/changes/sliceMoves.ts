import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type {
  AlphaChangeLeader,
  RiskTierMove,
  StressChangeLeader,
} from '../../data/contract/payloads/universe/dailyChanges.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { RiskTier } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { tierDirection } from '../../data/contract/values/tierMove.ts';
import { type CapitalMove, type CapitalStanding, capitalMoves } from './capitalMoves.ts';
import { type FacilityMove, type FacilityStanding, facilityMoves } from './facilityMoves.ts';

/** What a slice publishes of one issuer, as far as it is compared from slice to slice. */
export type SliceStanding = {
  readonly cik: string;
  readonly ticker: string;
  readonly entityName: string;
  readonly accession: string;
  readonly period: string;
  readonly filingForm: string;
  /** Model and classification version of the row; empty for a row that states none. */
  readonly method: string;
  /** What its debt and coins rest on. */
  readonly evidence: FigureEvidence;
  readonly riskTier: RiskTier;
  /** null where stress is not present (M3.3). */
  readonly stress50: number | null;
  /** null where the slice holds no alpha row. */
  readonly alphaScore: number | null;
  /** Loans that coins secure, as published. */
  readonly facilities: readonly FacilityStanding[];
  /** Its capital structure as published; null where the slice holds none. */
  readonly capital: CapitalStanding | null;
  /** Filed amounts and sums of them, by published name; null where the slice has none. */
  readonly figures: Readonly<Record<TrackedFigure, ExactDecimal | null>>;
};

/** The figures a night's movement is reported in: debt, coins, cash, equity (M6.6). */
export const trackedFigures = [
  'total_long_term_debt',
  'total_crypto_fair_value',
  'cash_and_equivalents',
  'total_equity',
] as const;
export type TrackedFigure = (typeof trackedFigures)[number];

/** A tracked figure that moved because another filing came into force. */
export type MovedFigure = {
  readonly ticker: string;
  readonly cik: string;
  readonly field: TrackedFigure;
  readonly prior_value: ExactDecimal | null;
  readonly new_value: ExactDecimal | null;
  readonly accession_number: string;
  readonly prior_accession_number: string | null;
  /** Sent only as true: the two filings give their figures by different evidence, so that the move may be one of method. */
  readonly method_changed?: true;
};

export type SliceMoves = {
  readonly alphaLeaders: readonly AlphaChangeLeader[];
  readonly stressLeaders: readonly StressChangeLeader[];
  readonly tierMoves: readonly RiskTierMove[];
  readonly movedFigures: readonly MovedFigure[];
  readonly movedFacilities: readonly FacilityMove[];
  /** Lines about capital structures; of a filing that is read by another method none. */
  readonly capitalMoves: readonly CapitalMove[];
  /** Issuers with a row now and none before, and the other way round. */
  readonly entered: readonly SliceStanding[];
  readonly left: readonly SliceStanding[];
  /**
   * Issuers whose reading changed because the method did: on the same filing, and then no move of theirs is among the
   * others; or with a new filing whose debt or coins rest on other evidence than those of the old one.
   */
  readonly methodChanged: readonly { readonly now: SliceStanding; readonly before: SliceStanding }[];
  /** Issuers whose filing in force is another one. */
  readonly refiled: readonly { readonly now: SliceStanding; readonly before: SliceStanding }[];
};

const leaders = 10;

/**
 * What moved between the previous promoted slice and this one (I2.24): at most ten leaders of each field by the size of
 * the move, every tier move, every tracked figure of a new filing. A value a slice does not hold is null.
 */
export function sliceMoves({
  before,
  now,
}: {
  before: readonly SliceStanding[];
  now: readonly SliceStanding[];
}): SliceMoves {
  const prior = new Map(before.map((row) => [row.cik, row]));
  const present = new Set(now.map((row) => row.cik));
  const pairs = now
    .toSorted((a, b) => compareText(a.cik, b.cik))
    .map((now) => ({ now, before: prior.get(now.cik) ?? null }));
  const byIssuer = pairs.filter((pair) => !isByMethod(pair));
  return {
    alphaLeaders: leadersOf('alpha_score', byIssuer, (row) => row.alphaScore, 0),
    stressLeaders: leadersOf('stress_50pct', byIssuer, (row) => row.stress50, 6),
    tierMoves: byIssuer.flatMap(({ now, before }) => tierMove(now, before)),
    methodChanged: pairs.flatMap(({ now, before }) =>
      before !== null && isMethodChange(now, before) ? [{ now, before }] : [],
    ),
    movedFigures: pairs.flatMap(({ now, before }) => movedFigures(now, before)),
    movedFacilities: pairs.flatMap(({ now, before }) => facilityMoves(now, before)),
    capitalMoves: byIssuer.flatMap(({ now, before }) => capitalMoves(now, before)),
    entered: pairs.filter(({ before }) => before === null).map(({ now }) => now),
    left: before.filter((row) => !present.has(row.cik)).toSorted((a, b) => compareText(a.cik, b.cik)),
    refiled: pairs.flatMap(({ now, before }) =>
      before !== null && before.accession !== now.accession ? [{ now, before }] : [],
    ),
  };
}

type Pair = { readonly now: SliceStanding; readonly before: SliceStanding | null };
/** The same filing read by another method: what differs is no act of the issuer. */
function isByMethod({ now, before }: Pair): boolean {
  if (before === null || before.accession !== now.accession) return false;
  return before.method !== now.method || isReadDifferently(now.evidence, before.evidence);
}

function isMethodChange(now: SliceStanding, before: SliceStanding): boolean {
  if (isByMethod({ now, before })) return isReadOtherwise(now, before);
  return before.accession !== now.accession && isReadDifferently(now.evidence, before.evidence);
}

function isReadOtherwise(now: SliceStanding, before: SliceStanding): boolean {
  const figures = trackedFigures.some((name) => String(now.figures[name]) !== String(before.figures[name]));
  return figures || now.riskTier !== before.riskTier || now.stress50 !== before.stress50;
}

type Leader<F> = Omit<AlphaChangeLeader, 'field'> & { readonly field: F };

function leadersOf<F extends 'alpha_score' | 'stress_50pct'>(
  field: F,
  pairs: readonly Pair[],
  readingOf: (row: SliceStanding) => number | null,
  digits: number,
): Leader<F>[] {
  const rows = pairs.flatMap(({ now, before }): Leader<F>[] => {
    const newValue = readingOf(now);
    const priorValue = before === null ? null : readingOf(before);
    if (newValue === priorValue) return [];
    const delta = newValue === null || priorValue === null ? null : difference(newValue, priorValue, digits);
    return [
      {
        ticker: now.ticker,
        cik: now.cik,
        entity_name: now.entityName,
        prior_value: priorValue,
        new_value: newValue,
        delta,
        field,
      },
    ];
  });
  return rows
    .sort((a, b) => Math.abs(b.delta ?? 0) - Math.abs(a.delta ?? 0) || compareText(a.ticker, b.ticker))
    .slice(0, leaders);
}

function difference(a: number, b: number, digits: number): number {
  return ExactDecimal.fromNumber(a).minus(ExactDecimal.fromNumber(b)).rounded(digits).toNumber();
}

function tierMove(now: SliceStanding, before: SliceStanding | null): RiskTierMove[] {
  if (before === null || before.riskTier === now.riskTier) return [];
  return [
    {
      ticker: now.ticker,
      cik: now.cik,
      entity_name: now.entityName,
      prior_tier: before.riskTier,
      new_tier: now.riskTier,
      direction: tierDirection(before.riskTier, now.riskTier),
    },
  ];
}

function movedFigures(now: SliceStanding, before: SliceStanding | null): MovedFigure[] {
  if (before === null || before.accession === now.accession) return [];
  return trackedFigures.flatMap((field) => {
    const value = now.figures[field];
    const prior = before.figures[field];
    const same = value === null || prior === null ? value === prior : value.equals(prior);
    if (same) return [];
    return [
      {
        ticker: now.ticker,
        cik: now.cik,
        field,
        prior_value: prior,
        new_value: value,
        accession_number: now.accession,
        prior_accession_number: before.accession,
        ...(isSideChanged(field, now, before) ? { method_changed: true as const } : {}),
      },
    ];
  });
}

function isSideChanged(field: TrackedFigure, now: SliceStanding, before: SliceStanding): boolean {
  const side = { total_long_term_debt: 'debt', total_crypto_fair_value: 'coins' } as const;
  if (field !== 'total_long_term_debt' && field !== 'total_crypto_fair_value') return false;
  const [is, was] = [now.evidence[side[field]], before.evidence[side[field]]];
  return is !== null && was !== null && is !== was;
}

/** What debt and coins of a row rest on; null where the side has no amount, or the row does not say. */
type FigureEvidence = {
  readonly debt: 'linkbase' | 'document_order' | 'single_facts' | null;
  readonly coins: 'fair_value' | 'cost' | null;
};

type Read = Partial<Pick<CovenantStress, 'data_source' | 'root_resolution_method' | 'crypto_units_basis'>>;

/** The kind of evidence of a published row (M1.24, M2.12); view `stress` says the same in SQL. */
export function figureEvidence({
  data_source: source,
  root_resolution_method: method,
  crypto_units_basis: basis,
}: Read): FigureEvidence {
  const fallback =
    method === 'face_order' ? 'document_order' : method === 'direct_precedence' ? 'single_facts' : null;
  const isLinkbase = source !== undefined && source !== 'direct_facts_fallback';
  const isStated = basis !== undefined && basis !== 'unavailable';
  return {
    debt: isLinkbase ? 'linkbase' : fallback,
    coins: basis === 'carrying_value_lower_bound' ? 'cost' : isStated ? 'fair_value' : null,
  };
}

/** True where two rows of an issuer read debt or coins from different kinds of evidence. */
function isReadDifferently(a: FigureEvidence, b: FigureEvidence): boolean {
  const differ = (side: keyof FigureEvidence) => a[side] !== null && b[side] !== null && a[side] !== b[side];
  return differ('debt') || differ('coins');
}
