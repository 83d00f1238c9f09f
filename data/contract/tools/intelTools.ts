import type { ShortRows } from './withoutMembers.ts';

/** A tool that goes on from an answer: each argument is read from the data under its path, or the tool is not named. */
export type FollowUp = { readonly tool: string; readonly args: Readonly<Record<string, string>> };

/** What chooses among the routes of a tool that serves several: the first is the one without it (I4.MCP.13). */
export type RouteChoice =
  /** The value of an argument of the tool's own. */
  | { readonly by: 'value'; readonly argument: string; readonly routes: Readonly<Record<string, string>> }
  /** Which of these arguments is sent. */
  | { readonly by: 'presence'; readonly routes: Readonly<Record<string, string>> };

/** One tool of the intel family: it calls a route and takes its parameters (I4.MCP.13). */
export type IntelTool = {
  readonly name: string;
  readonly title: string;
  /** Id of the route it calls; null where no route shows its answer: the audit status (I2.34), the help of the tools. */
  readonly routeId: string | null;
  /** Further routes it calls. */
  readonly choice?: RouteChoice;
  /** Routes with the same answer in another form of call. */
  readonly twins?: readonly string[];
  /** When it is the right one among its neighbours. */
  readonly when: string;
  /** Values of arguments that are not sent, where the tool has others than its route: an answer has to fit a context. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>;
  /** Members of the data that are sent with `detail: "full"` alone, since they do not fit beside everything else. */
  readonly leftOut?: readonly string[];
  /** Members of the rows of its list that are sent without `detail: "full"`: of an issuer there is a tool with all of it. */
  readonly shortRows?: ShortRows;
  /** Parameters of the route that no tool needs. */
  readonly without?: readonly string[];
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
    routeId: null,
    when: 'How the tools work and are paid. With the name of a tool: its arguments, the form of its answer, its price.',
    next: [bare('intel_company_lookup'), bare('intel_readiness')],
  },
  {
    name: 'intel_company_lookup',
    title: 'Find a company',
    routeId: 'F08',
    when: 'Find ticker, CIK and coverage of a company by part of its name. Use it before a tool whose ticker you are not sure of.',
    defaults: { mode: 'compact', limit: 20 },
    next: [
      ofTicker('intel_covenant_stress', firstCovered),
      ofTicker('intel_company_fundamentals', firstCovered),
    ],
  },
  {
    name: 'intel_readiness',
    title: 'Freshness of the slice',
    routeId: 'R01',
    when: 'Is the data of today fresh and complete? For whether figures were re-checked use intel_core_audit_status.',
    next: [bare('intel_daily_changes'), bare('intel_risk_distribution')],
  },
  {
    name: 'intel_core_audit_status',
    title: 'Status of the regression audit',
    routeId: null,
    when: 'Did the newest regression audit find faults? For freshness of the data use intel_readiness.',
    next: [bare('intel_readiness')],
  },
  {
    name: 'intel_daily_changes',
    title: 'What changed last night',
    routeId: 'R02',
    when: 'What changed last night: filings, figures, new companies, moves of tier. For the facts behind one company use intel_daily_change_evidence.',
    defaults: { limit: 2 },
    leftOut: ['movement_summary'],
    next: [
      ofTicker('intel_daily_change_evidence', 'evidence_refs[0].args.ticker'),
      ofTicker('intel_covenant_stress', 'risk_tier_moves[0].ticker'),
    ],
  },
  {
    name: 'intel_daily_change_evidence',
    title: 'Evidence of one daily change',
    routeId: 'R03',
    when: 'The filed facts behind one company of intel_daily_changes, page by page.',
    defaults: { limit: 20 },
    next: [ofTicker('intel_covenant_stress'), ofTicker('intel_company_fundamentals')],
  },
  {
    name: 'intel_risk_distribution',
    title: 'Issuers by risk tier',
    routeId: 'R04',
    when: 'How many issuers stand in each risk tier. For their names use intel_covenant_stress_screen.',
    next: [bare('intel_top_stressed'), bare('intel_covenant_stress_screen')],
  },
  {
    name: 'intel_top_stressed',
    title: 'Most stressed issuers',
    routeId: 'R05',
    when: 'Who is most stressed: issuers by leverage under a halving of their coins. With filters use intel_covenant_stress_screen.',
    defaults: { limit: 5 },
    next: [
      ofTicker('intel_covenant_stress', 'data[0].ticker'),
      ofTicker('intel_peer_ranking', 'data[0].ticker'),
    ],
  },
  {
    name: 'intel_alpha_opportunities',
    title: 'Board of resilient issuers',
    routeId: 'R06',
    when: 'Who is most resilient: the board by quality-and-resilience score, with filters. One score: intel_alpha_signals.',
    next: [
      ofTicker('intel_alpha_signals', 'opportunities[0].ticker'),
      bare('intel_alpha_opportunities_audit'),
    ],
  },
  {
    name: 'intel_alpha_opportunities_audit',
    title: 'Why the board looks as it does',
    routeId: 'R07',
    when: 'Why an issuer is missing from the board, and why the order of the board differs from the raw score. For the board use intel_alpha_opportunities.',
    next: [ofTicker('intel_alpha_signals', 'top_board_rank_sample[0].ticker')],
  },
  {
    name: 'intel_company_fundamentals',
    title: 'Filed figures of one issuer',
    routeId: 'R08',
    when: 'Revenue, income, assets, liabilities, equity and cash of one issuer as filed, with accession numbers. For debt and leverage use intel_covenant_stress.',
    next: [ofTicker('intel_covenant_stress'), ofTicker('intel_core_history')],
  },
  {
    name: 'intel_covenant_stress',
    title: 'Leverage of one issuer under shocks',
    routeId: 'R11',
    when: 'How close one issuer is to a breach: debt against shocked coins, tier, collateral and margin call price of its loans, when its next report is due. Past: intel_core_history.',
    next: [ofTicker('intel_core_history'), ofTicker('intel_peer_ranking')],
  },
  {
    name: 'intel_covenant_stress_screen',
    title: 'Screen of all issuers',
    routeId: 'R12',
    when: 'Which issuers pass filters of tier, quality, coverage and stress. Without a filter use intel_top_stressed.',
    defaults: { limit: 5 },
    shortRows: {
      list: 'data',
      keep: [
        ...['ticker', 'cik', 'entity_name', 'source_date', 'period', 'filed', 'next_report_due'],
        ...['risk_tier', 'risk_tier_reasons', 'live_risk_tier', 'stress_50pct', 'live_stress_50pct'],
        ...['covenant_headroom_50pct', 'total_long_term_debt', 'total_crypto_fair_value', 'figures_basis'],
        ...['quality_flag', 'debt_coverage_status', 'treasury_relevance', 'resolution_status'],
      ],
    },
    next: [
      ofTicker('intel_covenant_stress', 'data[0].ticker'),
      ofTicker('intel_peer_ranking', 'data[0].ticker'),
    ],
  },
  {
    name: 'intel_peer_ranking',
    title: 'Rank of one issuer among peers',
    routeId: 'R10',
    when: 'Where one issuer stands among the ranked ones. For the figures behind the rank use intel_covenant_stress.',
    next: [ofTicker('intel_covenant_stress'), ofTicker('intel_alpha_signals')],
  },
  {
    name: 'intel_alpha_signals',
    title: 'Score of one issuer',
    routeId: 'R09',
    when: 'Why one issuer has its quality-and-resilience score, part by part. For the board use intel_alpha_opportunities.',
    next: [ofTicker('intel_peer_ranking'), ofTicker('intel_covenant_stress')],
  },
  {
    name: 'intel_core_history',
    title: 'History of one issuer',
    routeId: 'R23',
    when: 'How stress and standing of one issuer went over past dates, as known then. For today use intel_covenant_stress.',
    defaults: { limit: 5 },
    next: [ofTicker('intel_covenant_stress')],
  },
  {
    name: 'intel_calculation_history',
    title: 'Calculation rows over dates',
    routeId: 'R24',
    choice: { by: 'value', argument: 'of', routes: { issuers: 'R24', products: 'R15' } },
    when: 'Every figure of a calculation on past dates, for checking; mode full: what it is made from, too. of products: market rows. For a plain series use intel_core_history.',
    defaults: { mode: 'compact', limit: 1 },
    next: [],
  },
  {
    name: 'intel_field_map',
    title: 'Field map of an issuer or a product',
    routeId: 'R17',
    choice: { by: 'presence', routes: { ticker: 'R17', product: 'R18' } },
    when: 'Points of a field map over time, with filing markers, of an issuer or of a perpetual product. Plain series: intel_core_history.',
    defaults: { limit: 5 },
    leftOut: ['events'],
    next: [],
  },
  {
    name: 'intel_perp_rankings',
    title: 'Products by pressure',
    routeId: 'R16',
    when: 'Which perpetual products are under most pressure. For one of them use intel_synthetic_etf_pressure_state.',
    defaults: { limit: 4 },
    next: [{ tool: 'intel_synthetic_etf_pressure_state', args: { product: 'data[0].product' } }],
  },
  {
    name: 'intel_perp_constituents',
    title: 'Constituents of one product',
    routeId: 'R13',
    when: 'What one thematic or index product consists of, with weights. For its market factors use intel_perp_factors.',
    defaults: { limit: 5 },
    next: [{ tool: 'intel_perp_factors', args: { product: 'product' } }],
  },
  {
    name: 'intel_perp_factors',
    title: 'Factors of one perpetual product',
    routeId: 'R14',
    when: 'Funding, basis and open interest of one perpetual product over dates. For one reading use intel_synthetic_etf_pressure_state.',
    defaults: { limit: 4 },
    next: [{ tool: 'intel_synthetic_etf_pressure_state', args: { product: 'product' } }],
  },
  {
    name: 'intel_synthetic_etf_pressure_state',
    title: 'Pressure of one product',
    routeId: 'R19',
    when: 'How much pressure one product is under now. For what the reading rests on use intel_synthetic_etf_audit.',
    next: [{ tool: 'intel_synthetic_etf_audit', args: { product: 'product' } }],
  },
  {
    name: 'intel_synthetic_etf_audit',
    title: 'Audit of the pressure of one product',
    routeId: 'R20',
    choice: { by: 'value', argument: 'part', routes: { summary: 'R20', thresholds: 'R22' } },
    when: 'What the reading of intel_synthetic_etf_pressure_state rests on. part thresholds: its limits and flags alone.',
    defaults: { limit: 2, include_export: false },
    leftOut: ['previous_bucket', 'bucket_comparison', 'threshold_contract', 'threshold_flags'],
    next: [{ tool: 'intel_perp_factors', args: { product: 'product' } }],
  },
  {
    name: 'intel_synthetic_etf_audit_export',
    title: 'Raw rows of the audit',
    routeId: 'R21',
    when: 'Raw factor rows behind intel_synthetic_etf_audit, for a check of your own.',
    defaults: { limit: 4 },
    next: [],
  },
  {
    name: 'intel_morning_brief_natural',
    title: 'Morning brief in prose',
    routeId: 'R25',
    when: 'The night as a brief in sentences, each number with evidence. As data: intel_daily_changes.',
    defaults: { limit: 5 },
    leftOut: ['summary_data'],
    next: [bare('intel_daily_changes')],
  },
  {
    name: 'intel_top_stressed_natural',
    title: 'Most stressed issuers in prose',
    routeId: 'R26',
    when: 'The most stressed issuers in sentences. As rows: intel_top_stressed.',
    defaults: { limit: 5 },
    next: [bare('intel_top_stressed')],
  },
  {
    name: 'intel_covenant_stress_natural',
    title: 'One issuer in prose',
    routeId: 'R27',
    when: 'The stress of one issuer in sentences. As data: intel_covenant_stress.',
    next: [ofTicker('intel_covenant_stress', 'summary_data.ticker')],
  },
  {
    name: 'intel_daily_brief_public',
    title: 'Daily brief to publish',
    routeId: 'R28',
    when: 'The brief of the night as text ready to publish. For the figures as data use intel_daily_changes.',
    without: ['format'],
    leftOut: ['html', 'charts'],
    next: [bare('intel_daily_changes')],
  },
  {
    name: 'intel_company_report',
    title: 'Report of one issuer',
    routeId: 'R29',
    twins: ['R30'],
    when: 'Everything known of one issuer, its capital too: shares, NAV, maturities, runway of cash in months. One part: intel_company_fundamentals, intel_covenant_stress.',
    without: ['format'],
    next: [ofTicker('intel_covenant_stress')],
  },
];

/** Tools that a public payment of the endpoint does not open unless an operator says so: their routes cost many times as much (I4.MCP.14). */
export const toolsForKeys: readonly string[] = [
  'intel_synthetic_etf_audit_export',
  'intel_morning_brief_natural',
  'intel_top_stressed_natural',
  'intel_covenant_stress_natural',
  'intel_daily_brief_public',
  'intel_company_report',
];
