import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { noHoldings } from '../crypto/cryptoHoldings.ts';
import { type DebtResolution, unresolvedDebt } from '../debt/debtResolution.ts';
import { coreTier, type QualityEvidence, qualityFlag, qualityPoints } from './qualityFlag.ts';

const parameters = registryParameters;
const amount = ExactDecimal.parse('100');
const debt: DebtResolution = {
  ...unresolvedDebt,
  current: amount,
  noncurrent: ExactDecimal.zero,
  total: amount,
  coverage: 'resolved_nonzero',
  method: 'direct_precedence',
  details: [],
  identitiesConsistent: true,
  disagreement: false,
  notes: [],
};
const holdings = { ...noHoldings, amount, carried: amount, measurement: 'fair_value' } as const;
const clean: QualityEvidence = {
  debt,
  holdings,
  ageDays: 40,
  isQuarterly: true,
  hasBlockedConcept: false,
  isFilingDamaged: false,
  isAnomalous: false,
  calculation: 'unbound',
  isPlaceholder: false,
  equalsCustomerCoins: false,
  hasEquity: true,
  areArcsAuthored: false,
};

it('is Medium at most where more liabilities have no name than are debt (M1.36d)', () => {
  const backed = { ...clean, calculation: 'pass', debt: { ...debt, dataSource: 'linkbase_rollup' } } as const;
  expect(qualityFlag(backed, parameters)).toBe('High');
  const beside = (unidentified: string) =>
    qualityFlag(
      { ...backed, debt: { ...backed.debt, unidentified: ExactDecimal.parse(unidentified) } },
      parameters,
    );
  expect([beside('100'), beside('101')]).toEqual(['High', 'Medium']);
});

it('is Medium at most where the project wrote the arcs, which give no Tower either (M1.42, M1.46)', () => {
  const rooted = { ...debt, dataSource: 'linkbase_rollup', extensionRoots: ['fld:Notes'] } as const;
  const filed = { ...clean, calculation: 'pass', debt: rooted } as const;
  const graded = (evidence: QualityEvidence) => {
    const quality = qualityFlag(evidence, parameters);
    return [quality, coreTier({ debt: evidence.debt, holdings, quality, parameters })];
  };
  expect(graded(filed)).toEqual(['High', 'Tower']);
  expect(graded({ ...filed, areArcsAuthored: true })).toEqual(['Medium', 'Oscillator']);
});

describe('quality of direct facts (M1.40–M1.42)', () => {
  it('earns five points at most and caps at Medium', () => {
    expect(qualityPoints(clean, parameters)).toBe(5);
    expect(qualityFlag(clean, parameters)).toBe('Medium');
  });

  it.each([
    [135, 5, 'Medium'],
    [136, 4, 'Medium'],
    [200, 4, 'Medium'],
    [201, 3, 'Low'],
  ])('counts a filing of %i days as %i points: %s', (ageDays, points, flag) => {
    expect(qualityPoints({ ...clean, ageDays }, parameters)).toBe(points);
    expect(qualityFlag({ ...clean, ageDays }, parameters)).toBe(flag);
  });

  it('gives no point to a lower bound, a broken identity or a blocked concept', () => {
    const bound = { ...holdings, measurement: 'carrying_lower_bound' } as const;
    expect(qualityPoints({ ...clean, holdings: bound }, parameters)).toBe(3);
    expect(qualityPoints({ ...clean, debt: { ...debt, identitiesConsistent: false } }, parameters)).toBe(4);
    expect(qualityPoints({ ...clean, hasBlockedConcept: true }, parameters)).toBe(4);
  });

  it.each([
    ['debt is not known', { debt: { ...debt, coverage: 'low_confidence_missing_debt' } }],
    ['debt totals disagree (M1.36)', { debt: { ...debt, disagreement: true } }],
    ['coin totals disagree (M2.5)', { holdings: { ...holdings, disagreement: true } }],
    ['the coins are anomalous (M2.14)', { isAnomalous: true }],
    ['the filing is older than 400 days', { ageDays: 401 }],
  ] as const)('is Low whatever the points when %s (M1.41)', (_, change) => {
    expect(qualityFlag({ ...clean, ...change }, parameters)).toBe('Low');
  });
});
