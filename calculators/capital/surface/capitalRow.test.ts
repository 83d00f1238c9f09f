import { describe, expect, it } from 'vitest';
import { mostCapitalBytes, capital as payload } from '../../../data/contract/payloads/issuer/capital.ts';
import { type CanonicalValue, canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { anyCapital, anyInstrument, capitalFact, figureOf } from '../../../fixtures/builders/anyCapital.ts';
import { absentFigure } from '../figure.ts';
import { type CapitalSubject, capitalRow } from './capitalRow.ts';

const subject: CapitalSubject = {
  issuer: { cik: '0000000001', ticker: 'XY', entityName: 'XY INC' },
  debtCoverage: 'resolved_nonzero',
  computedAt: '2026-02-07T09:30:00Z',
};
const bytesOf = (row: unknown) => Buffer.byteLength(canonicalJson(row as CanonicalValue));
const empty = {
  found: [],
  refused: [],
  stack: { status: 'unproven', difference: null, principal: null },
  currency: null,
  notes: [],
} as const;

describe('capitalRow', () => {
  it('holds its schema, keeps the digits of an amount, and lists each fact once', () => {
    const row = capitalRow(anyCapital(), subject);
    expect(payload.schema.safeParse(row).success).toBe(true);
    const [convertible, loan] = row.instruments;
    expect(convertible?.principal).toEqual({
      value: ExactDecimal.parse('40000000'),
      status: 'proven',
      basis: 'gross',
      facts: [0, 1],
    });
    // the carrying amount is the second fact of the principal
    expect(convertible?.carrying_amount).toMatchObject({ facts: [1] });
    expect(loan?.principal).toMatchObject({ status: 'stated', basis: 'face' });
    expect(row.facts.slice(0, 2)).toEqual([
      { concept: 'us-gaap:DebtInstrumentFaceAmount', members: [0], value: '40000000' },
      { concept: 'us-gaap:ConvertibleNotesPayable', members: [0], value: '39000000' },
    ]);
    expect(row.members).toEqual(['xy:ConvertibleNotesDue2030Member', 'xy:TermLoanMember']);
  });

  it('is null alone where no fact is filed, and says every other reason (M18.2)', () => {
    const row = capitalRow(anyCapital(), subject);
    expect(row.instruments[0]?.fair_value).toBeNull();
    expect(row.shares.fully_diluted).toEqual({
      value: null,
      null_reason: 'missing',
      part: 'restricted_units',
    });
    expect(row.nav[0]?.mnav_gross).toEqual({ value: null, null_reason: 'price_missing' });
  });

  it('says that there are no instruments only where debt is a resolved zero', () => {
    const capital = anyCapital({ instruments: empty });
    expect(capitalRow(anyCapital(), subject).instruments_absent).toBeNull();
    expect(capitalRow(capital, subject).instruments_absent).toBe('not_filed');
    expect(capitalRow(capital, { ...subject, debtCoverage: 'resolved_zero' }).instruments_absent).toBe(
      'none',
    );
    expect(capitalRow(capital, { ...subject, debtCoverage: 'legitimate_zero_debt' }).instruments_absent).toBe(
      'not_filed',
    );
  });

  it('stands outstanding instruments first, then by principal, whatever order they were found in', () => {
    const found = [
      anyInstrument({ id: 'Repaid', state: 'not_outstanding', principal: figureOf('900') }),
      anyInstrument({ id: 'Small', principal: figureOf('5') }),
      anyInstrument({ id: 'Unknown', principal: absentFigure('not_filed') }),
      anyInstrument({ id: 'Large', principal: figureOf('10000000000000000000') }),
    ];
    const order = (list: typeof found) =>
      capitalRow(anyCapital({ instruments: { ...empty, found: list } }), subject).instruments.map(
        ({ id }) => id,
      );
    expect(order(found)).toEqual(['Large', 'Small', 'Unknown', 'Repaid']);
    expect(order(found.toReversed())).toEqual(['Large', 'Small', 'Unknown', 'Repaid']);
  });

  it('publishes no close of a stock, and a multiple of it', () => {
    const [nav] = anyCapital().nav;
    if (nav === undefined) throw new Error('the made-up issuer has a lens');
    const close = figureOf('170.46', { facts: [capitalFact('Close', '170.46')] });
    const row = capitalRow(
      anyCapital({ nav: [{ ...nav, close, closeDate: '2026-02-06', mnavGross: figureOf('1.7') }] }),
      subject,
    );
    expect(canonicalJson(row as unknown as CanonicalValue)).not.toContain('170.46');
    expect(row.nav[0]).toMatchObject({ close_date: '2026-02-06', mnav_gross: { status: 'proven' } });
  });
});

describe('a capital structure that would be too long (M18.82)', () => {
  const many = (count: number, state: 'outstanding' | 'not_outstanding') =>
    Array.from({ length: count }, (_, i) => {
      const id = `SeniorSecuredConvertibleNotesOfSeries${i}Member`;
      return anyInstrument({
        id,
        state,
        principal: figureOf(String(1000 - i), {
          facts: [capitalFact('DebtInstrumentFaceAmount', String(1000 - i), id)],
        }),
      });
    });
  const rowWith = (found: ReturnType<typeof many>) =>
    capitalRow(anyCapital({ instruments: { ...empty, found } }), subject);

  it('is stored whole below 20 kB', () => {
    const row = capitalRow(anyCapital(), subject);
    expect(bytesOf(row)).toBeLessThan(mostCapitalBytes);
    expect(row.notes).toEqual([]);
  });

  it('first excludes what is not outstanding', () => {
    const row = rowWith([...many(4, 'outstanding'), ...many(40, 'not_outstanding')]);
    expect(row.instruments).toHaveLength(4);
    expect(row.notes).toEqual(['shortened:instruments']);
    expect(row.facts.length).toBeGreaterThan(4);
  });

  it('then its facts, then the smallest instruments; never its bound', () => {
    const row = rowWith(many(200, 'outstanding'));
    expect(bytesOf(row)).toBeLessThan(mostCapitalBytes);
    expect(row.notes).toEqual(['shortened:instruments', 'shortened:coin_flows', 'shortened:facts']);
    expect(row.members).toEqual([]);
    expect(row.facts).toEqual([]);
    expect(row.instruments.length).toBeGreaterThan(10);
    expect(row.instruments[0]?.principal?.value?.toString()).toBe('1000');
    expect(payload.schema.safeParse(row).success).toBe(true);
  });
});
