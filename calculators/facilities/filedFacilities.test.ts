import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type LoanFiling, loanFilings } from '../../fixtures/builders/facilityTables.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { conceptNames } from '../../pipeline/xbrl/conceptNames.ts';
import { filingDefects } from '../../pipeline/xbrl/filingDefects.ts';
import { readInstance } from '../../pipeline/xbrl/readInstance.ts';
import type { InstanceFact } from '../filing/xbrlFiling.ts';
import { priceBook } from '../prices/priceBook.ts';
import type { Facilities } from './facility.ts';
import { resolveFacilities } from './resolveFacilities.ts';

const parameters = registryParameters;
const closes = {
  BTC: {
    '2022-03-31': 45538.67578125,
    '2024-03-31': 71312.91,
    '2025-03-31': 82539.52,
    '2025-06-30': 107169.82,
    '2025-09-30': 114078.18,
  },
  SOL: { '2025-09-30': 208.75 },
};
const prices = priceBook(
  Object.entries(closes).flatMap(([asset, days]) =>
    Object.entries(days).map(([date, close]) => ({ date, asset, close, source: 'yahoo' })),
  ),
  parameters,
);
const filings = loanFilings();

function facilitiesOf(filing: LoanFiling, facts: readonly InstanceFact[] = filing.facts): Facilities {
  return resolveFacilities({
    filing,
    xbrl: { facts },
    debt: null,
    holdings: { amount: ExactDecimal.zero, measurement: null },
    mix: [{ asset: filing.asset, amount: ExactDecimal.parse('1') }],
    fiscalYearStart: filing.fiscalYearStart,
    prices,
    parameters,
  });
}

/** day | loan | drawn | basis | limit | coin | coins | filed value | trigger | confidence, notes; worked out from the facts as filed */
const expected: Readonly<Record<string, readonly string[]>> = {
  'mstr-20220331': [
    '2022-03-31 | SecuredNotesDueTwentyTwentyEightMember | 488382000 | carrying_net |  | BTC | 14109 |  |  | Medium',
    '2022-03-31 | SecuredTermLoanDueTwentyTwentyFiveMember | 205000000 | face_confirmed |  | BTC | 19466 |  | maintenance_maximum 0.5 | High',
  ],
  'mstr-20240331': [
    '2024-03-31 | SecuredNotesDueTwentyTwentyEightMember | 491622000 | carrying_net |  | BTC | 38557 |  |  | Medium',
  ],
  'riot-20250630': [
    '2025-06-30 | TwoHundredMillionCreditFacilityMember | 200000000 | flows | 200000000 | BTC | 3300 | 353672000 |  | Medium',
  ],
  'riot-20250930': [
    '2025-09-30 | TwoHundredMillionCreditFacilityMember | 200000000 | flows | 200000000 | BTC | 3300 | 376423000 |  | Medium',
  ],
  'clsk-20241231': [],
  'clsk-20250630': [
    '2025-06-30 | CoinbaseLineOfCreditMember | 174500000 | carrying_amount | 50000000 | BTC |  | 271491000 |  | Medium facility_limit_exceeded:50000000',
  ],
  'dfdv-20250630': ['after 2025-07-25 | MasterLoanAgreementMember |  |  |  |  |  |  | margin_call 0.5 | Low'],
  'dfdv-20250930': [
    '2025-09-30 | DigitalAssetFinancingArrangementsMember | 70331000 | carrying_net |  | SOL |  | 152248000 |  | Medium',
  ],
  'tmb-20250630': ['after 2025-07-08 | LoanAgreementMember | 8000000 | face |  | BTC | 232 |  |  | Medium'],
  'tmb-20250930': [
    '2025-09-30 | LoanAgreementMember | 3800000 | line_of_credit | 20000000 | BTC | 70 | 7983990 | minimum_coverage 0.64 | Medium',
  ],
  'btcs-20250630': [
    'after 2025-08-11 | DecentralizedFinanceMember | 51702000 | carrying_amount |  | ETH | 38400 |  |  | Medium',
    '2025-06-30 | LoansPayableCurrent | 4000000 | carrying_net |  |  |  |  | liquidation 0.8 | Low',
  ],
  'btcs-20250930': [
    '2025-09-30 | LoansPayableCurrent | 56500000 | carrying_net |  |  |  |  | liquidation 0.8 | Low',
  ],
  'ck0001889123-20250331': [
    '2025-03-31 | MarchTwoThousandTwentyFiveInvestorNoteMember | 46279500 | carrying_amount |  | BTC | 500 |  |  | Medium',
    '2025-03-31 | DecemberTwoThousandTwentyFourInitialInvestorNoteMember | 20000000 | carrying_amount |  | BTC | 300 |  |  | Medium',
  ],
  'fld-20250630': [
    '2025-06-30 | MarchTwoThousandTwentyFiveInvestorNoteMember | 46279500 | carrying_amount |  | BTC | 500 |  |  | Medium',
    '2025-06-30 | DecemberTwoThousandTwentyFourInitialInvestorNoteAndJuneTwoThousandTwentyFiveAmendedInvestorNoteMember | 20000000 | carrying_amount |  | BTC | 300 |  |  | Medium',
  ],
};

