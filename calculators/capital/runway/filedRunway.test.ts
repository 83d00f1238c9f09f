import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { coinFilings } from '../../../fixtures/builders/coinTables.ts';
import { loanFact } from '../../../fixtures/builders/facilityTables.ts';
import { registryParameters as parameters } from '../../../fixtures/builders/registryParameters.ts';
import { statedFacts } from '../../crypto/statedFacts.ts';
import { unresolvedDebt } from '../../debt/debtResolution.ts';
import type { CalculationArc, InstanceFact } from '../../filing/xbrlFiling.ts';
import type { Figure } from '../figure.ts';
import { type FiledRunway, filedRunway } from './filedRunway.ts';

function text(figure: Figure): string {
  return figure.value === null ? (figure.part ?? figure.reason) : `${figure.value}`;
}

/** currency months | cash | restricted | operating flow | coin dealings | coin sales | interest | dividends | current debt */
function line(runway: FiledRunway): string {
  return [
    `${runway.currency} ${runway.months}`,
    text(runway.cash),
    text(runway.restrictedCash),
    text(runway.operatingCash),
    text(runway.coinDealings),
    text(runway.coinSaleProceeds),
    text(runway.interestPaid),
    text(runway.dividendsDeclared),
    text(runway.currentDebt),
  ].join(' | ');
}

const none = 'not_filed';
const expected: Readonly<Record<string, string>> = {
  'clsk-20250630': `USD 9 | 34553000 | 3462000 | -341623000 | ${none} | 127625000 | 4575000 | 10744000 | 176424000`,
  'mstr-20240331': `USD 3 | 81326000 | 2402000 | 28587000 | ${none} | ${none} | ${none} | ${none} | 492000`,
  'riot-20250930': `USD 9 | 330745000 | 75612000 | -467400000 | ${none} | 290953000 | 9885000 | ${none} | 253243000`,
  'lits-20250930': `USD 3 | 10113000 | 0 | -4508000 | ${none} | ${none} | ${none} | ${none} | 0`,
  'btcs-20250930': `USD 9 | 4486051 | 0 | -6031947 | ${none} | ${none} | 300392 | ${none} | 56500000`,
  'tmb-20250930': `USD 9 | 20588596 | 0 | -31039539 | ${none} | ${none} | 110432 | ${none} | 3800000`,
  'btbt-20250930': `USD 9 | 179118182 | 3732792 | -204864851 | -141867759 | ${none} | ${none} | ${none} | 0`,
  'game-20250930': `USD 9 | 6012219 | 1475593 | -17255117 | ${none} | ${none} | 506465 | ${none} | 0`,
  'dfdv-20250930': `USD 9 | 8801000 | ${none} | -7041000 | ${none} | ${none} | 248000 | ${none} | 70598000`,
  'ddc-20241231': `CNY 12 | 60957156 | 0 | -112907188 | ${none} | ${none} | 9553499 | ${none} | debt`,
  'bmnr-20251130': `USD 3 | 887678000 | 0 | -228356000 | -371000 | ${none} | ${none} | ${none} | 0`,
  'fld-20250930': `USD 9 | 6663463 | 0 | -11426231 | ${none} | 0 | ${none} | ${none} | 0`,
};

describe('filed cash and its flow (M18.60–M18.62)', () => {
  const filings = coinFilings().filter(({ stem }) => expected[stem] !== undefined);

  it.each(filings)('of $stem', (filing) => {
    const facts = statedFacts(filing.facts, parameters.concepts);
    expect(line(filedRunway({ filing, facts, debt: filing.debt }))).toBe(expected[filing.stem]);
  });
});

const period = '2025-09-30';
type Stated = Omit<Parameters<typeof loanFact>[0], 'end'>;
const instant = (fact: Stated) => loanFact({ ...fact, end: period });
const flow = (fact: Stated) => loanFact({ start: '2025-01-01', ...fact, end: period });
const of = (facts: readonly InstanceFact[], arcs: readonly CalculationArc[] = []) =>
  filedRunway({
    filing: { period },
    facts: statedFacts(facts, parameters.concepts),
    debt: unresolvedDebt,
    arcs,
  });

describe('cash (M18.60)', () => {
  const cash = instant({ concept: 'us-gaap:CashAndCashEquivalentsAtCarryingValue', value: '179118182' });
  const current = instant({ concept: 'us-gaap:RestrictedCashCurrent', value: '3732792' });

  it('has no total for a restriction: cash and restricted cash together under that name (BTBT, CLSK)', () => {
    const named = instant({ concept: 'us-gaap:RestrictedCashAndCashEquivalents', value: '182850974' });
    expect(of([cash, current, named]).restrictedCash).toMatchObject({
      status: 'stated',
      basis: 'restricted_cash',
    });
    expect(text(of([cash, current, named]).restrictedCash)).toBe('3732792');
    const other = instant({ concept: 'us-gaap:RestrictedCashAndCashEquivalents', value: '182850975' });
    expect(text(of([cash, current, other]).restrictedCash)).toBe('182850975');
  });

  it('proves what is restricted by the total of both (RIOT), a rounded one included (DDC)', () => {
    const whole = 'us-gaap:CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents';
    const total = instant({ concept: whole, value: '182850974' });
    expect(of([cash, current, total]).restrictedCash).toMatchObject({ status: 'proven' });
    const noncurrent = instant({ concept: 'us-gaap:RestrictedCashNoncurrent', value: '1000000' });
    const both = instant({ concept: whole, value: '183850974' });
    expect(of([cash, current, noncurrent, both]).restrictedCash).toMatchObject({ status: 'proven' });
    expect(text(of([cash, current, noncurrent, both]).restrictedCash)).toBe('4732792');
    const same = instant({ concept: whole, value: '179118182' });
    const rounded = instant({
      concept: 'us-gaap:RestrictedCashAndCashEquivalents',
      value: '179100000',
      decimals: -5,
    });
    expect(text(of([cash, same, rounded]).restrictedCash)).toBe('0');
  });

  it('is the total less what is restricted where no cash of its own is filed (DFDV)', () => {
    const whole = 'us-gaap:CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents';
    const total = instant({ concept: whole, value: '8801000' });
    const bound = of([total, instant({ concept: 'us-gaap:RestrictedCash', value: '801000' })]);
    expect([text(bound.cash), text(bound.restrictedCash), bound.notes]).toEqual(['8000000', '801000', []]);
    expect([text(of([total]).cash), of([total]).notes]).toEqual(['8801000', ['cash_may_be_restricted']]);
  });

  it('is in the currency of the statements, not in the convenience translation (DDC)', () => {
    const usd = ['Cash', 'Assets'].map((name) => instant({ concept: `us-gaap:${name}`, value: '8351096' }));
    const cny = ['Cash', 'Assets', 'Liabilities'].map((name) =>
      instant({ concept: `us-gaap:${name}`, value: '60957156', unit: 'CNY' }),
    );
    const found = of([...usd, ...cny]);
    expect([found.currency, text(found.cash)]).toEqual(['CNY', '60957156']);
  });
});

