import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { IssuerSubmissions } from '../age/currentReports.ts';
import type { BusinessCalendar, DeltaDates } from '../changes/businessCalendar.ts';
import { priceCheck } from '../crypto/priceCheck.ts';
import {
  currentUnits,
  type MovedUnits,
  movesUnits,
  type StatedUnits,
} from '../currentReports/currentUnits.ts';
import { debtSince } from '../currentReports/debtSince.ts';
import type { Statement } from '../currentReports/statement.ts';
import { exactly, type Fraction, multiply, published, quotient, rounded } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { GradedPosition } from '../position/gradePosition.ts';
import { weightsOf } from '../prices/coinMix.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { StockBook } from '../prices/stockBook.ts';
import { marketReturns } from '../standing/marketReturns.ts';
import { rawIndicators } from '../standing/rawIndicators.ts';
import {
  type Standing,
  type StandingStatistics,
  type StandingSubject,
  standingsOf,
} from '../standing/standings.ts';
import { assessStress, type Proof, type StressFigures } from '../stress/assessStress.ts';
import { type RepricedHoldings, repriceHoldings } from '../stress/repriceHoldings.ts';
import { type StressMotion, stressMotion, unknownMotion } from '../stress/stressMotion.ts';
import { stressBand, stressRatio } from '../stress/stressRatio.ts';

/** One issuer on one basis: coins as filed, or at the slice's closes. */
export type Assessment = {
  readonly crypto: ExactDecimal;
  /** As filed, or with what was closed and repaid since beside stated units (M17.26). */
  readonly debt: ExactDecimal;
  /** A\*, moved with the coins, pre-tax (M3.12); null when assets are not filed. */
  readonly assets: ExactDecimal | null;
  readonly figures: StressFigures;
  /** null where stress is not present: nothing is compared that was not measured (M3.3). */
  readonly standing: Standing | null;
};

/** One issuer of a slice: its position, and what the closes and the other issuers make of it. */
export type AssessedIssuer = {
  readonly position: GradedPosition;
  readonly base: Assessment;
  /** null without a close of every coin (M3.18). */
  readonly live: LiveAssessment | null;
  /** What statements say of units and debt (M17.25, M17.30). */
  readonly unitNotes: readonly string[];
  readonly motion: StressMotion;
};

export type LiveAssessment = Assessment & {
  readonly repriced: RepricedHoldings;
  readonly units: LiveUnits | null;
};

/** Units the live figures rest on where the issuer stated them, and the figures on filed units beside them (M17.30). */
export type LiveUnits = StatedUnits & {
  readonly filedUnitsCrypto: ExactDecimal;
  readonly filedUnitsStress50: number;
};

/** The cross-sections of a slice, filing and live (M3.15). */
export type SliceStatistics = { readonly base: StandingStatistics; readonly live: StandingStatistics };

/**
 * Assesses every issuer on both bases: live overlay, z-scores over the universe, resonance, notch (M3.9–M3.19). The
 * order of issuers is preserved and changes nothing.
 */
export function assessIssuers(
  positions: readonly GradedPosition[],
  context: SliceContext,
): { readonly issuers: readonly AssessedIssuer[]; readonly statistics: SliceStatistics } {
  const { parameters, prices, sourceDate } = context;
  const market = marketReturns(prices, parameters);
  const overlays = positions.map((position) => overlayOf(position, context));
  const base = standingsOf(
    positions.map((position) =>
      subjectOf(position, {
        ...{ crypto: position.holdings.amount, debt: position.debt.total },
        zReturn: market.zReturn(position.mix, position.filing.period),
      }),
    ),
    parameters,
  );
  const live = standingsOf(
    positions.map((position, i) => {
      const overlay = overlays[i] ?? null;
      if (overlay === null || overlay.repriced === null) return null;
      const { repriced, units, debt } = overlay;
      const zReturn = market.zReturn(position.mix, sourceDate);
      return subjectOf(position, {
        ...{ crypto: repriced.crypto, filedUnitsCrypto: units?.filedUnitsCrypto, debt, zReturn },
      });
    }),
    parameters,
  );
  return {
    issuers: positions.map((position, i) => {
      const overlay = overlays[i] ?? null;
      const { amount } = position.holdings;
      return {
        position,
        base: assessmentOf(position, {
          ...{ crypto: amount, debt: position.debt.total, standing: base.standings[i] ?? null, context },
        }),
        ...liveOf(position, { overlay, standing: live.standings[i] ?? null, context }),
        motion: overlay?.motion ?? unknownMotion,
      };
    }),
    statistics: { base: base.statistics, live: live.statistics },
  };

  function subjectOf(
    position: GradedPosition,
    {
      crypto,
      filedUnitsCrypto = crypto,
      debt,
      zReturn,
    }: {
      crypto: ExactDecimal;
      filedUnitsCrypto?: ExactDecimal | undefined;
      debt: ExactDecimal;
      zReturn: number | null;
    },
  ): StandingSubject | null {
    if (!position.isStressPresent || crypto.sign <= 0) return null;
    const { balance, issuer } = position;
    const indicators = (coins: ExactDecimal) =>
      rawIndicators({ ...balance, ...movedWith(position, coins), debt, crypto: coins }, parameters);
    return {
      // equity, assets and cash are those of the balance sheet, and so are the coins they are set against
      raw: { ...indicators(filedUnitsCrypto), ap: indicators(crypto).ap },
      zReturn,
      isInUniverse: position.isJudged && issuer.issuerType === 'operating_company',
    };
  }
}

