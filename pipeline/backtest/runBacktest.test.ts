import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { RiskTier } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../fixtures/rigs/handMadeWarehouse.ts';
import { writeStressRows } from '../warehouse/derived/stressRows.ts';
import { selectObservations } from './runBacktest.ts';

const cik = '0001050446';
let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

function row({
  date,
  period,
  accession,
  tier,
  stress,
}: {
  date: string;
  period: string;
  accession: string;
  tier: RiskTier;
  stress: number;
}): CovenantStress {
  return {
    source_date: date,
    cik,
    ticker: 'MSTR',
    accession_number: accession,
    period,
    core_model: 'core-ltv-1.0',
    total_long_term_debt: ExactDecimal.parse('2379014000'),
    total_crypto_fair_value: ExactDecimal.parse('2193712400'),
    stress_30pct: 1.549242,
    stress_50pct: stress,
    stress_70pct: 3.614898,
    breach_probability_1y: 1,
    risk_tier: tier,
    quality_flag: 'High',
    data_source: 'linkbase_rooted_facts',
    is_linkbase_backed: true,
    calculation_arc_count: 42,
    debt_coverage_status: 'resolved_nonzero',
    root_resolution_method: 'bs_liabilities_walk',
    root_resolution_details: [],
    extension_root_concepts: [],
    mapping_hit_count: 4,
  };
}

const put = (version: string, ...rows: CovenantStress[]) =>
  writeStressRows(warehouse.connection, rows, {
    sourceDate: rows[0]?.source_date ?? '',
    methodVersion: version,
    trails: new Map(),
  });

describe('observations of the warehouse', () => {
  const tenK = { period: '2022-12-31', accession: '0001564590-23-002012' };
  const tenQ = { period: '2023-03-31', accession: '0000950170-23-016229' };

  it('takes the first row of each filing, known on its own source date (M10.2)', async () => {
    await put('params-1.2', row({ ...tenK, date: '2023-02-17', tier: 'CRITICAL', stress: 2.168939 }));
    await put('params-1.2', row({ ...tenK, date: '2023-02-16', tier: 'CRITICAL', stress: 2.168939 }));
    await put('params-1.2', row({ ...tenQ, date: '2023-05-02', tier: 'HIGH', stress: 0.9 }));
    const found = await selectObservations(warehouse.connection);
    expect(found.map(({ knownOn, period, tier }) => `${knownOn} ${period} ${tier}`)).toEqual([
      '2023-02-16 2022-12-31 CRITICAL',
      '2023-05-02 2023-03-31 HIGH',
    ]);
    expect(found[0]?.loanToValue).toBeCloseTo(1.08447, 5);
  });

  it('takes the newest method version of a source date; 1.10 is newer than 1.9 (M10.4)', async () => {
    await put('params-1.10', row({ ...tenK, date: '2023-02-16', tier: 'HIGH', stress: 0.9 }));
    await put('params-1.9', row({ ...tenK, date: '2023-02-16', tier: 'CRITICAL', stress: 2.168939 }));
    expect((await selectObservations(warehouse.connection)).map(({ tier }) => tier)).toEqual(['HIGH']);
  });

  it('reads the baselines from the same filing only, and Z″ from twelve months of income', async () => {
    await put('params-1.2', row({ ...tenK, date: '2023-02-16', tier: 'CRITICAL', stress: 2.168939 }));
    const fact = (concept: string, value: string, more: object = {}) => ({
      cik,
      concept,
      value,
      end: '2022-12-31',
      accession: tenK.accession,
      form: '10-K',
      filed: '2023-02-16',
      ...more,
    });
    await warehouse.putFacts([
      fact('Assets', '4000'),
      fact('Assets', '9999', { accession: '0000950170-24-015847', filed: '2024-02-15' }),
      fact('AssetsCurrent', '1600'),
      fact('LiabilitiesCurrent', '800'),
      fact('RetainedEarningsAccumulatedDeficit', '400'),
      fact('StockholdersEquity', '2000'),
      fact('Liabilities', '2000'),
      fact('OperatingIncomeLoss', '200', { start: '2022-01-01' }),
      fact('OperatingIncomeLoss', '9000', { start: '2022-10-01' }),
    ]);
    const [found] = await selectObservations(warehouse.connection);
    expect(found?.debtToAssets).toBeCloseTo(2379014000 / 4000, 6);
    // the balance sheet of the Z″ test, times forty
    expect(found?.altmanZ).toBeCloseTo(3.024, 9);
  });

  it('has no baseline where the filing lacks an item', async () => {
    await put('params-1.2', row({ ...tenK, date: '2023-02-16', tier: 'CRITICAL', stress: 2.168939 }));
    expect(await selectObservations(warehouse.connection)).toMatchObject([
      { debtToAssets: null, altmanZ: null, origin: 'warehouse', scope: 'entity' },
    ]);
  });
});
