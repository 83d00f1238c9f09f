import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { debtOfFacts as resolve } from '../../fixtures/builders/debtOfFacts.ts';
import { filedFact, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { factSheet } from '../filing/factSheet.ts';

describe('laws of debt resolution', () => {
  const concepts = registryParameters.concepts.debt.flatMap((row) => [
    row.concept,
    row.leasePart ?? row.concept,
  ]);
  const anyBalance = fc.dictionary(
    fc.constantFrom(...concepts, 'us-gaap:Liabilities'),
    fc.nat({ max: 10_000 }),
    {
      maxKeys: 8,
    },
  );

  it('splits the total exactly, above zero only when resolved, within liabilities (M15.5, M15.6, M15.13)', () => {
    fc.assert(
      fc.property(anyBalance, (balance) => {
        const found = resolve({ balance });
        expect(found.total.equals(found.current.plus(found.noncurrent))).toBe(true);
        expect(found.current.sign).toBeGreaterThanOrEqual(0);
        expect(found.noncurrent.sign).toBeGreaterThanOrEqual(0);
        expect(found.total.sign > 0).toBe(found.coverage === 'resolved_nonzero');
        const liabilities = balance['us-gaap:Liabilities'];
        if (liabilities !== undefined) {
          expect(found.total.toNumber()).toBeLessThanOrEqual(liabilities * 1.001);
        }
      }),
    );
  });

  it('prints roots that add up to the total (M1.28)', () => {
    fc.assert(
      fc.property(anyBalance, (balance) => {
        const found = resolve({ balance });
        if (found.method !== 'direct_precedence') return;
        const sum = found.details.reduce((total, line) => {
          const [, value = '', sign = ''] = /= (\S+) via direct_precedence w=([+-]1)/.exec(line) ?? [];
          return total.plus(ExactDecimal.parse(value).times(ExactDecimal.parse(sign)));
        }, ExactDecimal.zero);
        expect(sum.toString()).toBe(found.total.toString());
      }),
    );
  });

  it('does not depend on the order of facts (M15.2)', () => {
    fc.assert(
      fc.property(anyBalance, fc.infiniteStream(fc.nat()), (balance, keys) => {
        const inputs = issuerInputs({ balance });
        const shuffled = inputs.facts
          .map((fact) => ({ fact, key: keys.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ fact }) => fact);
        expect(resolve({ facts: shuffled })).toEqual(resolve({ balance }));
      }),
    );
  });

  it('ignores consistent duplicates and blocks contradicting ones (M1.8, M15.9)', () => {
    const inputs = issuerInputs({ balance: { LongTermDebtNoncurrent: 100, NotesPayableCurrent: 7 } });
    expect(resolve({ facts: [...inputs.facts, ...inputs.facts] }).total.toNumber()).toBe(107);
    const contradiction = filedFact(inputs.filing, { concept: 'LongTermDebtNoncurrent', value: 101 });
    const found = resolve({ facts: [...inputs.facts, contradiction] });
    expect(found.total.toNumber()).toBe(7);
    expect(
      factSheet(issuerInputs({ facts: [...inputs.facts, contradiction] }), '2026-02-07').isBlocked(
        'us-gaap:LongTermDebtNoncurrent',
      ),
    ).toBe(true);
  });

  it('ignores face, fair value, maturity, repayment and customer facts (M1.6, M15.10, M15.15)', () => {
    const disclosure = fc.constantFrom(
      'DebtInstrumentFaceAmount',
      'LongTermDebtFairValue',
      'ConvertibleDebtFairValueDisclosures',
      'LongTermDebtMaturitiesRepaymentsOfPrincipalInYearTwo',
      'srt:SafeguardingLiabilityPlatformOperatorCryptoAsset',
      'srt:PlatformOperatorCryptoAssetHeldForUser',
      'OperatingLeaseLiability',
      'TemporaryEquityCarryingAmountAttributableToParent',
    );
    const balance = { LongTermDebtNoncurrent: 100, DebtCurrent: 20, Liabilities: 500 };
    const plain = resolve({ balance });
    fc.assert(
      fc.property(disclosure, fc.nat({ max: 10 ** 9 }), (concept, value) => {
        const found = resolve({ balance: { ...balance, [concept]: value } });
        expect([found.total, found.details]).toEqual([plain.total, plain.details]);
      }),
    );
  });

  it('ignores other dates, units and accessions (M1.7, M1.10)', () => {
    const { filing } = issuerInputs({});
    const facts = [
      filedFact(filing, { concept: 'LongTermDebtNoncurrent', value: 100 }),
      filedFact(filing, { concept: 'DebtCurrent', value: 900, end: '2024-12-31' }),
      filedFact(filing, { concept: 'DebtCurrent', value: 900, unit: 'CNY' }),
      filedFact({ ...filing, accession: '0001193125-25-999999' }, { concept: 'DebtCurrent', value: 900 }),
      filedFact({ ...filing, filed: '2026-02-08' }, { concept: 'DebtCurrent', value: 900 }),
    ];
    expect(resolve({ facts }).total.toNumber()).toBe(100);
  });
});
