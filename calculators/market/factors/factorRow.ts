import type { BucketLength, Contract, ContractSeries, MarketBucket } from '../marketBucket.ts';

/** The factors of a row (M8.4, I2.56), in the order of the registry. */
export const factorIds = [
  'funding_annualized',
  'basis_bps',
  'oi_change_24h',
  'oi_usd',
  'rv_30d',
  'rv_90d',
  'vol_ratio',
  'momentum_7d',
  'momentum_30d',
  'turnover',
  'amihud_30d',
  'breadth',
  'breadth_count',
  'hhi',
  'n_eff',
  'dispersion',
  'liquidation_imbalance',
  'pressure',
] as const;

export type FactorId = (typeof factorIds)[number];

/** The seven inputs of pressure (M8.9), by the factor their z-score is of. */
export const inputIds = [
  'funding_annualized',
  'basis_bps',
  'oi_change_24h',
  'turnover',
  'vol_ratio',
  'momentum_30d',
  'breadth',
] as const;

export type InputId = (typeof inputIds)[number];

export type Factors = Readonly<Record<FactorId, number | null>>;
export type ZScores = Readonly<Record<InputId, number | null>>;
/** The inputs of pressure as published. */
export type Inputs = Readonly<Record<InputId, number | null>>;

/** A series with the inputs that rows of it were published with, by start of their bucket: they are not computed again. */
export type PublishedSeries = ContractSeries & { readonly published?: ReadonlyMap<number, Inputs> };

/** Published group scores, 6 decimals (M8.9). */
export type GroupScores = {
  readonly carry: number | null;
  readonly positioning: number | null;
  readonly market: number | null;
};

/** A level of coverage: `reason` says why it is not available, `meaning` what it would allow (M8.14). */
export type CoverageLevel = {
  readonly status: 'available' | 'partial' | 'missing' | 'not_applicable';
  readonly reason: string | null;
  readonly meaning: string;
};

/** The levels a row can tell by itself; level 1 needs the issuers of its date. */
export type RowCoverage = {
  readonly level_2_public_market: CoverageLevel;
  readonly level_3_basket_pressure: CoverageLevel;
  readonly level_4_perp_dislocation: CoverageLevel;
};

/** What one constituent did in the seven days before the bucket's end (M8.12), unrounded. */
export type ConstituentReturn = {
  readonly ticker: string;
  readonly cik: string | null;
  readonly name: string;
  /** Share of the basket after renormalising, as stated where the weights are not valid. */
  readonly weight: number | null;
  readonly return7d: number | null;
  readonly contribution: number | null;
  /** Minutes from its close to the bucket's end; null without a close. */
  readonly staleMinutes: number | null;
  /** P − P without the constituent (M8.13), 6 decimals; null where P or the rest of the basket is missing. */
  readonly leaveOneOut: number | null;
};

/** One factor row (I2.57) with everything pressure and its audit read; a function of its past alone (M15.53). */
export type FactorRow = {
  readonly product: string;
  readonly contract: Contract;
  readonly bucketLength: BucketLength;
  /** Epoch milliseconds. */
  readonly start: number;
  /** Start of the bucket the deltas refer to (M8.8). */
  readonly previousStart: number | null;
  /** UTC date of the bucket's start. */
  readonly sourceDate: string;
  /** True when the bucket holds a mark and an index (M8.2). */
  readonly isAvailable: boolean;
  /** Published: 6 decimals. */
  readonly factors: Factors;
  /** Differences of published values. */
  readonly deltas: Factors;
  /** Published: 4 decimals. */
  readonly zScores: ZScores;
  readonly quality: {
    readonly status: 'ok' | 'partial';
    readonly flags: readonly string[];
    /** Available buckets in the window of the z-scores. */
    readonly historyRows: number;
    /** Minutes from the bucket's end to the end of its source date. */
    readonly rowAgeMinutes: number;
  };
  readonly marketInputs: MarketBucket & {
    /** Sum over the 24 hours that end with the bucket; null unless every bucket of them has its volume. */
    readonly volume24hUsd: number | null;
  };
  readonly lineage: {
    readonly venue: string;
    readonly symbol: string;
    readonly registryEffectiveDate: string | null;
    readonly registrySource: string | null;
    readonly registryMethod: string | null;
    readonly weightsRenormalised: boolean;
    /** Of the z-scores: first bucket and number of available buckets. */
    readonly window: { readonly firstStart: number | null; readonly buckets: number };
  };
  readonly groups: GroupScores;
  /** P before rounding; null with evidence missing (M8.10). */
  readonly pressureUnrounded: number | null;
  /** P at 6 decimals, equal to `factors.pressure`. */
  readonly pressure: number | null;
  /** Parts of P by factor, unrounded: they sum to it within 1e-9 (M8.11). Empty while P is null. */
  readonly attribution: readonly { readonly factor: InputId; readonly contribution: number }[];
  readonly returns: {
    readonly rows: readonly ConstituentReturn[];
    /** The contract's own simple return over the same days, unrounded. */
    readonly perpReturn: number | null;
    /** perpReturn − Σ contributions (M8.12), unrounded. */
    readonly trackingResidual: number | null;
  };
  /** max |P − P without one constituent|, 6 decimals (M8.13). */
  readonly maxLeaveOneOut: number | null;
  readonly coverage: RowCoverage;
};