function overlayOf(position: GradedPosition, context: SliceContext) {
  const { prices, parameters, sourceDate } = context;
  // a price ratio times an impaired cost is not a value (M3.18b)
  if (position.figuresBasis !== 'resolved' || position.holdings.measurement === 'carrying_lower_bound') {
    return null;
  }
  const holdings = {
    crypto: position.holdings.amount,
    mix: position.mix,
    period: position.filing.period,
    date: sourceDate,
    prices,
    parameters,
  };
  const asFiled = repriceHoldings(holdings);
  if (asFiled === null) return null;
  const { stated, notes } = statedUnits(position, context);
  const filedDebt = position.debt.total;
  const counted = stated === null ? holdings : { ...holdings, unitFactors: stated.factors };
  const repriced = stated === null ? asFiled : repriceHoldings(counted);
  // an issuer that states it holds none any more has nothing to reprice, and no reading
  if (stated !== null && (repriced === null || repriced.crypto.sign <= 0)) {
    const none = notes.filter((note) => !note.startsWith('units_'));
    return { repriced: null, notes: [...none, `units_none:${stated.current.asOf}`] };
  }
  if (repriced === null) return null;
  const debt = stated?.debt.debt ?? filedDebt;
  const units: LiveUnits | null = stated && {
    ...stated,
    filedUnitsCrypto: asFiled.crypto,
    filedUnitsStress50: published(
      stressRatio({ debt: filedDebt, crypto: asFiled.crypto }, 0.5, parameters),
      6,
    ),
  };
  const motion = stressMotion(debt, { holdings: counted, live: repriced });
  return { repriced, units, debt, motion, notes };
}

/** The live figures; where the bounds of the debt since lie in different bands, with the worse tier (M17.26). */
function liveOf(
  position: GradedPosition,
  {
    overlay,
    standing,
    context,
  }: {
    overlay: ReturnType<typeof overlayOf>;
    standing: Standing | null;
    context: SliceContext;
  },
): Pick<AssessedIssuer, 'live' | 'unitNotes'> {
  if (overlay === null || overlay.repriced === null) return { live: null, unitNotes: overlay?.notes ?? [] };
  const { repriced, units, debt, notes } = overlay;
  const { crypto } = repriced;
  const equityCoins = units?.filedUnitsCrypto;
  const at = (owed: ExactDecimal) =>
    assessmentOf(position, { crypto, equityCoins, debt: owed, standing, context });
  const live = { ...at(debt), repriced, units };
  if (units === null) return { live, unitNotes: notes };
  const bandAt = (owed: ExactDecimal) => stressBand(at(owed).figures.stress50, context.parameters);
  const { low, high } = units.debt;
  if (bandAt(low) === bandAt(high)) return { live, unitNotes: notes };
  const { riskTier, tierReasons } = at(high).figures;
  return {
    live: { ...live, figures: { ...live.figures, riskTier, tierReasons } },
    unitNotes: [...notes, 'debt_since_period'],
  };
}

/** Assets and equity move with the coins, pre-tax (M3.12). */
function movedWith({ balance, holdings }: GradedPosition, crypto: ExactDecimal) {
  const change = crypto.minus(holdings.carried);
  return { assets: balance.assets?.plus(change) ?? null, equity: balance.equity?.plus(change) ?? null };
}

function assessmentOf(
  position: GradedPosition,
  {
    crypto,
    equityCoins = crypto,
    debt,
    standing,
    context,
  }: {
    crypto: ExactDecimal;
    equityCoins?: ExactDecimal | undefined;
    debt: ExactDecimal;
    standing: Standing | null;
    context: SliceContext;
  },
): Assessment {
  const { assets } = movedWith(position, crypto);
  const { equity } = movedWith(position, equityCoins);
  const figures = assessStress(
    { debt, crypto, equity, equityCoins, mix: position.mix },
    {
      proof: proofOf(position),
      unclassified: position.isUnclassified,
      standing,
      parameters: context.parameters,
    },
  );
  return { crypto, debt, assets, figures, standing };
}

function proofOf({ figuresBasis, holdings, isMeasured }: GradedPosition): Proof {
  if (figuresBasis !== 'resolved') return 'unproven';
  if (!isMeasured) return 'immaterial';
  return holdings.measurement === 'carrying_lower_bound' ? 'lower_bound' : 'proven';
}

