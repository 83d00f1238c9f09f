import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type FacilityStanding, facilityMoves } from './facilityMoves.ts';

const exact = (value: number | null) => (value === null ? null : ExactDecimal.fromNumber(value));

function loan(
  input: { id?: string; drawn?: number; units?: number | null; isSubsequent?: boolean } = {},
): FacilityStanding {
  return {
    id: input.id ?? 'loanagreementmember',
    name: 'kutg:LoanAgreementMember',
    asOf: '2025-09-30',
    asset: 'BTC',
    isSubsequent: input.isSubsequent ?? false,
    figures: {
      drawn: exact(input.drawn ?? 3_800_000),
      collateral_units: exact(input.units === undefined ? 70 : input.units),
      trigger_ltv: exact(0.64),
      margin_call_price: exact(84821.43),
    },
  };
}

const holder = (accession: string, ...facilities: readonly FacilityStanding[]) => ({
  ticker: 'KULR',
  cik: '0001662684',
  accession,
  facilities,
});
const changes = (was: readonly FacilityStanding[], is: readonly FacilityStanding[], accession = 'new') =>
  facilityMoves(holder(accession, ...is), holder('old', ...was)).map(
    ({ change, facility_id: id }) => `${change} ${id}`,
  );

describe('loans of a new filing', () => {
  it('are new, changed or not shown, and silent where nothing moved', () => {
    expect(changes([], [loan()])).toEqual(['new loanagreementmember']);
    expect(changes([loan()], [loan({ drawn: 8_000_000 })])).toEqual(['changed loanagreementmember']);
    expect(changes([loan()], [loan({ units: null })])).toEqual(['changed loanagreementmember']);
    expect(changes([loan()], [])).toEqual(['not_shown loanagreementmember']);
    expect(changes([loan()], [loan()])).toEqual([]);
  });

  it('are compared by name, the balance sheet before a later event', () => {
    const [move] = facilityMoves(
      holder('new', loan({ isSubsequent: true, drawn: 9_000_000 }), loan({ drawn: 5_000_000 })),
      holder('old', loan({ isSubsequent: true, drawn: 8_000_000 })),
    );
    expect([move?.prior?.drawn?.toString(), move?.now?.drawn?.toString()]).toEqual(['8000000', '5000000']);
    expect(changes([loan({ id: 'a' })], [loan({ id: 'b' })])).toEqual(['not_shown a', 'new b']);
  });

  it('do not move while one filing is in force, nor with the first row of an issuer', () => {
    expect(changes([loan()], [], 'old')).toEqual([]);
    expect(facilityMoves(holder('new', loan()), null)).toEqual([]);
  });
});
