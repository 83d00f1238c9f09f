import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { CovenantFacility } from '../../data/contract/payloads/issuer/facility.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { issuerCommand } from '../../fixtures/rigs/commandTrees.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../fixtures/rigs/handMadeWarehouse.ts';
import { dataLayout } from '../dataLayout.ts';
import { putFacilityRows } from '../warehouse/derived/holdingRows.ts';
import { writeStressRows } from '../warehouse/derived/stressRows.ts';
import type { ChartView } from './chartRequest.ts';
import { drawChart, writePng } from './drawChart.ts';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
  const text = { cik: 'VARCHAR', ticker: 'VARCHAR', entity_name: 'VARCHAR', issuer_type: 'VARCHAR' };
  await warehouse.put('universe_issuer', { position: 'INTEGER', ...text, aliases: ['VARCHAR'] }, [
    [0, '0001889123', 'FLD', 'Fold Holdings, Inc.', 'operating_company', []],
    [1, '0001050446', 'MSTR', 'Strategy Inc', 'operating_company', []],
  ]);
});
afterEach(() => warehouse.remove());

const loan = (facility_id: string, live_ltv: number): CovenantFacility => ({
  facility_id,
  name: `fld:${facility_id}`,
  drawn: ExactDecimal.parse('64000000'),
  drawn_basis: 'carrying_amount',
  limit: null,
  collateral_asset: 'BTC',
  collateral_units: 1_000,
  collateral_value: ExactDecimal.parse('100000000'),
  collateral_basis: 'tagged_value',
  ltv: 0.64,
  trigger_ltv: 0.8,
  trigger_kind: 'margin_call',
  margin_call_price: 80_000,
  price_fall_to_call: 0.2,
  live_ltv,
  live_price_fall_to_call: 0.1,
  price_date: '2026-02-07',
  as_of: '2025-09-30',
  is_subsequent: false,
  confidence: 'High',
  notes: [],
  fact_refs: [],
});

async function night(
  sourceDate: string,
  live: number,
  facilities: CovenantFacility[] = [],
  methodVersion = 'params-1.2',
  members: Partial<CovenantStress> = {},
): Promise<void> {
  const row = { ...rowOf(sourceDate, live), facilities, ...members };
  await putFacilityRows(warehouse.connection, [{ methodVersion, stress: [row] }]);
  await writeStressRows(warehouse.connection, [row], {
    sourceDate,
    methodVersion,
    trails: new Map(),
  });
}

function rowOf(sourceDate: string, live: number): CovenantStress {
  return {
    source_date: sourceDate,
    cik: '0001889123',
    ticker: 'FLD',
    accession_number: '0001213900-25-111111',
    filing_form: '10-Q',
    period: '2025-09-30',
    core_model: 'core-ltv-1.0',
    core_tier: 'Tower',
    total_long_term_debt: ExactDecimal.parse('82394322'),
    total_crypto_fair_value: ExactDecimal.parse('179700000'),
    figures_basis: 'resolved',
    stress_30pct: 0.655059,
    stress_50pct: 0.917082,
    stress_70pct: 1.52847,
    live_stress_30pct: live * 0.7,
    live_stress_50pct: live,
    live_stress_70pct: live * 1.6,
    risk_tier: 'HIGH',
    live_risk_tier: live >= 1 ? 'CRITICAL' : 'HIGH',
    quality_flag: 'High',
    data_source: 'linkbase_rollup',
    is_linkbase_backed: true,
    calculation_arc_count: 42,
    debt_coverage_status: 'resolved_nonzero',
    root_resolution_method: 'extension_root_rollup',
    root_resolution_details: [],
    extension_root_concepts: [],
    mapping_hit_count: 4,
    facilities: [],
  };
}

const draw = (
  view: ChartView,
  subject: string | null = null,
  facility: string | null = null,
  text: 'faces' | 'outlines' = 'faces',
) => {
  warehouse.close();
  const layout = { ...dataLayout(dirname(warehouse.path)), database: warehouse.path };
  return drawChart({ view, layout, subject, facility, width: 720, theme: 'light', text });
};

