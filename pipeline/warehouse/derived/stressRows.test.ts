import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type CovenantStress,
  covenantStress,
} from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { handMadeTrail } from '../../../fixtures/builders/handMadeTrail.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { tableOf } from '../build/insertRows.ts';
import { readRows } from '../build/readRows.ts';
import { writeStressRows } from './stressRows.ts';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

/** Which issuers have a row on each day, from the newest method version of the day. */
function slices() {
  return readRows(
    warehouse.connection,
    `SELECT source_date::VARCHAR AS day, list(cik ORDER BY cik) AS ciks FROM stress_row
    GROUP BY source_date, method_version
    QUALIFY row_number() OVER (PARTITION BY source_date ORDER BY internal.method_order(method_version) DESC) = 1 ORDER BY day`,
  );
}

function row(cik: string, sourceDate: string, debt = '8173903000'): CovenantStress {
  return {
    source_date: sourceDate,
    cik,
    ticker: 'MSTR',
    accession_number: '0001193125-25-262568',
    period: '2025-09-30',
    core_model: 'core-ltv-1.0',
    total_long_term_debt: ExactDecimal.parse(debt),
    total_crypto_fair_value: ExactDecimal.parse('73205725000'),
    stress_30pct: 0.159509,
    stress_50pct: 0.223313,
    stress_70pct: 0.372189,
    risk_tier: 'LOW',
    quality_flag: 'High',
    data_source: 'direct_facts_fallback',
    is_linkbase_backed: false,
    calculation_arc_count: 0,
    debt_coverage_status: 'resolved_nonzero',
    root_resolution_method: 'direct_precedence',
    root_resolution_details: [],
    extension_root_concepts: [],
    mapping_hit_count: 3,
  };
}

const write = (rows: CovenantStress[], sourceDate: string, methodVersion = 'm-1.0') =>
  writeStressRows(warehouse.connection, rows, { sourceDate, methodVersion });

it('writes typed columns equal to the payload, with every filed digit', async () => {
  await write([row('0001050446', '2025-11-19', '9007199254740993.25')], '2025-11-19');
  const [stress] = await readRows(
    warehouse.connection,
    `SELECT source_date::VARCHAR AS day, total_long_term_debt::VARCHAR AS debt, stress_50pct, period::VARCHAR AS period,
      is_linkbase_backed, charge_level, payload FROM stress`,
  );
  expect(stress).toMatchObject({
    day: '2025-11-19',
    debt: '9007199254740993.250000',
    stress_50pct: 0.223313,
    period: '2025-09-30',
    is_linkbase_backed: false,
    charge_level: null,
  });
  expect(stress?.['payload']).toContain('"total_long_term_debt":9007199254740993.25');
});

it('replaces the rows of the same day and method version and leaves others alone (M10.4)', async () => {
  await write([row('0000000001', '2025-11-18'), row('0000000002', '2025-11-18')], '2025-11-18');
  await write([row('0000000001', '2025-11-19'), row('0000000002', '2025-11-19')], '2025-11-19');
  await write([row('0000000003', '2025-11-19')], '2025-11-19');
  expect(await slices()).toEqual([
    { day: '2025-11-18', ciks: ['0000000001', '0000000002'] },
    { day: '2025-11-19', ciks: ['0000000003'] },
  ]);
});

it('serves history from the newest method version, numbers compared as numbers', async () => {
  await write([row('0000000001', '2025-11-19')], '2025-11-19', 'm-1.9');
  await write([row('0000000002', '2025-11-19')], '2025-11-19', 'm-1.10');
  expect(await slices()).toEqual([{ day: '2025-11-19', ciks: ['0000000002'] }]);
});

it('lists the roots of each total out of the trail, one row each (M1.28)', async () => {
  const trail = handMadeTrail();
  await writeStressRows(warehouse.connection, [row(trail.cik, '2025-11-19')], {
    sourceDate: '2025-11-19',
    methodVersion: 'm-1.0',
    trails: new Map([[trail.cik, trail]]),
  });
  const debt = await readRows(
    warehouse.connection,
    `SELECT cik, bucket, concept, value::VARCHAR AS value, weight, parent, role, context, accession,
      fact_end::VARCHAR AS fact_end, unit, origin, data_source FROM debt_resolution ORDER BY bucket`,
  );
  const shared = {
    cik: '0001889123',
    weight: 1,
    role: 'http://www.fld.com/role/ConsolidatedBalanceSheets',
    context: 'c-2',
    accession: '0001213900-25-111111',
    fact_end: '2025-09-30',
    unit: 'USD',
    origin: 'instance',
    data_source: 'linkbase_rollup',
  };
  expect(debt).toEqual([
    {
      ...shared,
      bucket: 'C',
      concept: 'us-gaap:ConvertibleNotesPayableCurrent',
      value: '21644139.000000',
      parent: 'us-gaap:LiabilitiesCurrent',
    },
    {
      ...shared,
      bucket: 'N',
      concept: 'fld:ConvertibleNotesPayableRelatedPartyNoncurrent',
      value: '60750183.000000',
      parent: 'us-gaap:Liabilities',
    },
  ]);
  const coins = await readRows(
    warehouse.connection,
    'SELECT concept, value::VARCHAR AS value, origin, context, part_count, reason FROM crypto_holdings',
  );
  expect(coins).toEqual([
    {
      concept: 'fld:DigitalAssets',
      value: '179688082.000000',
      origin: 'sum',
      context: null,
      part_count: 1,
      reason: 'unreported; all its descendants are crypto',
    },
  ]);
});

