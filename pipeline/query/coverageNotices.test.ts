import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../fixtures/rigs/handMadeWarehouse.ts';
import { coverageNotices } from './runQuery.ts';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

type InputState = readonly [input: string, status: string, keptFrom?: string];

const inState = (...states: readonly InputState[]) =>
  warehouse.put(
    'input_state',
    { input_id: 'VARCHAR', status: 'VARCHAR', kept_from: 'DATE' },
    states.map(([input, status, keptFrom]) => [input, status, keptFrom ?? null]),
  );

/** Issuers of the universe; the facts archive has all of them and the submissions the first `filed` alone. */
async function withIssuers({ tickers, filed }: { tickers: readonly (string | null)[]; filed: number }) {
  const { connection } = warehouse;
  for (const [i, ticker] of tickers.entries()) {
    const cik = String(i + 1).padStart(10, '0');
    await connection.run(
      "INSERT INTO universe_issuer BY NAME SELECT $position::INTEGER AS position, $cik AS cik, $ticker AS ticker, 'Issuer' AS entity_name, [] AS aliases, 'operating_company' AS issuer_type",
      { position: i, cik, ticker },
    );
    await connection.run('INSERT INTO fact_entity VALUES ($id, $cik, $cik)', { id: i + 1, cik });
    if (i < filed)
      await connection.run(
        "INSERT INTO submission_entity BY NAME SELECT 's' AS input, $cik AS cik, 'Issuer' AS name, [] AS tickers, [] AS exchanges",
        { cik },
      );
  }
}

/** A row of the newest slice and the newest close. */
async function withSlice({ slice, close }: { slice: string; close: string }) {
  const { connection } = warehouse;
  await connection.run(
    `INSERT INTO stress_row BY NAME SELECT $slice::DATE AS source_date, 'm' AS method_version,
      '0000000001' AS cik, 'AAA' AS ticker, 'a' AS accession_number, '{}' AS payload`,
    { slice },
  );
  await connection.run(
    "INSERT INTO price_close BY NAME SELECT 'p' AS input, $close::DATE AS date, 'BTC' AS asset, 1.0 AS close, 's' AS source",
    { close },
  );
}

const notices = (sql: string) => coverageNotices(warehouse.connection, sql);