describe('a chart in outlines (V10a)', () => {
  it('needs no face: its words are paths of the measured places, its title and description still texts', async () => {
    await night('2026-02-07', 1.494883);
    const { svg, chart } = await draw('ladder', null, null, 'outlines');
    expect(svg).not.toMatch(/<text|@font-face/);
    expect(svg).toContain(
      `<desc id="chart-stress-ladder-desc">${chart.desc.replaceAll('>', '&gt;')}`.slice(0, 80),
    );
    // the F of FLD: an upright stem of as many units as its capitals are high
    const widths = [...svg.matchAll(/<path [^>]*d="([^"]*)"/g)].map(([, d]) => (d ?? '').length);
    expect(Math.max(...widths)).toBeGreaterThan(500);
  });

  it('becomes a PNG of one to three times its size', async () => {
    await night('2026-02-07', 1.494883);
    const { svg } = await draw('ladder', null, null, 'outlines');
    const [, height = '0'] = /<svg [^>]*height="(\d+)"/.exec(svg) ?? [];
    for (const scale of [1, 2, 3]) {
      const png = await writePng(svg, scale);
      expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([720 * scale, Number(height) * scale]);
    }
  });
});

describe('drawChart', () => {
  it('draws the stress of an issuer by slice, with the figures of the warehouse in its description', async () => {
    await night('2026-02-06', 0.93);
    await night('2026-02-07', 1.494883);
    const { chart, svg } = await draw('history', 'fld');
    expect(chart.finding).toBe('FLD is CRITICAL at a stress of 1.49');
    expect(chart.desc).toContain(
      'At live prices 0.93 on 2026-02-06, 1.49 on 2026-02-07, lowest 0.93, highest 1.49',
    );
    expect(chart.table.rows).toEqual([
      ['2026-02-06', '0.93', '0.92', 'HIGH'],
      ['2026-02-07', '1.49', '0.92', 'CRITICAL'],
    ]);
    const age = 'Balance sheet of 2025-09-30, 130 days before the slice of 2026-02-07.';
    expect(chart.sentence.endsWith(age) && chart.desc.endsWith(age)).toBe(true);
    expect(svg).toMatch(/^<svg [^>]*width="720"/);
    expect(svg).toContain('@font-face');
  });

  it('draws the ladder of the newest slice and debt beside coins of a balance sheet', async () => {
    await night('2026-02-07', 1.494883);
    expect((await draw('ladder')).chart.table.rows).toEqual([
      ['FLD', 'CRITICAL', '1.05', '1.49', '2.39', '0.92', '130'],
    ]);
    expect((await draw('debt', 'FLD')).chart.table.rows).toEqual([
      ['2025-09-30', '82.4\u00a0M', '179.7\u00a0M'],
    ]);
  });

  it('ranks equal stress by the weaker cushion, then by the ticker (I2.49)', async () => {
    const issuers = [
      ['0000000001', 'AAA', -0.2],
      ['0000000002', 'BBB', -1.4],
      ['0000000003', 'CCC', null],
      ['0000000004', 'DDD', -0.2],
    ] as const;
    await writeStressRows(
      warehouse.connection,
      issuers.map(([cik, ticker, live_ecs_z]) => ({ ...rowOf('2026-02-07', 0.93), cik, ticker, live_ecs_z })),
      { sourceDate: '2026-02-07', methodVersion: 'params-1.2', trails: new Map() },
    );
    const { rows } = (await draw('ladder')).chart.table;
    expect(rows.map(([ticker]) => ticker)).toEqual(['CCC', 'BBB', 'AAA', 'DDD']);
  });

  it('draws no ratio of unproven figures or without coins, and says so of the newest slice', async () => {
    const capped = { stress_30pct: 1_000, stress_50pct: 1_000, stress_70pct: 1_000 };
    const untiered = { risk_tier: 'UNCLASSIFIED', live_risk_tier: null, live_stress_50pct: null } as const;
    await night('2026-02-05', 0.93);
    await night('2026-02-06', 0.94);
    await night('2026-02-07', 0, [], 'params-1.2', {
      ...capped,
      ...untiered,
      total_crypto_fair_value: ExactDecimal.parse('0'),
      treasury_relevance: 'none',
    });
    await night('2026-02-08', 0, [], 'params-1.2', {
      ...capped,
      ...untiered,
      figures_basis: 'both_unproven',
    });
    const { chart } = await draw('history', 'FLD');
    expect(chart.finding).toBe('FLD has no proven stress on 2026-02-08; the last was 0.94 on 2026-02-06');
    expect(chart.table.rows.slice(2)).toEqual([
      ['2026-02-07', 'none', 'no coins', 'UNCLASSIFIED'],
      ['2026-02-08', 'none', 'unproven', 'UNCLASSIFIED'],
    ]);
    expect(chart.scene.items.filter((item) => item.type === 'text' && item.text.includes('1000'))).toEqual(
      [],
    );
  });

  it('draws one loan against its trigger, and asks which where there are two', async () => {
    await night('2026-02-06', 0.9, [loan('a', 0.7), loan('b', 0.71)]);
    await night('2026-02-07', 0.9, [loan('a', 0.745), loan('b', 0.83)]);
    await expect(draw('loan', 'FLD')).rejects.toMatchObject({
      code: 'usage',
      message: 'FLD has 2 loans; one chart is of one.',
      hint: 'Give --facility one of: a, b.',
    });
    const { chart } = await draw('loan', 'FLD', 'b');
    expect(chart.finding).toBe('FLD stands at 0.83, through the trigger of 0.80');
  });

  it('draws what the newest method says of a night: params-1.10 is newer than params-1.9', async () => {
    await night('2026-02-06', 0.9, [loan('a', 0.6)], 'params-1.9');
    await night('2026-02-07', 0.93, [loan('a', 0.7)], 'params-1.9');
    await night('2026-02-07', 1.494883, [loan('a', 0.83)], 'params-1.10');
    const { chart } = await draw('loan', 'FLD');
    expect(chart.finding).toBe('FLD stands at 0.83, through the trigger of 0.80');
    expect((await draw('history', 'FLD')).chart.finding).toBe('FLD is CRITICAL at a stress of 1.49');
  });

  it('calls a loan as the newest method of the newest night does', async () => {
    const named = (name: string) => [{ ...loan('a', 0.7), name }];
    await night('2026-02-06', 0.9, named('fld:before'), 'params-1.10');
    for (const [version, name] of [
      ['params-1.9', 'fld:zOld'],
      ['params-1.10', 'fld:newest'],
      ['params-1.2', 'fld:old'],
    ] as const)
      await night('2026-02-07', 0.9, named(name), version);
    expect((await draw('loan', 'FLD')).chart.title).toBe('Loan-to-value of FLD, fld:newest');
  });

  it.each([
    ['history', null, 'usage', 'This chart is of one issuer; none was named.'],
    ['history', 'MSTR', 'input_missing', 'The warehouse has no slice with MSTR.'],
    [
      'loan',
      'MSTR',
      'input_missing',
      'No filing of MSTR states a loan and the value of the coins that secure it.',
    ],
    ['factors', 'NOPE', 'usage', 'The warehouse has no daily bucket of "NOPE".'],
    ['pressure', null, 'input_missing', 'The warehouse has no bucket of a perpetual product.'],
    ['prices', null, 'input_missing', 'The warehouse has no closes of the last 180 days.'],
    ['ladder', null, 'input_missing', 'The warehouse has no slice.'],
  ] as const)('%s of %s: %s, %s', async (view, subject, code, message) => {
    await expect(draw(view, subject)).rejects.toMatchObject({ code, message });
  });
});

