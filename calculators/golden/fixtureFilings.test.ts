import { describe, expect, it } from 'vitest';
import { rowOfTables } from '../../fixtures/builders/rowOfTables.ts';
import { faultyPackage, harmlessFaults, xbrlFaults } from '../../fixtures/builders/xbrlFaults.ts';
import { filesOfPackage } from '../../fixtures/builders/xbrlFiling.ts';
import { filersArcs, filingOfTables } from '../../fixtures/builders/xbrlFilingOfTables.ts';
import { readXbrlExpectations, xbrlTablesOf } from '../../fixtures/builders/xbrlTables.ts';
import { loadFiling } from '../../pipeline/xbrl/loadFiling.ts';

const expectations = await readXbrlExpectations();
const filings = [...new Set(expectations.map(({ ticker, period }) => `${ticker} ${period}`))];

describe.each(filings)('fixture filing %s', (name) => {
  const [ticker = '', period = ''] = name.split(' ');
  const expected = expectations.filter((row) => row.ticker === ticker && row.period === period);

  it('gives the worked-out row', async () => {
    const tables = await xbrlTablesOf(ticker, period);
    const { stress, fundamentals, trail } = rowOfTables(tables, { xbrl: filersArcs(tables) });
    const [debt, coins] = trail?.ratio.children ?? [];
    const roots = (side: typeof debt) => side?.children.map((root) => root.concept).sort();
    const actual: Readonly<Record<string, unknown>> = {
      ...stress,
      debt_root_concepts: roots(debt)?.join(' '),
      crypto_root_concepts: roots(coins)?.join(' '),
      debt_extension_roots: stress.extension_root_concepts.filter((c) => roots(debt)?.includes(c)).join(' '),
      crypto_extension_roots: stress.extension_root_concepts
        .filter((c) => roots(coins)?.includes(c))
        .join(' '),
      total_equity: fundamentals.fundamentals.total_equity,
    };
    const seen: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    for (const { field, value } of expected) {
      if (!(field in actual)) continue;
      seen[field] = String(actual[field]);
      wanted[field] = value;
    }
    expect(seen).toEqual(wanted);
  });
});

it('is Medium at most under a placeholder accession (M1.42, M1.45: FLD)', async () => {
  const { stress } = rowOfTables(await xbrlTablesOf('FLD', '2025-09-30'), { isPlaceholder: true });
  expect(stress).toMatchObject({ quality_flag: 'Medium', core_tier: 'Oscillator' });
  expect(stress.data_quality_notes).toContain('accession_placeholder');
});

it('says that the arcs of a filing are ours, which give no Tower and no quality High (M1.42, M1.46: FLD)', async () => {
  const tables = await xbrlTablesOf('FLD', '2025-09-30');
  const authored = { arcs_authored: true, quality_flag: 'Medium', core_tier: 'Oscillator' };
  expect(rowOfTables(tables).stress).toMatchObject(authored);
  const filed = rowOfTables(tables, { xbrl: filersArcs(tables) }).stress;
  expect(filed).toMatchObject({ quality_flag: 'High', core_tier: 'Tower' });
  expect(filed).not.toHaveProperty('arcs_authored');
});

it('takes the decimals of a figure from the instance (I2.11: CLSK in thousands, FLD in dollars)', async () => {
  const decimalsOf = async (ticker: string, period: string) => {
    const { fundamentals } = rowOfTables(await xbrlTablesOf(ticker, period));
    const { total_assets: assets, net_income: income } = fundamentals.provenance.facts;
    return [assets?.decimals, income?.decimals];
  };
  expect(await decimalsOf('CLSK', '2025-06-30')).toEqual([-3, -3]);
  expect(await decimalsOf('FLD', '2025-09-30')).toEqual([0, 0]);
});

/** What a fault is called in the notes of the row (M13.3). */
const notedFaults: Readonly<Record<string, string>> = {
  directed_cycle: 'cyclic_network',
  inconsistent_duplicate: 'inconsistent_duplicate:us-gaap:Liabilities',
};

describe.each(['MSTR', 'CLSK', 'DFDV', 'FLD', 'BTCS', 'KULR', 'GAME'])('damaged packages of %s', (ticker) => {
  const period = ticker === 'CLSK' ? '2025-06-30' : '2025-09-30';

  it.each(xbrlFaults)('%s never gives a wrong number', async (fault) => {
    const tables = await xbrlTablesOf(ticker, period);
    const sound = rowOfTables(tables).stress;
    const xbrl = await loadFiling({
      cik: tables.cik,
      accession: tables.accession,
      files: filesOfPackage(faultyPackage(tables, fault)),
    });
    const { stress, trail } = rowOfTables(tables, { xbrl });
    const [debt, coins] = [stress.total_long_term_debt, stress.total_crypto_fair_value].map(String);
    const isSame = debt === String(sound.total_long_term_debt);
    if (harmlessFaults.includes(fault)) {
      expect([debt, coins]).toEqual([sound.total_long_term_debt, sound.total_crypto_fair_value].map(String));
    }
    const noted = notedFaults[fault];
    if (noted !== undefined) expect(stress.data_quality_notes).toContain(noted);
    // nil is a statement of the filer: reported, no amount (M1.9)
    if (fault === 'nil_face') return;
    if (stress.debt_coverage_status === 'low_confidence_missing_debt') {
      expect(stress).toMatchObject({ quality_flag: 'Low', core_tier: 'Coil', is_linkbase_backed: false });
    } else if (stress.is_linkbase_backed) {
      expect(isSame).toBe(true);
    } else {
      expect(stress.quality_flag).not.toBe('High');
      expect(isSame || stress.quality_flag === 'Low').toBe(true);
    }
    const rungs = trail?.ratio.children.flatMap((total) => total.rungs) ?? [];
    expect(rungs.every((rung) => rung.reason !== '')).toBe(true);
    expect(stress.is_linkbase_backed || rungs.some((rung) => !rung.taken)).toBe(true);
  });
});

it('gives the same row but for the loans whose facts are taken away (M15.70: KULR)', async () => {
  const tables = await xbrlTablesOf('KULR', '2025-09-30');
  const filing = filingOfTables(tables);
  const isOfLoan = ({ dimensions }: (typeof filing.facts)[number]) =>
    dimensions.some(({ member }) => member === 'kutg:LoanAgreementMember');
  const { facilities, ...row } = rowOfTables(tables).stress;
  const { facilities: others, ...without } = rowOfTables(tables, {
    xbrl: { ...filing, facts: filing.facts.filter((fact) => !isOfLoan(fact)) },
  }).stress;
  expect(without).toEqual(row);
  expect(facilities).toMatchObject([{ trigger_ltv: 0.64, margin_call_price: 84821.43 }]);
  expect(others).toMatchObject([{ trigger_ltv: null, margin_call_price: null }]);
});
