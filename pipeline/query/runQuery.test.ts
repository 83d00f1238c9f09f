import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limitMs } from '../../fixtures/checks/machinePace.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../fixtures/rigs/handMadeWarehouse.ts';
import { openForReading } from '../warehouse/build/openDatabase.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { asOfViews, warehouseViews } from './queryError.ts';
import { listViews, type QueryFormat, runQuery } from './runQuery.ts';

let warehouse: HandMadeWarehouse;
beforeAll(async () => {
  warehouse = await handMadeWarehouse();
  const base = { cik: '0001050446', form: '10-Q', unit: 'USD' };
  const first = { ...base, accession: '0000950170-24-089734', filed: '2024-08-01' };
  const second = { ...base, accession: '0000950170-24-091000', filed: '2024-08-06' };
  await warehouse.putFacts([
    { ...first, concept: 'LongTermDebt', end: '2023-12-31', value: '2182108000' },
    { ...second, concept: 'LongTermDebt', end: '2023-12-31', value: '2182591000' },
    { ...second, concept: 'Assets', end: '2024-06-30', value: '9007199254740993' },
  ]);
  await warehouse.put(
    'price_close',
    { input: 'VARCHAR', date: 'DATE', asset: 'VARCHAR', close: 'DOUBLE', source: 'VARCHAR' },
    [
      ['p', '2025-09-30', 'BTC', 113780.95, 'yahoo'],
      ['p', '2025-09-30', 'BTC', 114024.23, 'coingecko'],
      ['p', '2025-09-30', 'BTC', 114078.18, 'cryptocompare'],
      ['p', '2025-10-01', 'BTC', 2, 'bravo'],
      ['p', '2025-10-01', 'BTC', 1, 'alpha'],
      ['p', '2025-10-02', 'BTC', 4, 'yahoo'],
      ['p', '2025-10-02', 'BTC', 3, 'alpha'],
    ],
  );
  warehouse.close();
});
afterAll(() => warehouse.remove());

async function ask(
  sql: string,
  format: QueryFormat = 'json',
  more: {
    output?: string;
    timeLimitMs?: number;
    limit?: number;
    grouped?: boolean;
    variables?: ReadonlyMap<string, string>;
    notice?: (text: string) => void;
  } = {},
) {
  const parts: string[] = [];
  const request = { databasePath: warehouse.path, sql, format, timeLimitMs: limitMs(60_000), ...more };
  await runQuery({ ...request, write: (text) => void parts.push(text) });
  return parts.join('');
}

describe('the views', () => {
  it('have a comment on themselves and on every column', async () => {
    const database = await openForReading(warehouse.path);
    try {
      const bare = await readRows(
        database.connection,
        `SELECT table_name || '.' || column_name AS name FROM duckdb_columns()
        WHERE schema_name = 'main' AND NOT internal AND comment IS NULL
        UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal AND comment IS NULL`,
      );
      expect(bare).toEqual([]);
      const views = await readRows(
        database.connection,
        'SELECT view_name AS name FROM duckdb_views() WHERE NOT internal ORDER BY 1',
      );
      expect(views.map((row) => row['name'])).toEqual([...warehouseViews]);
    } finally {
      database.close();
    }
  });

  it('call an accession number by one name, and have it beside every link', async () => {
    const rows: { view: string; names: string[] }[] = JSON.parse(
      await ask(
        "SELECT table_name AS view, list(column_name ORDER BY column_name) AS names FROM duckdb_columns() WHERE schema_name = 'main' AND NOT internal AND (column_name ILIKE '%accession%' OR column_name = 'filing_url') GROUP BY 1",
      ),
    );
    const named = rows.map(({ view, names }) => `${view}: ${names.join(' ')}`).sort();
    // the record has a second filing beside it, terms of a note an earlier one
    const asNamed = /: accession( accession_status)?( filing_url( (later|terms)_accession)?)?$/;
    expect(named.filter((line) => !asNamed.test(line))).toEqual([]);
    expect(named.filter((line) => line.endsWith('filing_url'))).toHaveLength(21);
  });

  it('choose the first source of the price order, others by name after it (M2.13)', async () => {
    expect(
      await ask(
        "SELECT date, close, source, source_count AS n FROM prices WHERE asset = 'BTC' ORDER BY date",
      ),
    ).toBe(
      '[\n{"date":"2025-09-30","close":114078.18,"source":"cryptocompare","n":3},\n' +
        '{"date":"2025-10-01","close":1,"source":"alpha","n":2},\n' +
        '{"date":"2025-10-02","close":4,"source":"yahoo","n":2}\n]\n',
    );
  });

  it('show each vintage of a restated fact as of its day (MSTR LongTermDebt for 2023-12-31, M10.7)', async () => {
    const asOf = (day: string) =>
      ask(`SELECT value, accession FROM facts_as_of('${day}') WHERE concept = 'LongTermDebt'`);
    expect(await asOf('2024-07-31')).toBe('[\n]\n');
    expect(await asOf('2024-08-05')).toBe('[\n{"value":2182108000,"accession":"0000950170-24-089734"}\n]\n');
    expect(await asOf('2024-08-06')).toBe('[\n{"value":2182591000,"accession":"0000950170-24-091000"}\n]\n');
  });

  it('keep the exact value beside the double, also as of a day', async () => {
    const row = '[\n{"value_exact":"9007199254740993"}\n]\n';
    expect(await ask("SELECT value_exact FROM facts WHERE concept = 'Assets'")).toBe(row);
    expect(await ask("SELECT value_exact FROM facts_as_of('2024-12-31') WHERE concept = 'Assets'")).toBe(row);
  });
});