describe('the operating flow (M18.61)', () => {
  const operating = 'us-gaap:NetCashProvidedByUsedInOperatingActivities';

  it('is that of the year to date, whose months it divides by', () => {
    const year = flow({ concept: operating, value: '-9000000' });
    const quarter = flow({ concept: operating, value: '-2000000', start: '2025-07-01' });
    const found = of([quarter, year]);
    expect([text(found.operatingCash), found.months]).toEqual(['-9000000', 9]);
    const older = loanFact({ concept: operating, value: '-1', start: '2024-01-01', end: '2024-09-30' });
    expect(text(of([older]).operatingCash)).toBe('not_filed');
  });

  it('holds coin dealings with the weight the filing gives them (BTBT)', () => {
    const dealings = 'x:IncreaseDecreaseInDigitalAssets';
    const facts = [
      flow({ concept: operating, value: '-204864851' }),
      flow({ concept: dealings, value: '141867759' }),
    ];
    const arc = {
      role: 'x:role',
      from: operating,
      to: dealings,
      weight: ExactDecimal.parse('-1'),
      order: 1,
      version: '1.0' as const,
    };
    expect(text(of(facts).coinDealings)).toBe('141867759');
    expect(text(of(facts, [arc]).coinDealings)).toBe('-141867759');
    const payable = flow({ concept: 'x:IncreaseDecreaseInDigitalAssetLoansPayable', value: '5' });
    expect(text(of([...facts, payable], [arc]).coinDealings)).toBe('-141867759');
  });

  it('leaves coin sales of investing beside it, an amount of two names once (RIOT, CLSK)', () => {
    const facts = [
      flow({ concept: operating, value: '-467400000' }),
      flow({ concept: 'x:ProceedsFromSaleOfBitcoin', value: '290953000' }),
      flow({ concept: 'us-gaap:ProceedsFromDisposalCryptoAsset', value: '290953000' }),
      flow({ concept: 'x:ProceedsFromSaleOfBitcoinMiners', value: '42832000' }),
    ];
    expect([text(of(facts).coinSaleProceeds), text(of(facts).operatingCash)]).toEqual([
      '290953000',
      '-467400000',
    ]);
  });

  it('lacks the interest that an IFRS filer states in financing, and holds that stated in operating', () => {
    const flows = 'ifrs-full:CashFlowsFromUsedInOperatingActivities';
    const cash = instant({ concept: 'ifrs-full:CashAndCashEquivalents', value: '5000000' });
    const financed = flow({
      concept: 'ifrs-full:InterestPaidClassifiedAsFinancingActivities',
      value: '90000',
    });
    const within = flow({ concept: 'ifrs-full:InterestPaidClassifiedAsOperatingActivities', value: '90000' });
    const found = of([cash, flow({ concept: flows, value: '-900000' }), financed]);
    expect([text(found.cash), text(found.operatingCash)]).toEqual(['5000000', '-900000']);
    expect([text(found.financedInterest), text(found.interestPaid)]).toEqual(['90000', 'not_filed']);
    const other = of([cash, flow({ concept: flows, value: '-900000' }), within]);
    expect([text(other.financedInterest), text(other.interestPaid)]).toEqual(['not_filed', '90000']);
  });
});

describe('current debt (M18.63)', () => {
  const debtOf = (concept: string) => ({
    ...unresolvedDebt,
    method: 'face_order' as const,
    total: ExactDecimal.parse('100'),
    noncurrent: ExactDecimal.parse('100'),
    roots: [{ concept, value: ExactDecimal.parse('100') }] as unknown as typeof unresolvedDebt.roots,
  });
  const balance = instant({ concept: 'us-gaap:Liabilities', value: '500' });
  const classified = instant({ concept: 'us-gaap:LiabilitiesCurrent', value: '50' });
  const ask = (concept: string, facts: readonly InstanceFact[]) =>
    text(
      filedRunway({
        filing: { period },
        facts: statedFacts(facts, parameters.concepts),
        debt: debtOf(concept),
      }).currentDebt,
    );

  it('is not zero where one line holds all debt and no liabilities are called current', () => {
    expect(ask('us-gaap:LongTermDebt', [balance])).toBe('debt');
    expect(ask('us-gaap:LongTermDebt', [balance, classified])).toBe('0');
    expect(ask('us-gaap:LongTermDebtNoncurrent', [balance])).toBe('0');
  });
});
