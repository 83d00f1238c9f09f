import type * as parts from '../../data/contract/payloads/issuer/capitalParts.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { Dimension } from '../filing/xbrlFiling.ts';
import type { Split } from '../prices/splits.ts';
import type { CapitalFact, Figure } from './figure.ts';

// The parts of a capital structure as they are resolved: those of the contract (I2.72), which says what each member means.

export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
/** A cell of the contract before it is written: a figure with its facts, a place in the list of facts as the fact. */
type Resolved<Cell> = [parts.CapitalFigure] extends [Cell]
  ? Figure
  : [ExactDecimal] extends [Cell]
    ? Exclude<Cell, number>
    : Cell extends readonly (infer One)[]
      ? readonly ([One] extends [number] ? CapitalFact : Resolved<One>)[]
      : Cell extends object
        ? { readonly [Name in keyof Cell & string as CamelCase<Name>]: Resolved<Cell[Name]> }
        : Cell;
/** A part by its schema, with what is narrower here or not published. */
type Part<Schema extends { readonly _output: unknown }, Own = object> = Omit<
  Resolved<Schema['_output']>,
  keyof Own
> &
  Own;

export type InstrumentState =
  | 'outstanding'
  | 'not_outstanding'
  | 'unconfirmed'
  | 'dated_only'
  | 'aggregate'
  | 'subsequent';

/** One note, loan or line of a filing (M18.10–M18.26). */
export type Instrument = Part<
  typeof parts.instrument,
  {
    readonly members: readonly string[];
    readonly kind: 'convertible_note' | 'note' | 'term_loan' | 'credit_line' | 'mortgage' | 'other';
    readonly state: InstrumentState;
    readonly rank: 'secured_by_coins' | 'secured_by_other_assets' | 'unsecured' | 'subordinated';
    readonly securedBy: 'coins' | 'other_assets' | 'unknown' | null;
    readonly couponKind: 'fixed' | 'variable' | 'period_rate' | null;
    readonly maturityDate: Figure<string>;
    readonly issueDate: Figure<string>;
    readonly springingMaturityDate: Figure<string>;
    readonly putDate: Figure<string>;
    readonly callDate: Figure<string>;
    /** Letters of the joins that made it one (M18.14). */
    readonly joins: readonly string[];
  }
>;

/** Instruments against the debt of the balance sheet (M18.22). */
export type Stack = Part<
  typeof parts.stack,
  { readonly status: 'ties' | 'debt_not_itemised' | 'exceeds' | 'unproven' }
>;

/** A group of facts that is no instrument, and why. */
export type RefusedGroup = { readonly members: readonly string[]; readonly reason: string };

export type Instruments = {
  /** Of all amounts; null without a fact that says it. */
  readonly currency: string | null;
  readonly found: readonly Instrument[];
  readonly refused: readonly RefusedGroup[];
  readonly stack: Stack;
  readonly notes: readonly string[];
};

export type Maturities = Part<
  typeof parts.maturities,
  {
    readonly basis: 'fiscal_years' | 'rolling_years' | null;
    readonly totalFacts: readonly CapitalFact[];
  }
>;
export type MaturityBucket = Maturities['buckets'][number];
/** One bar of the wall: a bucket, or an instrument at its own date. Puts and springing dates are second marks. */
export type WallMark = Maturities['wall'][number];
export type MaturityStatus = NonNullable<Maturities['status']>;

/** One class of preferred stock or redeemable shares between debt and equity (M18.40). */
export type PreferredClass = Omit<
  Part<
    typeof parts.preferredClass,
    {
      readonly id: string;
      /** Of the year to date, with its months. */
      readonly dividendsDeclared: (Figure & { readonly months?: number }) | null;
    }
  >,
  'class' | 'dividendsDeclaredMonths'
>;

export type PreferredStock = {
  readonly classes: readonly PreferredClass[];
  /** Sum of the claims; null where one of them is, but for stock that only votes. */
  readonly claim: ExactDecimal | null;
  readonly annualDividends: ExactDecimal | null;
};

/** What a listed depositary share stands for; counts of a filing are of ordinary shares (M18.42b). */
export type DepositaryShares = {
  /** Ordinary shares one of them stands for; null where no title says it, or two say otherwise. */
  readonly ordinaryShares: ExactDecimal | null;
};

/** Options of one price. */
export type OptionGroup = { readonly count: Figure; readonly price: Figure };

/** One class of warrants at the period end (M18.45); `filed` with expired ones, `count` what can still be exercised. */
export type Warrant = Omit<Resolved<typeof parts.shares._output>['warrants'][number], 'expires'> & {
  readonly expires: Figure<string>;
};

/** What a share is (M18.42–M18.46); counts at the period end unless a date is beside them. */
export type Shares = Part<
  typeof parts.shares,
  {
    /** Counts are of ordinary shares, closes of the depositary shares that are listed; null where the shares are listed themselves. */
    readonly depositary: DepositaryShares | null;
    readonly byClass: readonly { readonly id: string; readonly count: Figure }[];
    readonly optionGroups: readonly OptionGroup[];
    readonly warrants: readonly Warrant[];
    readonly splits: readonly Split[];
  }
>;

export type ClaimClass =
  | Instrument['rank']
  | 'unsecured_convertible'
  | 'debt_not_itemised'
  | 'other_liabilities'
  | 'preferred'
  | 'common';

/** One class of claimants after one fall (M18.50–M18.53); of secured loans each has coins of its own. */
export type ClaimLine = Omit<Resolved<typeof parts.claims._output>['lines'][number], 'class'> & {
  readonly class: ClaimClass;
  readonly instruments: readonly (Pick<ClaimLine, 'claim' | 'paid' | 'recovery'> & {
    readonly instrumentId: string;
  })[];
};
export type Claims = Part<typeof parts.claims, { readonly lines: readonly ClaimLine[] }>;
export type ClaimLens = Claims['lens'];

/** What a share holds (M18.48–M18.49), at the coins of one basis. */
export type Nav = Omit<
  Part<
    typeof parts.nav,
    {
      /** For the multiples alone: a raw close is never published (M18.48). */
      readonly close: Figure;
    }
  >,
  'indexThreshold'
>;

/** How long the cash lasts (M18.60–M18.66), counted from the day asked. */
export type Runway = Part<
  typeof parts.runway,
  {
    readonly monthsOfCash: Figure<number>;
    readonly monthsAfterDividends: Figure<number>;
    /** A month `YYYY-MM`, or `none_in_60`. */
    readonly firstShortfallMonth: Figure<string>;
    readonly shareOfFreeCoins: Figure<number>;
  }
>;

export type FlowClass = 'bought' | 'mined' | 'received' | 'sold' | 'paid' | 'transferred' | 'gain' | 'other';

/** From one stock of coins to the next, in units or in dollars (M18.70–M18.71). */
export type CoinFlow = Omit<
  Part<
    typeof parts.coinFlow,
    {
      /** Members of its stocks and rows; empty for the whole entity. */
      readonly dimensions: readonly Dimension[];
      readonly rows: readonly {
        readonly kind: FlowClass;
        /** With its sign in the sum. */
        readonly amount: ExactDecimal;
        readonly fact: CapitalFact;
      }[];
    }
  >,
  'members'
>;
/** Cost and freedom of the coins at the period end, by asset (M18.73–M18.75); `*` where no asset is named. */
export type CoinStock = Part<typeof parts.coinStock>;

export type CoinFlows = {
  readonly flows: readonly CoinFlow[];
  readonly stocks: readonly CoinStock[];
  readonly notes: readonly string[];
};
