import type { IssuerType } from '../../data/contract/values/enums.ts';

/** One filing of a registrant as the submissions archive lists it. */
export type FormRow = { readonly form: string; readonly filed: string };

/** What is known of a registrant on a day, from submissions, ticker file, archive and universe (M6.9). */
export type CompanyProfile = {
  readonly cik: string;
  readonly entityName: string;
  readonly ticker: string | null;
  readonly exchange: string | null;
  readonly sic: string | null;
  readonly ownerOrg: string | null;
  /** Filings up to the day; null when the submissions of the registrant are not at hand. */
  readonly forms: readonly FormRow[] | null;
  /** The registrant's row in the universe, if it has one. */
  readonly universe: { readonly issuerType: IssuerType; readonly issuerClass: string | null } | null;
  /** Coins over total assets at the newest balance sheet; null when either is unknown. */
  readonly cryptoShareOfAssets: number | null;
  /** True for a measured debt of zero; null when unknown. */
  readonly debtIsZero: boolean | null;
  /** What concepts and members of its facts say. */
  readonly facts: {
    readonly crypto: boolean;
    readonly safeguarding: boolean;
    readonly mining: boolean;
    /** `Revenues` or an operating-expense fact. */
    readonly operations: boolean;
    /** Units created or redeemed by a trust. */
    readonly creationUnits: boolean;
  };
};
