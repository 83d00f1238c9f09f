import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

/** What a statement is about: a stock (`holdings`, `pledge`, `cash`), a flow of a period, or an event of a day. */
export type StatementKind =
  | 'holdings'
  | 'purchase'
  | 'sale'
  | 'production'
  | 'pledge'
  | 'release'
  | 'cash'
  | 'atm'
  | 'notes_issued'
  | 'debt_repaid'
  | 'redemption_notice';

export type Confidence = 'High' | 'Medium' | 'Low';

/** Where the day or period of a statement was read (M17.14), from the surest to none. */
export type DateBasis =
  | 'period'
  | 'as_of'
  | 'day'
  | 'month'
  | 'quarter'
  | 'heading'
  | 'month_end'
  | 'announced'
  | 'release'
  | 'none';

/** Where a statement stands: document of a filing, block in document order, row and column of a table. */
export type Place = {
  readonly accession: string;
  /** Type of the SGML header: `8-K`, `EX-99.1`. */
  readonly type: string;
  readonly document: string;
  readonly block: number;
  readonly row: number | null;
  readonly column: number | null;
};

/** What all statements of a document share. */
export type ReportSource = {
  readonly cik: string;
  readonly accession: string;
  readonly form: string;
  /** Items of the header of an 8-K, `8.01`; none for a 6-K. */
  readonly items: readonly string[];
  /** Civil date. */
  readonly filed: string;
  /** UTC instant from which the filing was known; its date where the header has no time. */
  readonly acceptedAt: string;
};

/** One number an issuer states about itself, with its day or period. */
export type Statement = {
  readonly kind: StatementKind;
  /** Ticker of a coin, `USD` of money, `shares` of securities sold. */
  readonly asset: string;
  /** Coins or shares; null where the statement is money alone. */
  readonly units: ExactDecimal | null;
  /** First day of a flow; null for stocks, events and flows of unknown begin. */
  readonly periodFrom: string | null;
  /** Day of a stock or event, last day of a flow; null where none is stated. */
  readonly asOf: string | null;
  readonly usd: ExactDecimal | null;
  readonly avgPrice: ExactDecimal | null;
  /** Of notes closed and shares sold: what is left of it after discounts and costs; null where none is stated. */
  readonly netProceeds: ExactDecimal | null;
  /** Of shares sold at the market: dollars of them that may still be sold; null where none are stated. */
  readonly capacityLeft: ExactDecimal | null;
  /** Ticker of the security sold or name of the debt; null where unnamed. */
  readonly security: string | null;
  readonly confidence: Confidence;
  readonly dateBasis: DateBasis;
  readonly fromTable: boolean;
  readonly isApproximate: boolean;
  /** Furnished under item 7.01 or 2.02 instead of filed; null where the filing does not say. */
  readonly furnished: boolean | null;
  readonly place: Place;
  /** Other places of the filing that state the same. */
  readonly alsoAt: readonly Place[];
  /** Words of the document, at most 600 characters. */
  readonly quote: string;
  readonly notes: readonly StatementNote[];
  readonly source: ReportSource;
};

export type StatementNote = 'price_mismatch' | 'total_mismatch' | 'exhibit_contradicts_body';

/** Why a number beside a coin or a sum of money is no statement (M17.12). */
export type RefusalReason =
  | 'third_party'
  | 'forward'
  | 'prior'
  | 'cumulative'
  | 'net_change'
  | 'rate'
  | 'part'
  | 'staked_part'
  | 'not_coins'
  | 'includes_derivatives'
  | 'exhibit_title'
  | 'bound'
  | 'rounded'
  | 'no_role'
  | 'no_day'
  | 'future_day'
  | 'refused_label'
  | 'undated_column'
  | 'exhibit_contradicts_body'
  | 'text_disguised';

/** A number that was read and refused. */
export type RefusedStatement = {
  readonly reason: RefusalReason;
  readonly asset: string | null;
  readonly units: ExactDecimal | null;
  readonly place: Place;
  readonly quote: string;
  readonly source: ReportSource;
};

/** Why a whole document was not read (M17.3). */
export type DocumentBound = 'bytes' | 'tags' | 'depth' | 'cells' | 'characters';

/** What one document says; `bound` names the limit for which it was refused whole. */
export type DocumentReading = {
  readonly statements: readonly Statement[];
  readonly refused: readonly RefusedStatement[];
  readonly bound: DocumentBound | null;
};
