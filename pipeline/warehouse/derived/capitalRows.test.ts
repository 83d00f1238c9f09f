import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Capital } from '../../../calculators/capital/capital.ts';
import type { Slice } from '../../../calculators/composeSlice.ts';
import { covenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { anyCapital, capitalFact, figureOf } from '../../../fixtures/builders/anyCapital.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { explainCapital } from '../../explain/capitalTree.ts';
import { questionNamed } from '../../query/exampleQuestions.ts';
import { readRows } from '../build/readRows.ts';
import { capitalTables, putCapitalRows, putHoldingRows } from './holdingRows.ts';
import { putStressRows } from './stressRows.ts';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

const sourceDate = '2026-02-07';
const methodVersion = 'm-1.0';
const cik = '0000000001';
const stress = {
  ...covenantStress.schema.parse(covenantStress.example),
  ...{ source_date: sourceDate, cik, ticker: 'XY' },
};

async function put(capital: Capital | null, withFacts = true, on = sourceDate): Promise<void> {
  const issuer = { cik, ticker: 'XY', entityName: 'XY INC' };
  const slice = { issuers: [{ issuer, stress, capital: { capital, fault: null } }] } as unknown as Slice;
  const night = { sourceDate: on, methodVersion };
  await putStressRows(warehouse.connection, [{ ...night, stress: [{ ...stress, source_date: on }] }]);
  await putCapitalRows(warehouse.connection, { nights: [{ ...night, slice }], withFacts });
}
const ask = (sql: string) => readRows(warehouse.connection, sql);

describe('the capital views', () => {
  it('say what is owed by what terms, and how each figure is proven', async () => {
    await put(anyCapital());
    expect(
      await ask(`SELECT ticker, instrument_id, state, principal::VARCHAR AS principal, principal_status, principal_basis,
        coupon_rate, maturity_date::VARCHAR AS maturity, maturity_status, statuses->>'fair_value' AS fair_value
      FROM instruments`),
    ).toEqual([
      {
        ticker: 'XY',
        instrument_id: 'ConvertibleNotesDue2030Member',
        state: 'outstanding',
        principal: '40000000.000000',
        principal_status: 'proven',
        principal_basis: 'gross',
        coupon_rate: 0.0075,
        maturity: '2030-03-15',
        maturity_status: 'stated',
        fair_value: 'not_filed',
      },
      expect.objectContaining({
        instrument_id: 'TermLoanMember',
        principal_status: 'stated',
        coupon_rate: null,
      }),
    ]);
  });

  it('keep puts apart from what falls due, and buckets from dates', async () => {
    const { maturities } = anyCapital();
    await put(
      anyCapital({
        maturities: {
          ...maturities,
          basis: 'fiscal_years',
          status: 'partial',
          buckets: [
            {
              id: 'year_1',
              start: '2025-10-01',
              end: '2026-09-30',
              amount: ExactDecimal.parse('20000000'),
              instrumentId: null,
              facts: [],
            },
          ],
        },
      }),
    );
    expect(
      await ask(
        'SELECT mark, due_from::VARCHAR AS due, amount::DOUBLE AS amount, is_on_wall, status FROM maturities',
      ),
    ).toEqual([
      { mark: 'bucket', due: '2025-10-01', amount: 20_000_000, is_on_wall: false, status: 'partial' },
      { mark: 'maturity', due: '2026-06-30', amount: 20_000_000, is_on_wall: true, status: null },
      { mark: 'put', due: '2028-03-15', amount: 40_000_000, is_on_wall: true, status: null },
      { mark: 'maturity', due: '2030-03-15', amount: 40_000_000, is_on_wall: true, status: null },
    ]);
  });

  it('say who stands before common, what a share is and holds, who is paid, and how long cash lasts', async () => {
    await put(anyCapital());
    const [preferred] = await ask(
      'SELECT class, claim::DOUBLE AS claim, claim_status, claim_basis FROM preferred',
    );
    expect(preferred).toEqual({
      class: 'SeriesAPreferredStockMember',
      claim: 10_000_000,
      claim_status: 'stated',
      claim_basis: 'liquidation_value',
    });
    const [shares] = await ask(
      'SELECT outstanding::DOUBLE AS outstanding, fully_diluted, fully_diluted_status, warrants FROM shares',
    );
    expect(shares).toEqual({
      outstanding: 10_000_000,
      fully_diluted: null,
      fully_diluted_status: 'missing',
      warrants: null,
    });
    expect(await ask('SELECT class, rank, recovery FROM claims')).toEqual([
      { class: 'secured_by_coins', rank: 1, recovery: 1 },
      { class: 'unsecured_convertible', rank: 3, recovery: 0.75 },
      { class: 'preferred', rank: 5, recovery: 0 },
    ]);
    const [nav] = await ask(
      "SELECT asset, coins_per_share, mnav_gross, statuses->>'mnav_gross' AS why FROM nav",
    );
    expect(nav).toEqual({ asset: 'BTC', coins_per_share: 0.0001, mnav_gross: null, why: 'price_missing' });
    const [runway] = await ask(
      'SELECT months_of_cash, first_shortfall_month, shortfall_12m::DOUBLE AS shortfall FROM runway',
    );
    expect(runway).toEqual({ months_of_cash: 7.7, first_shortfall_month: '2026-06', shortfall: -25_300_000 });
  });

  it('close a flow of coins by class, with what is free of them; a coin without a flow has its stock alone', async () => {
    const { coinFlows } = anyCapital();
    const [stock] = coinFlows.stocks;
    if (stock === undefined) throw new Error('the made-up issuer holds coins');
    const ether = { ...stock, asset: 'ETH', units: figureOf('5') };
    await put(anyCapital({ coinFlows: { ...coinFlows, stocks: [stock, ether] } }));
    const numbers =
      'opening::DOUBLE AS opening, bought::DOUBLE AS bought, sold::DOUBLE AS sold, closing::DOUBLE AS closing';
    expect(
      await ask(
        `SELECT asset, measure, ${numbers}, status, units::DOUBLE AS units FROM coin_flows ORDER BY asset`,
      ),
    ).toEqual([
      {
        ...{ asset: 'BTC', measure: 'units', opening: 900, bought: 100, sold: null, closing: 1000 },
        ...{ status: 'proven', units: 1000 },
      },
      {
        ...{ asset: 'ETH', measure: null, opening: null, bought: null, sold: null, closing: null },
        ...{ status: null, units: 5 },
      },
    ]);
  });
});

describe('the questions about capital', () => {
  const answerOf = async (name: string) => ask((await questionNamed(name)).sql);

  it('are answered with status and reason', async () => {
    await put(anyCapital());
    expect(await answerOf('due-in-twelve-months')).toMatchObject([
      { ticker: 'XY', due_12m: 20_000_000, proof: 'proven', first_due_of: 'Term Loan' },
    ]);
    expect(await answerOf('months-of-cash')).toMatchObject([
      { ticker: 'XY', months: 7.7, proof: 'stated', first_shortfall_month: '2026-06', burn: 1_000_000 },
    ]);
    expect(await answerOf('lenders-recovery')).toMatchObject([
      { class: 'secured_by_coins', recovery: 1 },
      { class: 'unsecured_convertible', recovery: 0.75 },
      { class: 'preferred', recovery: 0 },
    ]);
    expect(await answerOf('who-diluted')).toEqual([]);
  });

  it('compare counts of shares on one split basis', async () => {
    const { shares } = anyCapital();
    const later = {
      ...shares,
      asOf: '2025-12-31',
      outstanding: figureOf('1200000'),
      splits: [{ date: '2025-11-15', ratio: 0.1, source: 'fact' as const }],
    };
    await put(anyCapital());
    await put(anyCapital({ shares: later }), true, '2026-03-20');
    // 1,200,000 over a tenth of 10,000,000
    expect(await answerOf('who-diluted')).toMatchObject([
      {
        ticker: 'XY',
        shares_before: 1_000_000,
        shares: 1_200_000,
        growth_pct: 20,
        counted_in: 'two_filings',
      },
    ]);
  });
});

describe('the tree of a stored night', () => {
  const asked = (format: 'text' | 'json') =>
    explainCapital(warehouse.connection, {
      issuer: { cik, name: 'XY INC', ticker: 'XY' },
      row: { sourceDate, methodVersion, period: '2025-09-30', payload: '{}', trail: null },
      format,
    });

  it('keeps every digit, with the groups that were refused (M18.87)', async () => {
    const { instruments } = anyCapital();
    const [note] = instruments.found;
    if (note === undefined) throw new Error('the made-up issuer has a note');
    const owed = figureOf('9007199254740993.25');
    await put(anyCapital({ instruments: { ...instruments, found: [{ ...note, principal: owed }] } }));
    expect(await asked('text')).toContain('principal 9,007,199,254,740,993.25, proven');
    expect(await asked('json')).toContain(
      '"refused":[{"members":["OfficeLeaseMember"],"reason":"no amount owed"}]',
    );
    expect(await asked('json')).toContain('9007199254740993.25');
  });

  it('of a past date is answered with the next step', async () => {
    await put(anyCapital(), false);
    await expect(asked('text')).rejects.toMatchObject({ code: 'input_missing' });
  });
});

describe('the tables behind them', () => {
  it('hold facts of nights alone, and no close of a stock (M18.84, M18.89)', async () => {
    const [nav] = anyCapital().nav;
    if (nav === undefined) throw new Error('the made-up issuer has a lens');
    const close = figureOf('170.46', { facts: [capitalFact('Close', '170.46')] });
    await put(anyCapital({ nav: [{ ...nav, close }] }));
    for (const table of capitalTables) {
      const rows = await ask(`SELECT t::VARCHAR AS row FROM internal.${table} t`);
      expect(rows.length, table).toBeGreaterThan(0);
      expect(JSON.stringify(rows), table).not.toContain('170.46');
    }
    await ask('DELETE FROM internal.capital_row');
    await put(anyCapital(), false);
    expect(await ask('SELECT * FROM internal.capital_row')).toEqual([]);
  });

  it('are empty of an issuer whose capital could not be made', async () => {
    await put(null);
    for (const table of capitalTables)
      expect(await ask(`SELECT * FROM internal.${table}`), table).toEqual([]);
  });

  it('lose the rows of a night that is made again (M10.4)', async () => {
    await put(anyCapital());
    const slice = { issuers: [], covenantRows: [] } as unknown as Slice;
    await putHoldingRows(warehouse.connection, [{ sourceDate, methodVersion, slice }]);
    for (const table of capitalTables)
      expect(await ask(`SELECT * FROM internal.${table}`), table).toEqual([]);
  });
});
