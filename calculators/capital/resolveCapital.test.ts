import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { figure, instrument, instruments } from '../../fixtures/builders/capitalParts.ts';
import { loanFact } from '../../fixtures/builders/facilityTables.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { statedFacts } from '../crypto/statedFacts.ts';
import type { Split } from '../prices/splits.ts';
import type { Instrument } from './parts.ts';
import { type EarlierInstruments, withEarlierTerms } from './resolveCapital.ts';

const member = 'mstr:ConvertibleSeniorNotesDueTwentyTwentyFiveMember';
const spelled = 'mstr:TwoThousandAndTwentyFiveConvertibleNotesMember';

const faces = (value: string, end: string) =>
  statedFacts(
    [
      loanFact({
        concept: 'us-gaap:DebtInstrumentFaceAmount',
        value,
        end,
        members: [`us-gaap:LongtermDebtTypeAxis=${member}`],
      }),
    ],
    registryParameters.concepts,
  );

/** MSTR 0000950170-24-051230 states coupon and maturity of the notes of 2025, and no conversion price. */
const now = instrument({
  id: 'n25',
  members: [member],
  kind: 'convertible_note',
  principal: '650000000',
  coupon: '0.0075',
  maturity: '2025-12-15',
});

/** MSTR 0001564590-21-021949. */
const then = (part: Partial<Instrument> = {}): EarlierInstruments => ({
  accession: '0001564590-21-021949',
  period: '2021-03-31',
  instruments: instruments([
    { ...now, conversionPrice: figure('397.99', 'stated'), couponRate: figure('0.01'), ...part },
  ]),
  facts: [],
});

function completed(
  earlier: readonly EarlierInstruments[],
  { one = now, splits = [] }: { one?: Instrument; splits?: readonly Split[] } = {},
) {
  const [found] = withEarlierTerms(instruments([one]), {
    facts: [],
    period: '2024-03-31',
    earlier,
    splits,
  }).found;
  return [found?.conversionPrice.value, found?.conversionShares.value, found?.couponRate.value]
    .map((value) => value?.toString() ?? null)
    .concat(found?.termsAccession ?? null);
}

describe('terms of an earlier filing (M18.90)', () => {
  it('stand where the newer one does not state them, and no stated one gives way', () => {
    expect(completed([then()])).toEqual(['397.99', '1633206.9', '0.0075', '0001564590-21-021949']);
  });

  it('come from the newest filing that states them, also under another spelling', () => {
    const without = then({ conversionPrice: figure(null) });
    const newer = { ...without, accession: '0000950170-22-007997', period: '2022-03-31' };
    const other = then({ members: [spelled] });
    expect(completed([newer, other])[3]).toBe('0001564590-21-021949');
  });

  it('stay null where the principal at issue is another, or two earlier notes fit', () => {
    expect(completed([then({ principal: figure('500000000') })])[0]).toBe(null);
    const two = then();
    const twice = { ...two, instruments: instruments([...two.instruments.found, ...two.instruments.found]) };
    expect(completed([twice])[0]).toBe(null);
  });

  it('know a note of which part was converted by its face (42.0 M of which 17.8 M are left)', () => {
    const left = { ...now, principal: figure('17847000') };
    const whole = {
      ...then({ principal: figure('42000000') }),
      facts: faces('42000000', '2021-03-31'),
    };
    const [found] = withEarlierTerms(instruments([left]), {
      facts: faces('42000000', '2024-03-31'),
      period: '2024-03-31',
      earlier: [whole],
    }).found;
    expect(found?.conversionPrice.value?.toString()).toBe('397.99');
    expect(found?.principal.value).toEqual(ExactDecimal.parse('17847000'));
  });

  it('are on the count of shares of the newer filing where one was split between them', () => {
    const split = { date: '2023-08-08', ratio: 10, source: 'registry' as const };
    expect(completed([then()], { splits: [split] }).slice(0, 2)).toEqual(['39.799', '16332068.6']);
    const later = { ...split, date: '2024-08-08' };
    expect(completed([then()], { splits: [later] })[0]).toBe('397.99');
  });

  it('never make a note of one that is not outstanding', () => {
    expect(completed([then()], { one: { ...now, state: 'dated_only' } })[0]).toBe(null);
  });
});
