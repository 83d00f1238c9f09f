import { describe, expect, it } from 'vitest';
import { filedFact, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { factSheet } from '../filing/factSheet.ts';
import { filedFundamentals } from './filedFundamentals.ts';

const parameters = registryParameters;
const quarter = '2025-07-01';
const year = '2025-01-01';

type Line = readonly [concept: string, thousands: number, start: string];

// CLSK 10-Q 2025-06-30 (0000000000-25-018662), its spans moved to the filing the rows are made of
const cleanSpark: readonly Line[] = [
  ['DigitalCurrencyMiningRevenues', 198_644, quarter],
  ['DigitalCurrencyMiningRevenues', 542_662, year],
  ['CostsAndExpenses', -47_519, quarter],
  ['CostsAndExpenses', 224_547, year],
  ['OperatingIncomeLoss', 246_163, quarter],
  ['OperatingIncomeLoss', 318_115, year],
];

function revenueOf(lines: readonly Line[]) {
  const { filing } = issuerInputs({});
  const facts = lines.map(([concept, thousands, start]) =>
    filedFact(filing, {
      concept: /Mining|Hosting/.test(concept) ? `clsk:${concept}` : concept,
      value: thousands * 1000,
      start,
      end: filing.period,
    }),
  );
  const inputs = issuerInputs({ facts });
  const { fundamentals, facts: read } = filedFundamentals({
    sheet: factSheet(inputs, '2026-02-07'),
    filing: inputs.filing,
    parameters,
  });
  const { revenue } = fundamentals;
  return revenue === null ? null : [String(revenue), read.revenue?.concept, String(read.revenue?.ytd?.value)];
}

describe('revenue under a concept of the filer (M10.11b)', () => {
  it('is what its own costs and operating income prove: CLSK 198,644 and 542,662 K', () => {
    expect(revenueOf(cleanSpark)).toEqual(['198644000', 'clsk:DigitalCurrencyMiningRevenues', '542662000']);
  });

  it.each([
    ['the quarter misses by a thousand', ['CostsAndExpenses', -47_518, quarter]],
    ['the year to date misses by a thousand', ['CostsAndExpenses', 224_546, year]],
  ] as const)('stays null where %s', (_, [concept, thousands, start]) => {
    const lines = cleanSpark.map(
      (line): Line => (line[0] === concept && line[2] === start ? [concept, thousands, start] : line),
    );
    expect(revenueOf(lines)).toBeNull();
  });

  it('stays null where two concepts fit, or costs are not filed', () => {
    const twice = cleanSpark.flatMap(([concept, amount, start]): Line[] =>
      concept === 'DigitalCurrencyMiningRevenues'
        ? [
            [concept, amount, start],
            ['HostingRevenues', amount, start],
          ]
        : [[concept, amount, start]],
    );
    expect(revenueOf(twice)).toBeNull();
    expect(revenueOf(cleanSpark.filter(([concept]) => concept !== 'CostsAndExpenses'))).toBeNull();
  });

  it('gives way to a standard concept', () => {
    expect(revenueOf([...cleanSpark, ['Revenues', 200_000, quarter]])?.[1]).toBe('us-gaap:Revenues');
  });
});
