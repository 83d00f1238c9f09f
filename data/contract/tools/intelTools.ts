/** A tool that goes on from an answer: each argument is read from the data under its path, or the tool is not named. */
export type FollowUp = { readonly tool: string; readonly args: Readonly<Record<string, string>> };

/** One tool of the intel family: it calls one route and takes its parameters (I4.MCP.13). */
export type IntelTool = {
  readonly name: string;
  readonly title: string;
  /** Id of the route it calls; null for the audit status, which no route shows (I2.34). */
  readonly routeId: string | null;
  /** What it answers and when it is the right one among its neighbours. */
  readonly when: string;
  /** Values of arguments that are not sent, where the tool has others than its route: a whole answer has to fit a result. */
  readonly defaults?: Readonly<Record<string, string>>;
  readonly next: readonly FollowUp[];
};

const ofTicker = (tool: string, ticker = 'ticker'): FollowUp => ({ tool, args: { ticker } });
// a company without coverage has no answer to go on with
const firstCovered = 'companies[coverage_status=covered].ticker';
const bare = (tool: string): FollowUp => ({ tool, args: {} });

/** The intel tools in their order. Which of them are offered follows from the routes that are live. */
export const intelTools: readonly IntelTool[] = [
  {
    name: 'intel_help',
    title: 'What the service offers',
    routeId: 'F06',
    when: 'Routes, tools, prices, how to pay, what every error code and field means. Start here when you do not know the service.',
    next: [bare('intel_company_lookup'), bare('intel_readiness')],
  },
  {
    name: 'intel_company_lookup',
    title: 'Find a company',
    routeId: 'F08',
    when: 'Finds the ticker, CIK and coverage of a company by part of its name, ticker or CIK. Use it before any tool that takes a ticker you are not sure of; only companies with coverage_status covered have answers.',
    defaults: { mode: 'compact' },
    next: [
      ofTicker('intel_covenant_stress', firstCovered),
      ofTicker('intel_company_fundamentals', firstCovered),
    ],
  },
  {
    name: 'intel_readiness',
    title: 'Freshness of the slice',
    routeId: 'R01',
    when: 'Whether the data of today is fresh and complete, how many issuers it holds, and the mean stress of the universe. For whether the figures were re-checked use intel_core_audit_status.',
    next: [bare('intel_daily_changes'), bare('intel_risk_distribution')],
  },
  {
    name: 'intel_core_audit_status',
    title: 'Status of the regression audit',
    routeId: null,
    when: 'How the newest regression audit of a published release ended: age, staleness and counts of checked, failed and skipped operations. For the freshness of the data itself use intel_readiness.',
    next: [bare('intel_readiness')],
  },
  {
    name: 'intel_daily_changes',
    title: 'What changed last night',
    routeId: 'R02',
    when: 'Companies whose SEC filings or figures changed in the newest night, new companies, moves of risk tier and leaders. For the raw lines behind one company use intel_daily_change_evidence.',
    next: [
      ofTicker('intel_daily_change_evidence', 'evidence_refs[0].args.ticker'),
      ofTicker('intel_covenant_stress', 'risk_tier_moves[0].ticker'),
    ],
  },
  {
    name: 'intel_daily_change_evidence',
    title: 'Evidence of one daily change',
    routeId: 'R03',
    when: 'The tagged filing facts behind one company of intel_daily_changes, page by page.',
    next: [ofTicker('intel_covenant_stress'), ofTicker('intel_company_fundamentals')],
  },
  {
    name: 'intel_risk_distribution',
    title: 'Issuers by risk tier',
    routeId: 'R04',
    when: 'How many issuers stand in each risk tier. For their names use intel_top_stressed or intel_covenant_stress_screen.',
    next: [bare('intel_top_stressed'), bare('intel_covenant_stress_screen')],
  },
  {
    name: 'intel_top_stressed',
    title: 'Most stressed issuers',
    routeId: 'R05',
    when: 'Issuers ranked by leverage under a halving of their coins, worst first. For a filtered list use intel_covenant_stress_screen, for one issuer intel_covenant_stress.',
    next: [
      ofTicker('intel_covenant_stress', 'data[0].ticker'),
      ofTicker('intel_peer_ranking', 'data[0].ticker'),
    ],
  },
  {
    name: 'intel_alpha_opportunities',
    title: 'Board of resilient issuers',
    routeId: 'R06',
    when: 'Issuers ranked by the quality-and-resilience score, with filters. For the parts of one score use intel_alpha_signals, for why an issuer is missing intel_alpha_opportunities_audit.',
    next: [
      ofTicker('intel_alpha_signals', 'opportunities[0].ticker'),
      bare('intel_alpha_opportunities_audit'),
    ],
  },
  {
    name: 'intel_alpha_opportunities_audit',
    title: 'Why the board looks as it does',
    routeId: 'R07',
    when: 'Which rows the board of intel_alpha_opportunities leaves out and why, and where its order differs from the raw score.',
    next: [ofTicker('intel_alpha_signals', 'top_board_rank_sample[0].ticker')],
  },
  {
    name: 'intel_company_fundamentals',
    title: 'Filed figures of one issuer',
    routeId: 'R08',
    when: 'Revenue, income, assets, liabilities, equity and cash of one issuer as filed, each with concept, period and accession number. For leverage use intel_covenant_stress.',
    next: [ofTicker('intel_covenant_stress'), ofTicker('intel_core_history')],
  },
  {
    name: 'intel_covenant_stress',
    title: 'Leverage of one issuer under shocks',
    routeId: 'R11',
    when: 'Debt against shocked coins of one issuer, headroom, probability of a breach and risk tier. For its past use intel_core_history, for its place among peers intel_peer_ranking.',
    next: [ofTicker('intel_core_history'), ofTicker('intel_peer_ranking')],
  },
  {
    name: 'intel_covenant_stress_screen',
    title: 'Screen of all issuers',
    routeId: 'R12',
    when: 'Issuers of the slice that pass filters of tier, quality, coverage and stress. For the worst without a filter use intel_top_stressed.',
    next: [
      ofTicker('intel_covenant_stress', 'data[0].ticker'),
      ofTicker('intel_peer_ranking', 'data[0].ticker'),
    ],
  },
  {
    name: 'intel_peer_ranking',
    title: 'Rank of one issuer among peers',
    routeId: 'R10',
    when: 'Rank and percentile of one issuer among the ranked ones. For the figures behind the rank use intel_covenant_stress.',
    next: [ofTicker('intel_covenant_stress'), ofTicker('intel_alpha_signals')],
  },
  {
    name: 'intel_alpha_signals',
    title: 'Score of one issuer',
    routeId: 'R09',
    when: 'The quality-and-resilience score of one issuer with all its parts. For the ranked board use intel_alpha_opportunities.',
    next: [ofTicker('intel_peer_ranking'), ofTicker('intel_covenant_stress')],
  },
  {
    name: 'intel_core_history',
    title: 'History of one issuer',
    routeId: 'R23',
    when: 'Stress and standing of one issuer on each past date as they were known then. For today alone use intel_covenant_stress.',
    next: [ofTicker('intel_covenant_stress')],
  },
  {
    name: 'intel_perp_factors',
    title: 'Factors of one perpetual product',
    routeId: 'R14',
    when: 'Market-factor rows of one perpetual product over dates. For the composite reading use intel_synthetic_etf_pressure_state.',
    next: [{ tool: 'intel_synthetic_etf_pressure_state', args: { product: 'product' } }],
  },
  {
    name: 'intel_synthetic_etf_pressure_state',
    title: 'Pressure of one product',
    routeId: 'R19',
    when: 'The composite pressure reading of one product from its stored constituents and factors. For what the reading rests on use intel_synthetic_etf_audit.',
    next: [{ tool: 'intel_synthetic_etf_audit', args: { product: 'product' } }],
  },
  {
    name: 'intel_synthetic_etf_audit',
    title: 'Audit of the pressure of one product',
    routeId: 'R20',
    when: 'Thresholds, factor history, coverage and attribution behind the reading of intel_synthetic_etf_pressure_state.',
    next: [{ tool: 'intel_perp_factors', args: { product: 'product' } }],
  },
  {
    name: 'intel_morning_brief_natural',
    title: 'Morning brief in prose',
    routeId: 'R25',
    when: 'The night as a brief in sentences, in which every number is evidence. For the figures as data use intel_daily_changes.',
    next: [bare('intel_daily_changes')],
  },
  {
    name: 'intel_top_stressed_natural',
    title: 'Most stressed issuers in prose',
    routeId: 'R26',
    when: 'The most stressed issuers as a brief in sentences. For the ranked rows as data use intel_top_stressed.',
    next: [bare('intel_top_stressed')],
  },
  {
    name: 'intel_covenant_stress_natural',
    title: 'One issuer in prose',
    routeId: 'R27',
    when: 'The stress of one issuer as a brief in sentences. For the figures as data use intel_covenant_stress.',
    next: [ofTicker('intel_covenant_stress', 'summary_data.ticker')],
  },
];