it('keeps an amount no column holds in the payload alone', async () => {
  await write([row('0001050446', '2025-11-19', `1${'0'.repeat(60)}`)], '2025-11-19');
  const [stress] = await readRows(
    warehouse.connection,
    'SELECT total_long_term_debt AS debt, payload FROM stress',
  );
  expect(stress?.['debt']).toBeNull();
  expect(stress?.['payload']).toContain(`"total_long_term_debt":1${'0'.repeat(60)}`);
});

it('shows no figure that is not proven, and the proven part beside it as published (M3.3c)', async () => {
  const published = row('0001050446', '2025-11-19');
  await write([{ ...published, figures_basis: 'debt_unproven', risk_tier: 'UNCLASSIFIED' }], '2025-11-19');
  const [stress] = await readRows(
    warehouse.connection,
    `SELECT total_long_term_debt AS debt, stress_30pct AS s30, stress_50pct AS s50, stress_70pct AS s70,
      total_crypto_fair_value::DOUBLE AS coins, proven_debt::DOUBLE AS proven_debt FROM stress`,
  );
  expect(stress).toEqual({
    debt: null,
    s30: null,
    s50: null,
    s70: null,
    coins: Number(published.total_crypto_fair_value),
    proven_debt: Number(published.total_long_term_debt),
  });
});

it('says in the view which row another method or other evidence made (FLD)', async () => {
  const fld = (day: string, members: Partial<CovenantStress> = {}) =>
    [
      { ...row('0001889123', day, '21644139'), crypto_units_basis: 'fair_value_implied_btc', ...members },
    ] as CovenantStress[];
  const face = { root_resolution_method: 'face_order' };
  await write(fld('2025-08-31'), '2025-08-31');
  await write(fld('2025-09-30'), '2025-09-30');
  await write(fld('2025-10-31', face), '2025-10-31');
  await write(fld('2025-11-30', face), '2025-11-30', 'm-1.1');
  await write(fld('2025-12-31'), '2025-12-31', 'm-1.1');
  await write(fld('2026-01-31', { root_resolution_method: 'corroborated_zero' }), '2026-01-31', 'm-1.1');
  await write(fld('2026-02-28', { crypto_units_basis: 'carrying_value_lower_bound' }), '2026-02-28', 'm-1.1');
  const rows = await readRows(
    warehouse.connection,
    'SELECT source_date::VARCHAR AS day, method_changed FROM stress ORDER BY source_date',
  );
  expect(rows.filter((found) => found['method_changed'] === true).map(({ day }) => day)).toEqual([
    '2025-10-31',
    '2025-11-30',
    '2025-12-31',
    '2026-02-28',
  ]);
});

it('tells a changed method from the date before, also where dates hold an older method beside it', async () => {
  for (const method of ['m-1.9', 'm-1.10'])
    for (const day of ['2025-11-19', '2025-11-20']) await write([row('0001050446', day)], day, method);
  const rows = await readRows(
    warehouse.connection,
    'SELECT source_date::VARCHAR AS day, method_version AS method FROM stress WHERE method_changed',
  );
  expect(rows).toEqual([]);
  await write([row('0001050446', '2025-11-21')], '2025-11-21', 'm-1.11');
  const [changed] = await readRows(
    warehouse.connection,
    'SELECT source_date::VARCHAR AS day, method_version AS method FROM stress WHERE method_changed',
  );
  expect(changed).toEqual({ day: '2025-11-21', method: 'm-1.11' });
});

it('has a column for members of the payload alone, besides version, payload and trail of the row', async () => {
  const { types } = await tableOf(warehouse.connection, 'stress_row');
  const others = Object.keys(types).filter((name) => !(name in covenantStress.schema.shape));
  expect(others.sort()).toEqual(['method_version', 'payload', 'resolution_trail']);
});
