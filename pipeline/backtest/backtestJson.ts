import type { Assessment } from './assessCases.ts';
import type { BacktestReport } from './backtestReport.ts';

/** The report for machines, one object with snake-case members. */
export function backtestJson(report: BacktestReport): unknown {
  return {
    schema_id: 'backtest_report.v2',
    parameters: report.parameters,
    protocol: {
      embargo_days: report.limits.embargoDays,
      horizon_months: report.limits.horizonMonths,
      min_events: report.limits.minEvents,
      permutations: report.limits.permutations,
      seed: report.limits.seed,
    },
    sources: report.sources,
    issuers_followed: report.issuersFollowed,
    observations: report.cases.map((c) => ({
      ticker: c.ticker,
      cik: c.cik,
      origin: c.origin,
      scope: c.scope,
      period: c.period,
      known_on: c.knownOn,
      figures_basis: c.figuresBasis,
      crypto_units_basis: c.coinsBasis,
      crypto_share_of_assets: c.coinShare,
      selected_on_outcome: c.selectedOnOutcome,
      risk_tier: c.tier,
      stress_50pct: c.stress50,
      breach_probability_1y: c.breachProbability,
      loan_to_value: c.loanToValue,
      debt_to_assets: c.debtToAssets,
      altman_z: c.altmanZ,
      outcome: c.outcome,
      left_out: c.leftOut,
      counted_apart: c.group,
    })),
    assessments: report.assessments.map(assessmentJson),
    counted_apart: report.apart.map(({ group, n, issuers, events, issuersWithEvent }) => ({
      group,
      observations: n,
      issuers,
      events,
      issuers_with_event: issuersWithEvent,
    })),
    breach_probability_on_its_own_event: report.ownEvent.map((s) => ({
      coin: s.coin,
      loan_to_value: s.loanToValue,
      days: s.days,
      independent_years: s.years,
      predicted: s.predicted,
      observed: s.observed,
      brier: s.brier,
    })),
    tier_migration: report.migration,
  };
}

function assessmentJson(a: Assessment): unknown {
  return {
    event_types: a.types,
    observations: a.n,
    events: a.events,
    issuers: a.issuers,
    issuers_with_event: a.issuersWithEvent,
    enough_events: a.enoughEvents,
    measures: a.measures.map(({ measure, result }) => ({
      measure,
      result: result && {
        observations: result.n,
        events: result.events,
        auc: result.auc,
        interval: result.interval,
        somers_d: result.accuracyRatio,
        permutation_p: result.pValue,
      },
    })),
    brier_on_credit_events: a.brier && {
      n: a.brier.n,
      score: a.brier.score,
      of_base_rate: a.brier.ofBaseRate,
    },
    tiers: a.tiers.map(({ tier, n, issuers, events, issuersWithEvent, rate, interval }) => ({
      tier,
      observations: n,
      issuers,
      events,
      issuers_with_event: issuersWithEvent,
      rate,
      interval,
    })),
  };
}