describe('what the inputs of a question did not cover', () => {
  it('names the first slice where one is asked for that is older', async () => {
    await inState(['companyfacts', 'at_hand'], ['submissions', 'at_hand'], ['prices', 'at_hand']);
    await withIssuers({ tickers: ['AAA'], filed: 1 });
    await withSlice({ slice: '2025-11-13', close: '2025-11-13' });
    expect(await notices("FROM stress_as_of('2025-09-30')")).toEqual([
      'no slice is as old as 2025-09-30: the first is of 2025-11-13; `issuer backfill` makes earlier ones',
    ]);
    expect(await notices("FROM stress_as_of('2025-11-13')")).toEqual([]);
  });

  it('says nothing where every input was at hand and knows every issuer', async () => {
    await inState(['companyfacts', 'at_hand'], ['submissions', 'at_hand'], ['prices', 'at_hand']);
    await withIssuers({ tickers: ['AAA'], filed: 1 });
    expect(await notices('FROM stress')).toEqual([]);
  });

  it('names an input that was not there, once, and not the issuers it lacks as well', async () => {
    await inState(['submissions', 'missing'], ['companyfacts', 'at_hand']);
    await withIssuers({ tickers: ['AAA'], filed: 0 });
    expect(await notices('FROM filing_events')).toEqual([
      'submissions: not in the inputs of the night (see view coverage)',
    ]);
  });

  it('names the night whose rows stand in for a kept input', async () => {
    await inState(['prices', 'kept', '2025-11-14']);
    expect(await notices('FROM prices')).toEqual([
      'prices: not in the inputs of the night, what was read on 2025-11-14 stands in (see view coverage)',
    ]);
  });

  it.each(['filings', 'instances'])(
    'does not miss %s where the other of the two is at hand',
    async (missing) => {
      const other = missing === 'filings' ? 'instances' : 'filings';
      await inState([missing, 'missing'], [other, 'at_hand']);
      expect(await notices('FROM instance_facts')).toEqual([]);
    },
  );

  it('misses the contents of filings where neither folders nor instances are at hand', async () => {
    await inState(['filings', 'missing'], ['instances', 'missing']);
    expect(await notices('FROM instance_facts')).toEqual([
      'filings: not in the inputs of the night (see view coverage)',
    ]);
  });

  it('counts one issuer as one, and calls it by its CIK where it has no ticker', async () => {
    await inState(['submissions', 'at_hand']);
    await withIssuers({ tickers: ['AAA', null], filed: 1 });
    expect(await notices('FROM filing_events')).toEqual([
      'submissions: nothing of 1 issuer that other inputs know: 0000000002 (see view coverage)',
    ]);
  });

  it.each([
    [['A', 'B', 'C', 'D', 'E'], 'nothing of 5 issuers that other inputs know: A, B, C, D, E'],
    [['A', 'B', 'C', 'D', 'E', 'F'], 'nothing of 6 issuers that other inputs know: A, B, C, D, E, …'],
  ])('names at most five issuers: %j', async (tickers, text) => {
    await inState(['submissions', 'kept', '2025-11-14']);
    await withIssuers({ tickers, filed: 0 });
    expect(await notices('FROM filing_events')).toEqual([
      `submissions: not in the inputs of the night, what was read on 2025-11-14 stands in; ${text} (see view coverage)`,
    ]);
  });

  it.each([
    [1, '1 company file was refused'],
    [2, '2 company files were refused'],
  ])('counts refused company files: %i', async (refused, text) => {
    await inState(['companyfacts', 'at_hand'], ['submissions', 'at_hand']);
    for (let i = 0; i < refused; i += 1)
      await warehouse.connection.run("INSERT INTO quarantine VALUES ($name, 'is not JSON')", {
        name: `CIK${i}.json`,
      });
    // of the archive alone: the submissions of the same question say nothing
    expect(await notices('FROM fundamentals')).toEqual([`companyfacts: ${text} (see view coverage)`]);
  });

  it.each([
    ['2025-11-17', []],
    ['2025-11-16', ['prices: closes end on 2025-11-16, before the slice of 2025-11-19 (see view coverage)']],
  ])('lets closes of %s be at most two days older than the slice of 2025-11-19', async (close, expected) => {
    await inState(['prices', 'at_hand']);
    await withSlice({ slice: '2025-11-19', close });
    expect(await notices('FROM prices')).toEqual(expected);
  });

  it('has one notice an input, by name, for a question that reads several', async () => {
    await inState(['prices', 'missing'], ['companyfacts', 'missing'], ['submissions', 'at_hand']);
    expect(await notices('SELECT * FROM stress JOIN prices ON true')).toEqual([
      'companyfacts: not in the inputs of the night (see view coverage)',
      'prices: not in the inputs of the night (see view coverage)',
    ]);
  });
});

describe('the questions that are told', () => {
  const gap = ['prices: not in the inputs of the night (see view coverage)'];
  beforeEach(async () => {
    await withSlice({ slice: '2025-11-19', close: '2025-11-19' });
    await inState(['prices', 'missing'], ['submissions', 'at_hand'], ['companyfacts', 'at_hand']);
  });

  it.each([
    ['a table that happens to be empty', 'FROM prices', gap],
    ['a view behind a condition that is never true', 'SELECT 1 FROM prices WHERE false', gap],
    ['a subquery', 'SELECT (SELECT max(close) FROM prices) AS newest', gap],
    ['a pivot over values that are read first', 'PIVOT prices ON asset USING max(close) GROUP BY date', gap],
    ['no table at all', 'SELECT 1', []],
    ['another input', 'FROM instance_facts', []],
    ['the coverage itself', 'FROM coverage', []],
    ['the coverage beside a view', 'SELECT * FROM coverage, prices', []],
    ['a plan, which cannot be planned again', 'EXPLAIN FROM prices', []],
    ['a view that does not exist', 'FROM nonsense', []],
    ['figures as filed, which no close moves', 'SELECT ticker, debt, coins, risk_tier FROM latest', []],
    ['figures at the closes of the night', 'SELECT ticker, live_risk_tier FROM latest', gap],
    ['a condition on a figure at those closes', 'SELECT ticker FROM latest WHERE live_stress_50pct > 1', gap],
  ])('%s', async (_, sql, expected) => {
    expect(await notices(sql)).toEqual(expected);
  });

  it('none of a build of an older program, which does not say what its tables follow from', async () => {
    expect(await notices('FROM prices')).toEqual(gap);
    await warehouse.connection.run('DROP TABLE internal.table_input');
    expect(await notices('FROM prices')).toEqual([]);
  });
});
