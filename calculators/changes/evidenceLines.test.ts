import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { evidenceFilings, evidenceLine, evidenceLines, type FactChange } from './evidenceLines.ts';
import { tagFamily } from './tagFamily.ts';

const { concepts } = registryParameters;

const decimal = (text: string | null) => (text === null ? null : ExactDecimal.parse(text));

function change({
  kind,
  concept,
  taxonomy,
  unit,
  start,
  end,
  accession,
  before,
  after,
  prior,
}: {
  kind?: FactChange['kind'];
  concept?: string;
  taxonomy?: string;
  unit?: string;
  start?: string;
  end?: string;
  accession?: string;
  before?: string;
  after?: string;
  prior?: string;
}): FactChange {
  return {
    kind: kind ?? 'added',
    taxonomy: taxonomy ?? 'us-gaap',
    concept: concept ?? 'Assets',
    unit: unit ?? 'USD',
    start: start ?? null,
    end: end ?? '2025-11-30',
    accession: accession ?? '0001493152-26-002084',
    form: '10-Q',
    filed: '2026-01-13',
    before: decimal(before ?? null),
    after: decimal(after ?? null),
    restated: prior !== undefined,
    prior: decimal(prior ?? null),
  };
}

describe('evidenceLine (M6.5)', () => {
  it('writes the line of the contract for an added row', () => {
    expect(evidenceLine(change({ after: '11487275000' }))).toBe(
      '+ us-gaap:Assets [USD] 2025-11-30 = 11487275000 accn=0001493152-26-002084 form=10-Q filed=2026-01-13',
    );
  });

  it('writes durations, revised and restated values with what they were, every digit kept', () => {
    expect(
      evidenceLine(
        change({
          kind: 'revised',
          start: '2025-09-01',
          before: '9007199254740992',
          after: '9007199254740993',
        }),
      ),
    ).toBe(
      '~ us-gaap:Assets [USD] 2025-09-01..2025-11-30 = 9007199254740993 (was 9007199254740992) accn=0001493152-26-002084 form=10-Q filed=2026-01-13',
    );
    expect(evidenceLine(change({ after: '446192000', prior: '553045000' }))).toContain(
      '= 446192000 (was 553045000) accn=',
    );
    expect(evidenceLine(change({ after: '-0.08', prior: '-0.08' }))).toContain('= -0.08 accn=');
    expect(evidenceLine(change({ kind: 'removed', before: '1.5' }))).toBe(
      '- us-gaap:Assets [USD] 2025-11-30 = 1.5 accn=0001493152-26-002084 form=10-Q filed=2026-01-13',
    );
  });
});

describe('evidenceLines (I2.33)', () => {
  const rows = [
    change({ concept: 'Liabilities', after: '1' }),
    change({ concept: 'Assets', end: '2025-12-31', after: '1' }),
    change({ concept: 'Assets', accession: '0000000002-25-000001', after: '1' }),
    change({ concept: 'Assets', accession: '0000000001-25-000001', after: '1' }),
    change({ taxonomy: 'dei', concept: 'EntityCommonStockSharesOutstanding', unit: 'shares', after: '1' }),
  ];

  it('orders by concept, period end and accession, whatever the order of the rows, and counts from 0', () => {
    const lines = evidenceLines(rows, { holdsCoins: true, concepts });
    expect(
      lines.map(
        (line) =>
          `${line.index} ${line.concept} ${line.tag
            .match(/\] (\S+) .*accn=(\S+)/)
            ?.slice(1)
            .join(' ')}`,
      ),
    ).toEqual([
      '0 dei:EntityCommonStockSharesOutstanding 2025-11-30 0001493152-26-002084',
      '1 us-gaap:Assets 2025-11-30 0000000001-25-000001',
      '2 us-gaap:Assets 2025-11-30 0000000002-25-000001',
      '3 us-gaap:Assets 2025-12-31 0001493152-26-002084',
      '4 us-gaap:Liabilities 2025-11-30 0001493152-26-002084',
    ]);
    expect(evidenceLines(rows.toReversed(), { holdsCoins: true, concepts })).toEqual(lines);
  });
});

describe('evidenceFilings (I1.13a)', () => {
  it('names each filing of the lines once, the earliest first, and links all but placeholders', () => {
    const filed = (accession: string, day: string) => ({ ...change({ accession }), filed: day });
    const rows = [
      filed('0001493152-26-002084', '2026-01-13'),
      filed('0001493152-26-002084', '2026-01-13'),
      filed('0000000000-25-016698', '2026-01-13'),
      filed('0001493152-25-027000', '2025-11-21'),
    ];
    expect(evidenceFilings(rows, { cik: '0001829311' })).toEqual([
      {
        accession_number: '0001493152-25-027000',
        filing_url:
          'https://www.sec.gov/Archives/edgar/data/1829311/000149315225027000/0001493152-25-027000-index.htm',
      },
      { accession_number: '0000000000-25-016698', filing_url: null },
      {
        accession_number: '0001493152-26-002084',
        filing_url:
          'https://www.sec.gov/Archives/edgar/data/1829311/000149315226002084/0001493152-26-002084-index.htm',
      },
    ]);
  });
});

describe('tagFamily', () => {
  it.each([
    ['crypto', 'us-gaap:CryptoAssetFairValue'],
    ['crypto', 'us-gaap:PaymentForAcquisitionCryptoAsset'],
    ['crypto', 'us-gaap:IndefiniteLivedIntangibleAssetsExcludingGoodwill'],
    ['debt', 'us-gaap:LongTermDebtNoncurrent'],
    ['debt', 'us-gaap:ProceedsFromConvertibleNotesPayable'],
    ['debt', 'us-gaap:RepaymentsOfLongTermDebt'],
    ['liquidity', 'us-gaap:CashAndCashEquivalentsAtCarryingValue'],
    ['liquidity', 'us-gaap:AssetsCurrent'],
    ['equity', 'us-gaap:StockholdersEquity'],
    ['equity', 'us-gaap:AdditionalPaidInCapital'],
    ['income', 'us-gaap:Revenues'],
    ['income', 'us-gaap:InterestExpense'],
    ['income', 'us-gaap:OperatingIncomeLoss'],
    ['other', 'us-gaap:Assets'],
    ['other', 'us-gaap:DebtSecuritiesAvailableForSale'],
    ['dei', 'dei:EntityPublicFloat'],
  ])('counts to %s: %s', (family, name) => {
    const [taxonomy = '', concept = ''] = name.split(':');
    expect(tagFamily({ taxonomy, concept, unit: 'USD' }, { holdsCoins: true, concepts })).toBe(family);
  });

  it('reads the intangible line as coins for issuers of the universe only, and shares by their unit', () => {
    const intangible = {
      taxonomy: 'us-gaap',
      concept: 'IndefiniteLivedIntangibleAssetsExcludingGoodwill',
      unit: 'USD',
    };
    expect(tagFamily(intangible, { holdsCoins: false, concepts })).toBe('other');
    const shares = { taxonomy: 'us-gaap', concept: 'StockIssuedDuringPeriodSharesNewIssues', unit: 'shares' };
    expect(tagFamily(shares, { holdsCoins: true, concepts })).toBe('shares');
  });
});