/** What every row of a slice shares: its date, the plan's instant, closes and thresholds (M0.13). */
export type SliceContext = {
  readonly sourceDate: string;
  /** The plan's `as_of`, published as `computed_at_utc`. */
  readonly asOf: string;
  readonly prices: PriceBook;
  /** Closes of the issuers' own stocks, known of their filing's period end and the source date; absent in a backfill. */
  readonly stocks?: StockBook;
  readonly parameters: Parameters;
  /** True when a past date is built later (`selection_strategy` as_of_source_date). */
  readonly backfilled: boolean;
  /** Notes of an issuer's rows on inputs that are retained from an earlier night. */
  readonly inputNotes?: (cik: string) => readonly string[];
  /** Days on which no report is due; without it weekends alone (M1.60). */
  readonly calendar?: BusinessCalendar;
  /** What the list of submissions holds of an issuer, null for one it does not have; absent where there is no list. */
  readonly submissions?: (cik: string) => IssuerSubmissions | null;
  /** By ten-digit CIK, statements of current reports accepted by the source date; absent where none were read (17). */
  readonly statements?: ReadonlyMap<string, readonly Statement[]>;
  /** Deltas that passed the daily-change gate up to the date (I3.27); absent where no archive was scanned. */
  readonly deltaDates?: DeltaDates;
};

type StatementContext = Pick<SliceContext, 'sourceDate' | 'prices' | 'parameters' | 'statements'>;

/** Units that live figures rest on, null where they stay on filed units; and what a row says of it. */
type UnitsOfSlice = { readonly stated: StatedUnits | null; readonly notes: readonly string[] };

/**
 * What the statements of an issuer do to its live figures (M17.30). Filed values are scaled only from units that
 * explain them at the close of the period end, and never where a closing or repayment of the time has no amount.
 */
function statedUnits(position: GradedPosition, context: StatementContext): UnitsOfSlice {
  const { issuer, filing, debt: filedDebt, mix } = position;
  const statements = context.statements?.get(issuer.cik) ?? [];
  if (statements.length === 0 || mix.length === 0) return { stated: null, notes: [] };
  const coins = weightsOf(mix).map(({ asset, weight }) => {
    const value = rounded(multiply(exactly(position.holdings.amount), weight), 0);
    return { asset, value, ...movedCoin({ asset, value, position, context }) };
  });
  const isMismatched = statements.some(
    ({ asOf, notes }) => (asOf ?? '') > filing.period && notes.includes('price_mismatch'),
  );
  const notes = [
    ...new Set(coins.flatMap((coin) => coin.notes)),
    ...(isMismatched ? ['price_mismatch'] : []),
  ];
  const moved = coins.flatMap((coin) => (coin.moved === null ? [] : [{ ...coin, moved: coin.moved }]));
  const first = moved.toSorted((a, b) => b.value.compare(a.value))[0];
  if (first === undefined) return { stated: null, notes };
  const debt = debtSince({
    statements,
    filedDebt: filedDebt.total,
    periodEnd: filing.period,
    day: context.sourceDate,
  });
  // new coins are never set against old debt
  if (debt.isUnread) {
    const kept = notes.filter(
      (note) => !note.startsWith('units_stated:') && !note.startsWith('units_stale:'),
    );
    return { stated: null, notes: [...kept, 'debt_since_period'] };
  }
  const factors = new Map(moved.map(({ asset, moved: { factor } }) => [asset, factor]));
  return { stated: { asset: first.asset, current: first.moved.current, factors, debt }, notes };
}

type Moved = { readonly current: MovedUnits; readonly factor: Fraction };

function movedCoin({
  asset,
  value,
  position: { issuer, filing, units },
  context,
}: {
  asset: string;
  value: ExactDecimal;
  position: GradedPosition;
  context: StatementContext;
}): { readonly moved: Moved | null; readonly notes: readonly string[] } {
  const reported = units.reported[asset];
  const current = currentUnits({
    statements: context.statements?.get(issuer.cik) ?? [],
    asset,
    day: context.sourceDate,
    filed: {
      periodEnd: filing.period,
      units: reported === undefined ? null : ExactDecimal.fromNumber(reported),
    },
    least: context.parameters.statedUnitsConfidence,
  });
  const { basis, confidence, units: now, stock, scopeUnits, notes } = current;
  if (basis === 'periodic' || now === null || stock === null || scopeUnits === null)
    return { moved: null, notes };
  const unmoved = notes.filter((note) => note.startsWith('coins_gap:'));
  if (confidence !== 'High' && confidence !== 'Medium') return { moved: null, notes: unmoved };
  // a gap takes a step of confidence away
  const least = context.parameters.statedUnitsConfidence;
  if (!movesUnits({ confidence, source: stock.source }, least)) return { moved: null, notes: unmoved };
  const close = context.prices.close(asset, filing.period);
  const { parameters } = context;
  const explains =
    close !== null &&
    priceCheck({ fairValue: value, quantity: scopeUnits, close: close.close, parameters }).verdict ===
      'accept';
  if (!explains) return { moved: null, notes: [...unmoved, 'units_scope_unknown'] };
  return {
    moved: {
      current: { ...current, units: now, basis, stock, confidence },
      factor: quotient(now, scopeUnits),
    },
    notes,
  };
}