function lines({ found }: Facilities): string[] {
  return found.map(({ asOf, isSubsequent, name, drawn, limit, collateral, trigger, confidence, notes }) =>
    [
      isSubsequent ? `after ${asOf}` : asOf,
      name.slice(name.indexOf(':') + 1),
      drawn?.amount ?? '',
      drawn?.basis ?? '',
      limit?.amount ?? '',
      collateral?.asset ?? '',
      collateral?.units ?? '',
      collateral?.basis === 'tagged_value' ? collateral.value : '',
      trigger === null ? '' : `${trigger.kind} ${trigger.ltv}`,
      [confidence, ...notes].join(' '),
    ].join(' | '),
  );
}

describe.each(filings)('loans of $stem', (filing) => {
  it('are those of the facts as filed (M16.11)', () => {
    expect(lines(facilitiesOf(filing))).toEqual(expected[filing.stem]);
  });

  it('are the same in the whole instance, whose facts the table quotes', (ctx) => {
    const folder = `../../../shared/data/edgar/instances/${Number(filing.cik)}/${filing.stem}_htm.xml.gz`;
    const path = new URL(folder, import.meta.url);
    if (!existsSync(path)) return ctx.skip('no ../shared/data/edgar/instances');
    const bytes = gunzipSync(readFileSync(path));
    const instance = readInstance({ bytes, names: conceptNames(), defects: filingDefects() });
    const facts = instance?.facts ?? [];
    expect(lines(facilitiesOf(filing, facts))).toEqual(expected[filing.stem]);
    const stated = new Set(facts.map(textOf));
    expect(filing.facts.map(textOf).filter((text) => !stated.has(text))).toEqual([]);
  });
});

function textOf({ concept, unit, value, decimals, start, end, dimensions }: InstanceFact): string {
  const members = dimensions.map(({ axis, member }) => `${axis}=${member}`).sort();
  return [concept, unit, value, decimals, start, end, ...members].join(' ');
}

describe('one loan under several names', () => {
  const of = (stem: string) => {
    const filing = filings.find((each) => each.stem === stem);
    if (filing === undefined) throw new Error(`no table of ${stem}`);
    return facilitiesOf(filing);
  };

  it('is named by all of them, sorted (MSTR 2022: two members of 205 M)', () => {
    expect(of('mstr-20220331').found[1]?.id).toBe(
      'securedtermloanduetwentytwentyfivemember+twothousandtwentyfivesecuredtermloanmember',
    );
  });

  it('keeps every fact used (MSTR 2022: two faces, the carrying amount, coins and the maximum)', () => {
    const { drawn, collateral, trigger } = of('mstr-20220331').found[1] ?? {};
    const stated = [drawn, collateral, trigger].flatMap((figure) => figure?.facts ?? []);
    expect(stated.map(({ concept, value, date }) => `${concept.split(':')[1]} ${value} ${date}`)).toEqual([
      'DebtInstrumentFaceAmount 205000000 2022-03-23',
      'DebtInstrumentFaceAmount 205000000 2022-03-23',
      'DebtInstrumentFaceAmount 205000000 2022-03-31',
      'LongTermDebt 204588000 2022-03-31',
      'NumberOfBitcoinHeldAsCollateralTwoThousandTwentyFiveTermLoan 19466 2022-03-31',
      'PercentageOfLoanToCollateralValueRatioMaximum 50 2022-03-23',
    ]);
  });

  it('leaves a released pledge out and says so (CLSK 2024-12-31: 0 of bitcoin collateral)', () => {
    expect(of('clsk-20241231').leftOut).toEqual([
      {
        id: 'receivableforbitcoincollateralpledged',
        name: 'clsk:ReceivableForBitcoinCollateralPledged',
        isSubsequent: false,
        reason: 'its pledge is released: the coins pledged at the date are 0',
      },
    ]);
  });
});
