import { tierMeaning } from '../../data/contract/values/disclaimer.ts';

// What the model is for, where it ends and what was measured: the sentences of the model card.

/** M0.1, M0.2, M3.1, M3.2. */
export const purpose: readonly string[] = [
  'The model measures the solvency of public companies that hold crypto: debt over coins after a 30, 50 or 70 % fall of their price, from filed facts, one persisted daily close per asset and the parameters below, and nothing else (M0.1, M3.1). No field is a trading recommendation; `alpha_score` is a quality-and-resilience score (M0.2).',
  'CRITICAL means that debt exceeds the shocked coins, not that a liquidation will follow: unsecured long-dated converts have no margin call (M3.2).',
  `${tierMeaning} (M3.28). A row whose debt or coins are not proven carries its proven part as a lower bound, says so in \`figures_basis\`, and has no tier; nor has one whose coins are below a tenth of assets. Neither is ranked or averaged (M3.3c, M3.25, M3.27).`,
];

/** M13.4–M13.6. */
export const knownLimits: readonly string[] = [
  'Loan-to-value is taken at enterprise level, on carrying amounts, not principal (M13.4).',
  'Debt is as of the last filing: a loan announced by an 8-K between two filings is not in it. NAKA refinanced three times between two filings (M13.4).',
  'One price source per asset and day; lock-up discounts act only through the filed fair value (M13.4).',
  'Preferred stock is outside debt, customers’ coins are outside holdings, derivative hedges are ignored; IFRS filers depend on their ifrs-full tags; the basis shift to fair value is before tax (M13.4).',
  'Small cross-sections: with twelve issuers one of them can move another’s z across a threshold. A zero-debt issuer with negative equity becomes eligible for the notch with its first dollar of debt (M13.5).',
  'The calculation linkbases of the golden filings were not at hand when the golden cases were built; the fixture filings carry arcs written from the face statement. Their rows say `arcs_authored`: they test the walk and are no evidence that a filer’s linkbase resolves (M1.46). NAKA, UPXI, HSDT and FGNX are calculator cases only (M13.6).',
];

/** M12.13, M12.14. */
export const validation: readonly string[] = [
  'stress_30, stress_50, stress_70 and unshocked loan-to-value are monotone in each other, so their AUC is identical: the shocks add calibration and communication, not discrimination (M12.13).',
  'Among issuers with material coins no CRITICAL treasury or miner with unsecured converts defaulted: MSTR 2022, MARA and CLSK are false positives. The real defaults were miners with few coins and equipment debt, where liquidity and other collateral carry the signal (M12.13).',
  'stress_50 at 2025-09-30 did not predict stock returns from 2025-11-17 to February 2026: Spearman −0.011 over 13 issuers, −0.006 against maximum drawdown (M12.14).',
  'Regime, overlapping 30-day windows, thresholds fitted in the same sample: high_synchronization_risk was followed by a mean bitcoin return of −6.7 % and a drawdown above 15 % on 43 % of days, neutral by +2.4 % and 14 %. The effective sample is 7 episodes: suggestive only (M12.14).',
  '`issuer backtest` repeats the comparison of tiers with later events point-in-time, with counts and intervals (M12.12).',
];
