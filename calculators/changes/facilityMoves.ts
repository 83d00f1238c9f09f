import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

/** A published facility, as far as it is compared from filing to filing. */
export type FacilityStanding = {
  readonly id: string;
  readonly name: string;
  readonly asOf: string;
  readonly asset: string | null;
  readonly isSubsequent: boolean;
  readonly figures: Readonly<Record<FacilityFigure, ExactDecimal | null>>;
};

/** The figures of a loan whose move is reported: amount, coins, trigger, price at which the lender calls. */
export const facilityFigures = ['drawn', 'collateral_units', 'trigger_ltv', 'margin_call_price'] as const;
export type FacilityFigure = (typeof facilityFigures)[number];

/**
 * A loan secured by coins that a new filing states, states otherwise, or does not show. What is not shown may be repaid, or
 * its facts are not available: no instance is no statement that there is no loan (M16.1).
 */
export type FacilityMove = {
  readonly ticker: string;
  readonly cik: string;
  readonly facility_id: string;
  readonly name: string;
  readonly change: 'new' | 'changed' | 'not_shown';
  readonly collateral_asset: string | null;
  /** Day of the reported figures. */
  readonly as_of: string;
  readonly prior: FacilityStanding['figures'] | null;
  readonly now: FacilityStanding['figures'] | null;
  readonly accession_number: string;
};

type Holder = {
  readonly ticker: string;
  readonly cik: string;
  readonly accession: string;
  readonly facilities: readonly FacilityStanding[];
};

/**
 * The loans that moved because another filing came into force (M16.12); on one filing nothing of a loan moves but the
 * price of its coins.
 */
export function facilityMoves(now: Holder, before: Holder | null): FacilityMove[] {
  if (before === null || before.accession === now.accession) return [];
  const [were, are] = [byId(before.facilities), byId(now.facilities)];
  const ids = [...new Set([...were.keys(), ...are.keys()])].sort(compareText);
  return ids.flatMap((id): FacilityMove[] => {
    const [was, is] = [were.get(id) ?? null, are.get(id) ?? null];
    const shown = is ?? was;
    if (shown === null || isSame(was, is)) return [];
    return [
      {
        ticker: now.ticker,
        cik: now.cik,
        facility_id: id,
        name: shown.name,
        change: was === null ? 'new' : is === null ? 'not_shown' : 'changed',
        collateral_asset: shown.asset,
        as_of: shown.asOf,
        prior: was?.figures ?? null,
        now: is?.figures ?? null,
        accession_number: now.accession,
      },
    ];
  });
}

/** A row of the balance sheet stands before one of a later event of the same loan. */
function byId(facilities: readonly FacilityStanding[]): Map<string, FacilityStanding> {
  const laterFirst = facilities.toSorted((a, b) => Number(b.isSubsequent) - Number(a.isSubsequent));
  return new Map(laterFirst.map((facility) => [facility.id, facility]));
}

function isSame(was: FacilityStanding | null, is: FacilityStanding | null): boolean {
  if (was === null || is === null) return false;
  return facilityFigures.every((name) => String(was.figures[name]) === String(is.figures[name]));
}
