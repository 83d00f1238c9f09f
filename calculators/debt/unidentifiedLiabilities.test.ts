import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { readFaces } from '../../fixtures/builders/faceTables.ts';
import { readBalance } from '../../fixtures/builders/readBalance.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import { provenDebt } from './provenDebt.ts';

const parameters = registryParameters;
const faces = new Map((await readFaces()).map((face) => [`${face.ticker} ${face.period}`, face]));

function faceOf(name: string) {
  const quoted = faces.get(name);
  if (quoted === undefined) throw new Error(`faces.csv lacks ${name}`);
  return quoted;
}

function debtOf(filing: XbrlFiling, { period, coins }: { period: string; coins: string }) {
  const { debt } = readBalance(filing, { period, parameters });
  return provenDebt(debt, { coins: ExactDecimal.parse(coins), areCoinsProven: true, parameters });
}

const withFacts = (filing: XbrlFiling, facts: XbrlFiling['facts']): XbrlFiling => ({ ...filing, facts });
const renamed = (filing: XbrlFiling, from: string, to: string) =>
  withFacts(
    filing,
    filing.facts.map((fact) => (fact.concept === from ? { ...fact, concept: to } : fact)),
  );

// Riot 10-Q 0001104659-25-104466: 253,243 K and 586,501 K of debt, 2,200,053 K of coins; both together HIGH (0.763385)
const riot = { period: '2025-09-30', coins: '2200053000' };
const [current, noncurrent] = ['us-gaap:LongTermDebtCurrent', 'us-gaap:LongTermDebtNoncurrent'];

describe('liabilities whose names do not say what they are (M1.36c)', () => {
  it('leave Riot 2025-09-30 as it is filed: 9 M of doubtful names decide nothing', () => {
    const debt = debtOf(faceOf('RIOT 2025-09-30').filing, riot);
    expect(debt).toMatchObject({ coverage: 'resolved_nonzero', method: 'face_order' });
    expect(debt.total.toString()).toBe('839744000');
    // future power credits 6,185 + 3,029 K, whose name speaks of credit, and other liabilities 25 K
    expect(debt.unidentified.toString()).toBe('9239000');
  });

  it.each([
    ['a facility under a name of its own', noncurrent, 'riot:CoinbaseFacility', 'LOW/HIGH', 253_243_000],
    ['an amount due to a lender', noncurrent, 'riot:AmountsDueToLender', 'LOW/HIGH', 253_243_000],
    ['other liabilities', noncurrent, 'us-gaap:OtherLiabilities', 'LOW/HIGH', 253_243_000],
    ['a current facility', current, 'riot:CoinbaseFacility', 'MODERATE/HIGH', 586_501_000],
  ])('refuse a tier where the debt is filed as %s', (_, from, to, bands, proven) => {
    const debt = debtOf(renamed(faceOf('RIOT 2025-09-30').filing, from, to), riot);
    expect(debt).toMatchObject({ coverage: 'low_confidence_missing_debt', method: null });
    expect(debt.notes).toContain(`tier_depends_on_candidate:${bands}`);
    expect(debt.total.toNumber()).toBe(proven);
  });

  it('refuse a zero where both debts are filed so: the lines that add up do not say that there is none', () => {
    const { filing } = faceOf('RIOT 2025-09-30');
    const both = renamed(renamed(filing, current, 'riot:FacilityCurrent'), noncurrent, 'riot:Facility');
    const debt = debtOf(both, riot);
    expect(debt.coverage).toBe('low_confidence_missing_debt');
    expect(debt.notes).toContain('tier_depends_on_candidate:LOW/HIGH');
  });

  it('are those of a walk alone: what a filed total leaves over beside single facts has no names to read', () => {
    const { filing } = faceOf('RIOT 2025-09-30');
    const dimensions = [{ axis: 'us-gaap:CreditFacilityAxis', member: 'riot:TermMember', typed: false }];
    const facts = filing.facts.map((fact) => (fact.concept === current ? { ...fact, dimensions } : fact));
    const debt = debtOf(withFacts(filing, facts), riot);
    expect(debt).toMatchObject({ coverage: 'resolved_nonzero', method: 'direct_precedence' });
    expect(debt.total.toString()).toBe('586501000');
  });

  it('change nothing where the tier is the same with them: 40 times the coins', () => {
    const debt = debtOf(renamed(faceOf('RIOT 2025-09-30').filing, noncurrent, 'riot:CoinbaseFacility'), {
      ...riot,
      coins: '88002120000',
    });
    expect(debt.coverage).toBe('resolved_nonzero');
  });

  it('say nothing over coins that are themselves not proven', () => {
    const { debt } = readBalance(
      renamed(faceOf('RIOT 2025-09-30').filing, noncurrent, 'riot:CoinbaseFacility'),
      {
        period: riot.period,
        parameters,
      },
    );
    const coins = ExactDecimal.parse(riot.coins);
    expect(provenDebt(debt, { coins, areCoinsProven: false, parameters })).toBe(debt);
  });
});