describe('issuer chart', () => {
  const issuer = (...args: string[]) => issuerCommand(['chart', ...args]);

  it('writes the file whole and nothing beside it, and says what it shows', async () => {
    await night('2026-02-06', 0.93);
    await night('2026-02-07', 1.494883);
    const data = join(dirname(warehouse.path), 'data');
    await warehouse.connection.run('CHECKPOINT');
    warehouse.close();
    const { database } = dataLayout(data);
    await mkdir(dirname(database), { recursive: true });
    await copyFile(warehouse.path, database);
    const to = join(data, 'charts.svg');
    const told = await issuer(
      'history',
      'FLD',
      '--data',
      data,
      '--to',
      to,
      '--width',
      '480',
      '--theme',
      'dark',
    );
    expect(told).toMatchObject({ code: 0, err: '' });
    expect(told.out).toContain('FLD is CRITICAL at a stress of 1.49.');
    expect(readFileSync(to, 'utf8')).toMatch(/^<svg [^>]*width="480"[\s\S]*<\/svg>\n$/);
    expect(readdirSync(data).filter((name) => name.includes('partial'))).toEqual([]);
    const over = await issuer('history', 'FLD', '--data', data, '--to', database);
    expect([over.code, over.err]).toEqual([2, expect.stringContaining('keeps in warehouse')]);
    const table = await issuer('history', 'FLD', '--data', data, '--json');
    expect(JSON.parse(table.out)).toMatchObject({
      view: 'history',
      rows: [['2026-02-06', '0.93', '0.92', 'HIGH'], expect.anything()],
    });
  });

  it.each([['359'], ['1601'], ['4e2'], ['wide']])(
    'refuses a width of %s and writes nothing',
    async (width) => {
      const to = join(dirname(warehouse.path), 'never.svg');
      expect((await issuer('ladder', '--width', width, '--to', to)).code).toBe(2);
      expect(existsSync(to)).toBe(false);
    },
  );
});
