import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Capital } from '../../calculators/capital/capital.ts';
import type { Slice } from '../../calculators/composeSlice.ts';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { anyCapital, figureOf } from '../../fixtures/builders/anyCapital.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../fixtures/rigs/handMadeWarehouse.ts';
import { readParameters } from '../modelCard/readRegistry.ts';
import { putCapitalRows } from '../warehouse/derived/holdingRows.ts';
import { putStressRows } from '../warehouse/derived/stressRows.ts';
import { readClaims, readPerShare, readWall } from './capitalCharts.ts';
import type { ChartRequest } from './chartRequest.ts';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
  const text = { cik: 'VARCHAR', ticker: 'VARCHAR', entity_name: 'VARCHAR', issuer_type: 'VARCHAR' };
  await warehouse.put('universe_issuer', { position: 'INTEGER', ...text, aliases: ['VARCHAR'] }, [
    [0, cik, 'XY', 'XY INC', 'operating_company', []],
  ]);
});
afterEach(() => warehouse.remove());

const cik = '0000000001';
const methodVersion = 'params-1.2';

async function night(sourceDate: string, capital: Capital): Promise<void> {
  const stress = {
    ...covenantStress.schema.parse(covenantStress.example),
    ...{ source_date: sourceDate, cik, ticker: 'XY', period: capital.period },
  };
  const issuer = { cik, ticker: 'XY', entityName: 'XY INC' };
  const slice = { issuers: [{ issuer, stress, capital: { capital, fault: null } }] } as unknown as Slice;
  await putStressRows(warehouse.connection, [{ sourceDate, methodVersion, stress: [stress] }]);
  await putCapitalRows(warehouse.connection, {
    nights: [{ sourceDate, methodVersion, slice }],
    withFacts: false,
  });
}

const request = async (fall = 0.5): Promise<ChartRequest> => ({
  connection: warehouse.connection,
  layout: {} as ChartRequest['layout'],
  parameters: await readParameters(),
  subject: 'XY',
  facility: null,
  fall,
  width: 360,
});

describe('the charts of a capital structure (M18.88)', () => {
  it('read what falls due by year, proven apart from stated, puts apart from both', async () => {
    await night('2026-02-07', anyCapital());
    expect(await readWall(await request())).toMatchObject({
      ticker: 'XY',
      period: '2025-09-30',
      coverage: 1,
      years: [
        { year: '2026', proven: 0, unproven: 20_000_000, early: 0 },
        { year: '2028', proven: 0, unproven: 0, early: 40_000_000 },
        { year: '2030', proven: 40_000_000, unproven: 0, early: 0 },
      ],
    });
  });

  it('read claims at the fall that is asked for', async () => {
    await night('2026-02-07', anyCapital());
    const rows = await readClaims(await request());
    expect(rows).toMatchObject({ shock: 0.5, pool: 50_000_000, residual: 0, isLowerBound: false });
    expect(rows.classes.map(({ class: of, recovery }) => [of, recovery])).toEqual([
      ['secured_by_coins', 1],
      ['unsecured_convertible', 0.75],
      ['preferred', 0],
    ]);
    await expect(readClaims(await request(0.7))).rejects.toMatchObject({ code: 'input_missing' });
  });

  it('read coins a thousand shares on the split basis of the newest balance sheet', async () => {
    const [nav] = anyCapital().nav;
    const [coins] = nav?.coinsPerShare ?? [];
    if (nav === undefined || coins === undefined) throw new Error('the made-up issuer has a lens');
    const { shares } = anyCapital();
    const held = (perShare: string) => [
      { ...nav, coinsPerShare: [{ ...coins, perShare: figureOf(perShare) }] },
    ];
    const splits = [{ date: '2025-11-15', ratio: 0.1, source: 'fact' as const }];
    await night('2026-02-07', anyCapital({ nav: held('0.0001') }));
    await night(
      '2026-03-20',
      anyCapital({
        period: '2025-12-31',
        nav: held('0.0012'),
        shares: { ...shares, asOf: '2025-12-31', splits },
      }),
    );
    const { asset, rows } = await readPerShare(await request());
    expect(asset).toBe('BTC');
    // 0.0001 of an old share is 0.001 of ten
    expect(rows.map(({ period, basic }) => [period, Number((basic ?? 0).toFixed(9))])).toEqual([
      ['2025-09-30', 1],
      ['2025-12-31', 1.2],
    ]);
  });

  it('say that nothing is filed where nothing is', async () => {
    await expect(readWall(await request())).rejects.toMatchObject({ code: 'input_missing' });
    await expect(readPerShare(await request())).rejects.toMatchObject({ code: 'input_missing' });
  });
});
