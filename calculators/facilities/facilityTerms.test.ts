import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { loanFact } from '../../fixtures/builders/facilityTables.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { statedFacts } from '../crypto/statedFacts.ts';
import { loanToValue, termsOf } from './facilityTerms.ts';

const parameters = registryParameters;

const read = (concept: string, value: string) =>
  loanToValue({ concept: `own:${concept}`, value: ExactDecimal.parse(value) }, parameters)?.toString() ??
  null;

const terms = (...stated: [concept: string, value: string, member?: string][]) =>
  termsOf(
    statedFacts(
      stated.map(([concept, value, member]) =>
        loanFact({
          concept: `own:${concept}`,
          value,
          unit: 'pure',
          end: '2025-07-25',
          members: member === undefined ? [] : [`srt:RangeAxis=srt:${member}`],
        }),
      ),
      parameters.concepts,
    ),
    parameters,
  );

describe('a filed ratio as a loan-to-value (M16.5)', () => {
  it.each([
    ['PercentageOfLoanToCollateralValueRatioMaximum', '50', '0.5'],
    ['MaximumLoanToValue', '0.5', '0.5'],
    ['MaximumLoanToValue', '1.5', '1.5'],
    ['MaximumLoanToValue', '1.6', '0.016'],
    ['MaximumLoanToValue', '100', '1'],
    ['MaximumLoanToValue', '5000', null],
    ['MaximumLoanToValue', '0', null],
    ['MaximumLoanToValue', '-0.5', null],
    ['DebtInstrumentCollateralCoverageRatio', '1.5625', '0.64'],
    ['DebtInstrumentCollateralCoverageRatio', '156.25', '0.64'],
    ['MarginCallLevelOnTreasuryAssets', '2', '0.5'],
    ['MarginCallLevelOnTreasuryAssets', '1.4', '0.714286'],
    ['MarginCallLevelOnTreasuryAssets', '1', '1'],
    ['MarginCallLevelOnTreasuryAssets', '0.75', null],
    ['MarginCallLevelOnTreasuryAssets', '50', null],
    ['MarginCallLevelOnTreasuryAssets', '501', null],
  ])('%s of %s is %s', (concept, value, ltv) => {
    expect(read(concept, value)).toBe(ltv);
  });
});

describe('the trigger of a loan (M16.6)', () => {
  const trigger = (...stated: Parameters<typeof terms>) => {
    const { trigger: found } = terms(...stated);
    return found === null ? null : `${found.kind} ${found.ltv}`;
  };

  it('is the margin call before maximum, coverage and liquidation', () => {
    const all: Parameters<typeof terms> = [
      ['LiquidationPercentage', '0.9'],
      ['CollateralCoverageRatio', '1.25'],
      ['MaximumLoanToValueRatio', '0.75'],
      ['MarginCallLevel', '1.5'],
    ];
    expect(trigger(...all)).toBe('margin_call 0.666667');
    expect(trigger(...all.slice(0, 3))).toBe('maintenance_maximum 0.75');
    expect(trigger(...all.slice(0, 2))).toBe('minimum_coverage 0.8');
    expect(trigger(...all.slice(0, 1))).toBe('liquidation 0.9');
  });

  it('is the lowest of one kind', () => {
    expect(trigger(['MarginCallLevelFirst', '1.5'], ['MarginCallLevelSecond', '2'])).toBe('margin_call 0.5');
  });

  it('is no cure, return, opening level or current ratio (MSTR 2022, DFDV 2025)', () => {
    expect(
      trigger(
        ['PercentageOfLoanToCollateralValueRatioCure1', '25'],
        ['PercentageOfLoanToCollateralValueRatioReturnOfExcessMaximumAfter', '0.25'],
        ['LoanToCollateralValueRatio2CureAdditionalInterestCondition', '0.25'],
        ['CollateralLevelOnDigitalAssets', '2.5', 'MinimumMember'],
        ['InitialLoanToValueRatio', '0.4'],
        ['LoanToValueRatio', '0.45'],
      ),
    ).toBeNull();
  });

  it('is a loan-to-value under the member of a maximum', () => {
    expect(trigger(['LoanToValueRatio', '0.65', 'MaximumMember'])).toBe('maintenance_maximum 0.65');
  });

  it('is unknown where facts of one context contradict each other', () => {
    const found = terms(['MarginCallLevel', '2'], ['MarginCallLevel', '1.5']);
    expect(found).toMatchObject({ trigger: null, notes: ['facility_trigger_conflict'] });
  });

  it('is refused where the number can be no ratio, and the number is said', () => {
    expect(terms(['MaximumLoanToValue', '5000'])).toMatchObject({
      trigger: null,
      notes: ['facility_ratio_refused:MaximumLoanToValue=5000'],
    });
  });

  it('is none of a coverage of interest or of a concept with another meaning (CLSK: 64 % of ownership)', () => {
    const found = terms(['MinimumInterestCoverageRatio', '2'], ['PercentageOfCompanyOwnership', '0.64']);
    expect(found).toEqual({ trigger: null, notes: [], isCollateralTerm: false });
  });
});
