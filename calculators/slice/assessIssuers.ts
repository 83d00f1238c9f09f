import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { IssuerSubmissions } from '../age/currentReports.ts';
import type { BusinessCalendar, DeltaDates } from '../changes/businessCalendar.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { GradedPosition } from '../position/gradePosition.ts';
import type { PriceBook } from '../prices/priceBook.ts';
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

/** One issuer on one basis: coins as filed, or at the slice's closes. */
export type Assessment = {
  readonly crypto: ExactDecimal;
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
  readonly live: (Assessment & { readonly repriced: RepricedHoldings }) | null;
  readonly motion: StressMotion;
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
        crypto: position.holdings.amount,
        zReturn: market.zReturn(position.mix, position.filing.period),
      }),
    ),
    parameters,
  );
  const live = standingsOf(
    positions.map((position, i) => {
      const overlay = overlays[i]?.repriced;
      if (overlay === undefined) return null;
      const zReturn = market.zReturn(position.mix, sourceDate);
      return subjectOf(position, { crypto: overlay.crypto, zReturn });
    }),
    parameters,
  );
  return {
    issuers: positions.map((position, i) => {
      const overlay = overlays[i] ?? null;
      const assess = (crypto: ExactDecimal, standing: Standing | null) =>
        assessmentOf(position, { crypto, standing, context });
      return {
        position,
        base: assess(position.holdings.amount, base.standings[i] ?? null),
        live: overlay && {
          ...assess(overlay.repriced.crypto, live.standings[i] ?? null),
          repriced: overlay.repriced,
        },
        motion: overlay?.motion ?? unknownMotion,
      };
    }),
    statistics: { base: base.statistics, live: live.statistics },
  };

  function subjectOf(
    position: GradedPosition,
    { crypto, zReturn }: { crypto: ExactDecimal; zReturn: number | null },
  ): StandingSubject | null {
    if (!position.isStressPresent || crypto.sign <= 0) return null;
    const { balance, debt, issuer } = position;
    return {
      raw: rawIndicators(
        { ...balance, ...movedWith(position, crypto), debt: debt.total, crypto },
        parameters,
      ),
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
  const repriced = repriceHoldings(holdings);
  if (repriced === null) return null;
  return { repriced, motion: stressMotion(position.debt.total, { holdings, live: repriced }) };
}

/** Assets and equity move with the coins, pre-tax (M3.12). */
function movedWith({ balance, holdings }: GradedPosition, crypto: ExactDecimal) {
  const change = crypto.minus(holdings.carried);
  return { assets: balance.assets?.plus(change) ?? null, equity: balance.equity?.plus(change) ?? null };
}

function assessmentOf(
  position: GradedPosition,
  { crypto, standing, context }: { crypto: ExactDecimal; standing: Standing | null; context: SliceContext },
): Assessment {
  const { assets, equity } = movedWith(position, crypto);
  const figures = assessStress(
    { debt: position.debt.total, crypto, equity, mix: position.mix },
    {
      proof: proofOf(position),
      unclassified: position.isUnclassified,
      standing,
      parameters: context.parameters,
    },
  );
  return { crypto, assets, figures, standing };
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
  readonly parameters: Parameters;
  /** True when a past date is built later (`selection_strategy` as_of_source_date). */
  readonly backfilled: boolean;
  /** Notes of an issuer's rows on inputs that are retained from an earlier night. */
  readonly inputNotes?: (cik: string) => readonly string[];
  /** Days on which no report is due; without it weekends alone (M1.60). */
  readonly calendar?: BusinessCalendar;
  /** What the list of submissions holds of an issuer, null for one it does not have; absent where there is no list. */
  readonly submissions?: (cik: string) => IssuerSubmissions | null;
  /** Deltas that passed the daily-change gate up to the date (I3.27); absent where no archive was scanned. */
  readonly deltaDates?: DeltaDates;
};