describe('runQuery', () => {
  it('keeps every digit of integers and decimals in JSON', async () => {
    const sql =
      'SELECT 9007199254740993 AS a, 170141183460469231731687303715884105727::HUGEINT AS b, 1.50::DECIMAL(38,6) AS c, ' +
      "'NaN'::DOUBLE AS d, [1, 2] AS e, {x: 'é'} AS f, TIMESTAMP '2025-01-02 03:04:05' AS g, NULL AS h, -0.0::DOUBLE AS i, " +
      "'infinity'::DATE AS j, '2025-01-02'::DATE AS k";
    expect(await ask(sql)).toBe(
      '[\n{"a":9007199254740993,"b":170141183460469231731687303715884105727,"c":1.5,"d":null,"e":[1,2],' +
        '"f":{"x":"é"},"g":"2025-01-02T03:04:05Z","h":null,"i":0,"j":"infinity","k":"2025-01-02"}\n]\n',
    );
  });

  it('quotes CSV cells that need it and tells null from an empty text', async () => {
    expect(await ask(`SELECT 'a,"b"' AS x, NULL AS y, '' AS z, 1 AS "n,m"`, 'csv')).toBe(
      'x,y,z,"n,m"\r\n"a,""b""",,"",1\r\n',
    );
    expect(await ask('SELECT 1 AS x WHERE false', 'csv')).toBe('x\r\n');
  });

  it('lays out a table and keeps control characters away from the terminal', async () => {
    expect(await ask("SELECT 'ab' AS name, 12 AS n UNION ALL SELECT chr(27) || 'x', NULL", 'table')).toBe(
      'name     n\n-------  --\nab       12\n\\u001bx  -\n(2 rows)\n',
    );
    expect(await ask('SELECT 1 AS x WHERE false', 'table')).toBe('x\n-\n(0 rows)\n');
  });

  it('keeps a text that a spreadsheet would run as a formula from being one, and every number as it is', async () => {
    const sql =
      `SELECT '=HYPERLINK("http://x")' AS a, '@SUM(1)' AS b, '+1+2' AS c, '-cmd' AS d, chr(9) || '=1' AS e, '-12.50' AS f, ` +
      `-3 AS g, -1.5::DECIMAL(9, 2) AS h, '+1e-7' AS i, 'a=b' AS "=j", '＝1' AS k`;
    expect(await ask(sql, 'csv')).toBe(
      `a,b,c,d,e,f,g,h,i,'=j,k\r\n"'=HYPERLINK(""http://x"")",'@SUM(1),'+1+2,'-cmd,'\t=1,-12.50,-3,-1.5,+1e-7,a=b,'＝1\r\n`,
    );
  });

  it('prints a Markdown table whose bars and tags stay text and whose numbers are aligned right', async () => {
    const sql =
      "SELECT 'a|b' AS name, 8173903000 AS debt, NULL AS tier UNION ALL SELECT '<i>', 1, 'LOW' ORDER BY debt DESC";
    expect(await ask(sql, 'markdown')).toBe(
      '| name | debt | tier |\n| --- | ---: | --- |\n| a\\|b | 8173903000 |  |\n| &lt;i> | 1 | LOW |\n',
    );
    expect(await ask('SELECT 1 AS one WHERE false', 'markdown')).toBe('| one |\n| --- |\n');
    expect(await ask('FROM range(3)', 'markdown', { limit: 1 })).toContain(
      '\n2 more rows: --limit <n>, 0 for all\n',
    );
  });

  it('groups thousands for a terminal, but for years and texts of digits', async () => {
    const sql =
      "SELECT 2025 AS fy, 8173903000 AS debt, -12345.5::DECIMAL(9,2) AS loss, '0001050446' AS cik, 0.25 AS ratio";
    expect(await ask(sql, 'vertical', { grouped: true })).toBe(
      '-- row 1\nfy     2025\ndebt   8,173,903,000\nloss   -12,345.5\ncik    0001050446\nratio  0.25\n(1 row)\n',
    );
    expect(await ask(sql, 'vertical')).toContain('debt   8173903000\n');
  });

  it('shows rows of many columns one line a value', async () => {
    expect(await ask("SELECT 'MSTR' AS ticker, NULL AS tier, chr(27) AS x", 'vertical')).toBe(
      '-- row 1\nticker  MSTR\ntier    -\nx       \\u001b\n(1 row)\n',
    );
  });

  it('gives a statement the values that are set, as text that cannot leave its quotes', async () => {
    const variables = new Map([
      ['shock', '40'],
      ['word', "a'; DROP VIEW facts; --"],
    ]);
    const sql =
      "SELECT getvariable('shock')::INTEGER + 1 AS n, getvariable('word') AS t, getvariable('other') AS o";
    expect(await ask(sql, 'csv', { variables })).toBe(
      `n,t,o\r\n41,"a'; DROP VIEW facts; --",\r\n`.replaceAll('"', ''),
    );
  });

  it('shows as many rows as asked for and counts the rest', async () => {
    const sql = 'SELECT range AS n FROM range(5000)';
    expect(await ask(sql, 'table', { limit: 2 })).toBe(
      'n\n-\n0\n1\n(2 rows, 4,998 more rows: --limit <n>, 0 for all)\n',
    );
    const notices: string[] = [];
    const notice = (text: string) => void notices.push(text);
    expect(await ask(sql, 'csv', { limit: 1, notice })).toBe('n\r\n0\r\n');
    expect(notices).toEqual(['4,999 more rows: --limit <n>, 0 for all']);
    expect(await ask('SELECT 1 AS n', 'table', { limit: 1 })).toBe('n\n-\n1\n(1 row)\n');
  });

  it.each([
    ['PIVOT facts ON concept USING count(*) GROUP BY cik;', 'cik  Assets  LongTermDebt'],
    ['FROM (PIVOT facts ON concept USING count(*) GROUP BY cik)', 'cik  Assets  LongTermDebt'],
    ['WITH a AS (SELECT concept FROM facts), b AS (FROM a) SELECT count(*) AS n FROM b', 'n'],
    ['FROM facts SELECT concept', 'concept'],
    ['SUMMARIZE facts', 'column_name'],
    ['SHOW TABLES', 'name'],
    ['EXPLAIN FROM facts', 'explain_key'],
    ['SELECT 1 AS n; -- done', 'n'],
  ])('takes %s as one statement', async (sql, heading) => {
    const [first = ''] = (await ask(sql, 'table')).split('\n');
    expect(first.replaceAll(/ {2,}/g, '  ')).toContain(heading);
  });

  it('describes a view or a table function with the comment of every column', async () => {
    expect(await ask('describe prices', 'table')).toContain('close         DOUBLE   Price in USD\n');
    const rows = JSON.parse(await ask('DESC stress_as_of;'));
    expect(rows[0]).toEqual({ column: 'asked_date', type: 'DATE', comment: 'The day asked for' });
    expect(rows[1]).toMatchObject({ column: 'source_date', comment: 'Date of the slice the row belongs to' });
    expect(rows.every((row: { comment: string | null }) => row.comment !== null)).toBe(true);
  });

  it('lists every view and table function with what it holds', async () => {
    const rows: { view: string; comment: string }[] = JSON.parse(await ask(listViews));
    expect(rows.map(({ view }) => view)).toEqual(
      [...warehouseViews, ...asOfViews.map(({ name }) => `${name}('YYYY-MM-DD')`)].sort(),
    );
    expect(rows.filter(({ comment }) => comment.length < 10)).toEqual([]);
  });

  it('streams more rows than it holds', async () => {
    const sizes: number[] = [];
    await runQuery({
      databasePath: warehouse.path,
      sql: 'SELECT range AS n FROM range(100000)',
      format: 'csv',
      timeLimitMs: limitMs(60_000),
      write: (text) => void sizes.push(text.length),
    });
    expect(sizes.length).toBeGreaterThan(40);
    expect(Math.max(...sizes)).toBeLessThan(20_000);
  });

  it('writes Parquet that reads back, whole or not at all', async () => {
    const output = join(warehouse.root, "o'ut.parquet");
    await ask("SELECT cik, value_exact FROM facts_as_of('2024-12-31') WHERE concept = 'Assets';", 'parquet', {
      output,
    });
    const bytes = await readFile(output);
    expect([bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1']);
    const broken = join(warehouse.root, 'broken.parquet');
    await expect(ask("SELECT 'x'::INTEGER", 'parquet', { output: broken })).rejects.toThrow(
      'The query failed',
    );
    expect((await readdir(warehouse.root)).filter((name) => name.startsWith('broken'))).toEqual([]);
    await expect(ask('SELECT 1', 'parquet')).rejects.toMatchObject({ code: 'usage' });
    await expect(
      ask('SELECT 1', 'csv', { output: join(warehouse.root, 'none', 'x.csv') }),
    ).rejects.toMatchObject({
      code: 'store_unwritable',
      message: `${join(warehouse.root, 'none', 'x.csv')} cannot be written: IO Error: ENOENT.`,
    });
    await expect(ask('SELECT 1', 'csv', { output: '/dev/null' })).rejects.toMatchObject({ code: 'usage' });
  });

  it.each([
    ['SELECT * FROM nonsense', /no table nonsense/],
    ['SELECT * FROM stress_row', /no table stress_row/],
    ['SELECT nonsense', /does not fit the warehouse/],
    ['SELECT nonsense FROM facts', /has a column nonsense/],
    ['SELEC 1', /is not SQL/],
    ['', /0 statements/],
    ['SELECT 1; SELECT 2', /2 statements/],
    ['SELECT 1; PIVOT facts ON concept USING count(*)', /3 statements/],
    ['CREATE TEMP TABLE t AS SELECT 1; FROM t', /2 statements/],
    ["SELECT 1; ATTACH '/tmp/elsewhere.duckdb'", /2 statements/],
    ['INSERT INTO internal.build_info VALUES (1, 2)', /kind INSERT/],
    ['describe nonsense', /no table nonsense/],
    ['# Issuer Intelligence', /is not SQL/],
    ['DELETE FROM internal.fact', /kind DELETE/],
    ['DROP VIEW facts', /kind DROP/],
    ["ATTACH '/tmp/elsewhere.duckdb'", /kind ATTACH/],
    ['SET threads = 1', /kind SET/],
    ["COPY (SELECT 1) TO '/tmp/elsewhere.csv'", /kind COPY|outside the warehouse/],
    ["SELECT * FROM read_text('/etc/hostname')", /outside the warehouse/],
    ["SELECT * FROM '/etc/hostname'", /outside the warehouse|no table|does not fit/],
    ["SELECT 'x'::INTEGER", /The query failed/],
    ['SELECT $1', /The query failed/],
  ])('refuses %j with a next step', async (sql, message) => {
    const error = await ask(sql).catch((e) => e);
    expect(error).toMatchObject({ code: 'usage' });
    expect(error.message).toMatch(message);
    expect(error.hint.length).toBeGreaterThan(10);
  });

  it.each([
    ['SELECT conept FROM facts', 'conept', 'concept'],
    ['SELECT f.filled FROM facts f', 'filled', 'filed'],
    ["SELECT x.acession FROM facts_as_of('2025-01-01') x", 'acession', 'accession'],
    ['SELECT tier FROM stress', 'tier', 'live_risk_tier, core_tier, risk_tier'],
    ['SELECT probability FROM stress', 'probability', 'breach_probability_1y, live_breach_probability_1y'],
  ])('names the columns nearest to an unknown one: %s', async (sql, column, nearest) => {
    const error = await ask(sql).catch((e) => e);
    expect(error.message).toBe(`No view of this query has a column ${column}.`);
    expect(error.hint).toMatch(new RegExp(`^The nearest are ${nearest}, `));
    expect(error.details.database).toContain('Binder Error');
  });

  it('lists the views when a table is not known', async () => {
    const error = await ask('SELECT * FROM balances').catch((e) => e);
    expect(error.hint).toContain(
      'alpha, arcs, candidates, changes, claims, coin_events, coin_flows, coins, concepts, constituents, coverage, cross_sections, crypto_holdings, daily_changes, debt_resolution, evidence, facilities, facility_history, fact_vintages, facts, ',
    );
    expect(error.hint).toContain(
      'instance_facts, instruments, issuers, latest, market_buckets, market_factors, market_observations, maturities, nav, notes, preferred, presentations, pressure, prices, ',
    );
  });

  it('asks for the view that an unknown name is nearest to', async () => {
    const error = await ask('SELECT * FROM stres').catch((e) => e);
    expect(error.hint).toMatch(/^Did you mean stress\? The views are /);
  });

  it('refuses a value that the statement does not read', async () => {
    const variables = new Map([['ticker', 'MSTR']]);
    await expect(ask('SELECT 1 AS one', 'csv', { variables })).rejects.toMatchObject({
      code: 'usage',
      message: 'The statement reads no value ticker.',
    });
    await expect(
      ask("SELECT ticker FROM stress WHERE form = getvariable('form')", 'csv', { variables }),
    ).rejects.toMatchObject({ hint: expect.stringContaining('or set form;') });
  });

  it('refuses a ticker of no issuer and names the nearest', async () => {
    const variables = new Map([['ticker', 'MSRT']]);
    await expect(ask("SELECT getvariable('ticker') AS ticker", 'csv', { variables })).rejects.toMatchObject({
      code: 'usage',
      message: 'No issuer of the universe is called "MSRT".',
    });
  });

  it('leaves a file alone that lies beside its output under a name like its own', async () => {
    const output = join(warehouse.root, 'kept.csv');
    await writeFile(`${output}.partial`, 'precious');
    await ask('SELECT 1 AS one', 'csv', { output });
    expect(await readFile(`${output}.partial`, 'utf8')).toBe('precious');
    expect(await readFile(output, 'utf8')).toBe('one\r\n1\r\n');
    expect((await readdir(warehouse.root)).filter((name) => name.startsWith('kept')).sort()).toEqual([
      'kept.csv',
      'kept.csv.partial',
    ]);
  });

  it('runs under memory, threads and spill limits of its own', async () => {
    for (const output of [undefined, join(warehouse.root, 'limits.csv')]) {
      const sql =
        "SELECT current_setting('memory_limit') AS memory, current_setting('threads') AS threads, current_setting('max_temp_directory_size') AS spill";
      const text = await ask(sql, 'csv', output === undefined ? {} : { output });
      const answer = output === undefined ? text : await readFile(output, 'utf8');
      expect(answer).toBe('memory,threads,spill\r\n953.6 MiB,4,7.4 GiB\r\n');
    }
  });

  it('cannot read another file in Parquet mode either', async () => {
    const output = join(warehouse.root, 'leak.parquet');
    await expect(ask("SELECT * FROM read_text('/etc/hostname')", 'parquet', { output })).rejects.toThrow(
      'outside the warehouse',
    );
    expect(existsSync(output)).toBe(false);
  });

  it('stops a query at the time limit', async () => {
    const endless = 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b';
    const recursive =
      'WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t';
    for (const sql of [endless, recursive]) {
      const error = await ask(sql, 'json', { timeLimitMs: 50 }).catch((e) => e);
      expect(error.toCli()).toMatchObject({ exitCode: 130, code: 'interrupted' });
      expect(error.hint).toContain('--timeout');
    }
  });

  it('ends with exit 3 when no warehouse is there', async () => {
    const request = { sql: 'SELECT 1', format: 'csv' as const, timeLimitMs: 1000, write: () => undefined };
    const error = await runQuery({ ...request, databasePath: join(warehouse.root, 'none.duckdb') }).catch(
      (e) => e,
    );
    expect(error.toCli()).toMatchObject({ exitCode: 3, code: 'input_missing' });
  });
});
