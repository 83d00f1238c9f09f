import type { BacktestReport } from './backtestReport.ts';

/** The report for machines, one object with snake-case members. */
export function backtestJson(report: BacktestReport): unknown {
  return {
    schema_id: 'backtest_report.v1',
    parameters: report.parameters,
    protocol: {
      embargo_days: report.limits.embargoDays,
      horizon_months: report.limits.horizonMonths,
      min_events: report.limits.minEvents,
      permutations: report.limits.permutations,
      seed: report.limits.seed,
    },
    events: report.events,
    issuers_followed: report.issuersFollowed,
    observations: report.cases.map((c) => ({
      ticker: c.ticker,
      cik: c.cik,
      origin: c.origin,
      scope: c.scope,
      period: c.period,
      known_on: c.knownOn,
      risk_tier: c.tier,
      stress_50pct: c.stress50,
      breach_probability_1y: c.breachProbability,
      loan_to_value: c.loanToValue,
      debt_to_assets: c.debtToAssets,
      altman_z: c.altmanZ,
      outcome: c.outcome,
      left_out: c.leftOut,
    })),
    assessments: report.assessments.map((a) => ({
      event_types: a.types,
      observations: a.n,
      events: a.events,
      issuers: a.issuers,
      issuers_with_event: a.issuersWithEvent,
      enough_events: a.enoughEvents,
      measures: a.measures.map(({ measure, result }) => ({
        measure,
        result:
          result === null
            ? null
            : {
                observations: result.n,
                events: result.events,
                auc: result.auc,
                somers_d: result.accuracyRatio,
                permutation_p: result.pValue,
              },
      })),
      brier:
        a.brier === null ? null : { n: a.brier.n, score: a.brier.score, of_base_rate: a.brier.ofBaseRate },
      tiers: a.tiers,
    })),
    tier_migration: report.migration,
  };
}
