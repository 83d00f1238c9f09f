import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chainStocks } from '../../../calculators/currentReports/chainStocks.ts';
import { addDays } from '../../../calculators/exact/civilDate.ts';
import {
  type MadeDocument,
  storedSubmissions,
  submissionText,
} from '../../../fixtures/builders/submissionText.ts';
import {
  type HandMadeWarehouse,
  handMadeIssuer,
  handMadeWarehouse,
} from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { sha256Hex } from '../../release/artifact.ts';
import { readRows } from '../build/readRows.ts';
import { deriveStatements } from '../reports/deriveStatements.ts';
import { selectStatements } from '../reports/storedStatements.ts';
import { loadCurrentReports } from './loadCurrentReports.ts';
import { loadSubmissions } from './loadSubmissions.ts';

const cik = '0001050446';
const mstr = handMadeIssuer(cik, { ticker: 'MSTR', entityName: 'Strategy Inc', aliases: ['MICROSTRATEGY'] });
let warehouse: HandMadeWarehouse;
let root: string;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
  root = await mkdtemp(join(tmpdir(), 'reports-'));
  await warehouse.put(
    'universe_issuer',
    {
      ...{
        position: 'INTEGER',
        cik: 'VARCHAR',
        ticker: 'VARCHAR',
        entity_name: 'VARCHAR',
        aliases: ['VARCHAR'],
      },
      issuer_type: 'VARCHAR',
    },
    [[0, cik, 'MSTR', 'Strategy Inc', [], 'operating_company']],
  );
});
afterEach(async () => {
  await warehouse.remove();
  await rm(root, { recursive: true, force: true });
});

const held = (units: string, day: string) => `<p>As of ${day}, the Company held ${units} bitcoin.</p>`;
const bought = (units: string, period: string) =>
  `<p>During the period between ${period}, the Company acquired ${units} bitcoin.</p>`;

async function put(name: string, data: string | Uint8Array): Promise<void> {
  await mkdir(join(root, name, '..'), { recursive: true });
  await writeFile(join(root, name), data);
}

/** A submission of the issuer in its folder. */
async function putReport(
  accession: string,
  given: {
    filed: string;
    text?: string;
    form?: string;
    accepted?: string;
    of?: string;
    own?: string;
    documents?: readonly MadeDocument[];
  },
): Promise<void> {
  const { filed, text = '', form = '8-K', of = cik, own = accession } = given;
  const documents = given.documents ?? [{ type: form, filename: 'report.htm', text }];
  const accepted = given.accepted === undefined ? {} : { accepted: given.accepted };
  await put(
    `${cik}/${accession}/${accession}.txt`,
    submissionText({ cik: of, accession: own, form, filed, ...accepted, names: ['Strategy Inc'], documents }),
  );
}

async function load(path = root) {
  const { connection } = warehouse;
  const report = await loadCurrentReports({ connection, paths: [path], issuers: [mstr] });
  await deriveStatements(connection);
  return { ...report, reasons: report.refused.map(({ name, reason }) => `${name.slice(22)}: ${reason}`) };
}
const ask = (sql: string) => readRows(warehouse.connection, sql);
const stocks = (from = 'holdings_statements') =>
  ask(
    `SELECT as_of::VARCHAR AS day, units::DOUBLE AS units, net_flows::DOUBLE AS net, difference::DOUBLE AS off, verdict FROM ${from} ORDER BY as_of`,
  );

const [a, b, c] = ['0000000001-26-000001', '0000000001-26-000002', '0000000001-26-000003'] as const;

describe('loading current reports (section 17)', () => {
  it('links the stocks of reports, and reads nothing again that did not change', async () => {
    await putReport(a, { filed: '2026-01-05', text: held('1,000', 'January 4, 2026') });
    const second = held('1,250', 'January 11, 2026') + bought('250', 'January 5, 2026 and January 11, 2026');
    await putReport(b, { filed: '2026-01-12', text: second });
    expect(await load()).toMatchObject({ changed: 2, rows: 3, refused: [] });
    expect(await stocks()).toEqual([
      { day: '2026-01-04', units: 1000, net: null, off: null, verdict: null },
      { day: '2026-01-11', units: 1250, net: 250, off: 0, verdict: 'proven' },
    ]);
    expect(
      await ask(
        "SELECT ticker, units::DOUBLE AS units, verdict, block FROM coin_events WHERE kind = 'purchase'",
      ),
    ).toEqual([{ ticker: 'MSTR', units: 250, verdict: 'proven', block: 1 }]);
    expect(await load()).toMatchObject({ changed: 0, rows: 3 });
    await putReport(b, { filed: '2026-01-12', text: held('1,251', 'January 11, 2026') });
    expect(await load()).toMatchObject({ changed: 1 });
    expect((await stocks())[1]).toMatchObject({ units: 1251, net: 0, verdict: 'gap' });
  });

  it('answers for a day as if nothing later had been filed (M17.36, M17.37)', async () => {
    await putReport(a, { filed: '2026-01-05', text: held('1,000', 'January 4, 2026') });
    await putReport(b, { filed: '2026-01-12', text: held('1,250', 'January 11, 2026') });
    const late = bought('250', 'January 5, 2026 and January 11, 2026');
    // half past seven in the evening in New York is the next day in UTC
    await putReport(c, { filed: '2026-01-20', accepted: '20260120193000', text: late });
    await load();
    expect((await stocks())[1]).toMatchObject({ units: 1250, verdict: 'proven' });
    expect(await stocks("units_as_of('2026-01-20')")).toMatchObject([
      { units: 1250, off: 250, verdict: 'gap' },
    ]);
    expect(await stocks("units_as_of('2026-01-21')")).toMatchObject([
      { units: 1250, off: 0, verdict: 'proven' },
    ]);
    expect(await stocks("units_as_of('2026-01-11')")).toMatchObject([{ units: 1000 }]);
    expect(await stocks("units_as_of('2026-01-04')")).toEqual([]);
    const of = async (day: string) => (await selectStatements(warehouse.connection, day)).get(cik)?.length;
    expect([
      await of('2026-01-04'),
      await of('2026-01-12'),
      await of('2026-01-20'),
      await of('2026-01-21'),
    ]).toEqual([undefined, 2, 2, 3]);
  });

  it('gives back every member of a statement as it was read', async () => {
    const table =
      '<table><tr><th>As of</th><th>BTC held</th></tr><tr><td>January 4, 2026</td><td>673,783</td></tr></table>';
    const documents = [
      { type: '8-K', filename: 'main.htm', text: held('673,783', 'January 4, 2026') },
      { type: 'EX-99.1', filename: 'opsdraft0.htm', text: table },
    ];
    await putReport(a, { filed: '2026-01-05', accepted: '20260105080027', documents });
    await load();
    const [one] = (await selectStatements(warehouse.connection, '2026-01-05')).get(cik) ?? [];
    expect(one).toMatchObject({
      ...{ kind: 'holdings', asset: 'BTC', asOf: '2026-01-04', confidence: 'High', usd: null, notes: [] },
      ...{ fromTable: true, dateBasis: 'as_of', isApproximate: false, furnished: null },
      place: { accession: a, type: 'EX-99.1', document: 'opsdraft0.htm', block: 0, row: 1, column: 1 },
      alsoAt: [{ accession: a, type: '8-K', document: 'main.htm', block: 0, row: null, column: null }],
      source: { cik, form: '8-K', filed: '2026-01-05', acceptedAt: '2026-01-05T13:00:27Z' },
    });
    expect(String(one?.units)).toBe('673783');
    expect(one?.quote).toContain('673,783');
  });

  it('refuses a text of another filing or registrant, and leaves items and forms alone that are not read', async () => {
    const text = held('9', 'January 4, 2026');
    await putReport(a, { filed: '2026-01-05', own: c, text });
    await putReport(b, { filed: '2026-01-05', of: '0001829311', text });
    await putReport(c, { filed: '2026-01-05', form: '10-Q', text });
    const { reasons } = await load();
    expect(reasons).toEqual([
      `${cik}/${a}: What lies under ${cik}/${a} is of accession ${c}.`,
      `${cik}/${b}: What lies under ${cik}/${b} is of 0001829311.`,
    ]);
    expect(await ask('FROM coin_events')).toEqual([]);
  });

  it('takes single documents that are as filed alone: never a shortened page, a wire copy or a changed file', async () => {
    const text = held('9', 'January 4, 2026');
    const row = (tier: string, of: string, sha256: string) =>
      `${tier},Strategy Inc (MicroStrategy),8-K,2026-01-05,2026-01-05T08:00:27.000Z,8.01,edgar/current-reports/${cik}/${of}/main.htm,${sha256}`;
    for (const one of [a, b, c]) await put(`${cik}/${one}/main.htm`, text);
    await put(`${cik}/0000000001-26-000004/tracker.htm`, text);
    const head = 'tier,issuer,form,filed,accepted,items,path,sha256';
    const listed = [
      row('document', a, sha256Hex(text)),
      row('abridged', b, sha256Hex(text)),
      row('document', c, '00'),
    ];
    await put('provenance.csv', [head, ...listed, ''].join('\n'));
    const { reasons } = await load();
    expect(reasons.map((reason) => reason.slice(33))).toEqual([
      expect.stringContaining('has no document that is known to be as filed'),
      expect.stringContaining('has a document main.htm of another SHA-256'),
      expect.stringContaining('has no document that is known to be as filed'),
    ]);
    // of the two readings of a listed instant the later one: eight in New York (M17.28)
    expect(
      await ask('SELECT accession, accepted_at::VARCHAR AS at, known_on::VARCHAR AS day FROM coin_events'),
    ).toEqual([{ accession: a, at: '2026-01-05 13:00:27', day: '2026-01-05' }]);
  });

  it('lists a picture filed as an exhibit and refuses a document over a bound, beside what it reads', async () => {
    const documents = [
      { type: '8-K', filename: 'main.htm', text: held('9', 'January 4, 2026') },
      { type: 'EX-99.1', filename: 'slides.pdf', text: '<PDF>' },
      { type: 'EX-99.2', filename: 'deep.htm', text: '<div>'.repeat(300) },
    ];
    await putReport(a, { filed: '2026-01-05', documents });
    await load();
    expect(await ask('SELECT type, status FROM internal.report_document ORDER BY type')).toEqual([
      { type: '8-K', status: 'read' },
      { type: 'EX-99.1', status: 'unreadable_exhibit' },
      { type: 'EX-99.2', status: 'document_refused:depth' },
    ]);
    expect(await stocks()).toHaveLength(1);
  });

  it('keeps the statements of a report whose file is damaged on a later night', async () => {
    await putReport(a, { filed: '2026-01-05', text: held('9', 'January 4, 2026') });
    await load();
    await put(`${cik}/${a}/${a}.txt`, '<html>a block page</html>');
    expect((await load()).refused).toMatchObject([{ kept: true }]);
    expect(await stocks()).toHaveLength(1);
    await rm(join(root, cik, a), { recursive: true });
    await put(`${cik}/${a}/${a}.txt.gz`, gzipSync('x').subarray(0, 12));
    expect((await load()).refused).toMatchObject([
      { kept: true, reason: expect.stringContaining('is not gzip') },
    ]);
  });

  it('takes the amount from a purchase whose price is not that of its days (M17.22)', async () => {
    const close = { input: 'VARCHAR', date: 'DATE', asset: 'VARCHAR', close: 'DOUBLE', source: 'VARCHAR' };
    await warehouse.put('price_close', close, [
      ['p', '2026-01-05', 'BTC', 90_000, 's'],
      ['p', '2026-01-06', 'BTC', 91_000, 's'],
    ]);
    const purchase = (units: string, usd: string) =>
      `<p>During the period between January 5, 2026 and January 6, 2026, the Company acquired ${units} bitcoin for $${usd} in cash.</p>`;
    await putReport(a, {
      filed: '2026-01-07',
      text: purchase('1,000', '90.5 million') + purchase('1,283', '116.0'),
    });
    await load();
    expect(
      await ask(
        "SELECT units::INTEGER AS units, usd::DOUBLE AS usd, array_to_string(notes, ',') AS notes FROM coin_events ORDER BY units",
      ),
    ).toEqual([
      { units: 1000, usd: 90_500_000, notes: '' },
      { units: 1283, usd: null, notes: 'price_mismatch' },
    ]);
    const known = (await selectStatements(warehouse.connection, '2026-01-07')).get(cik) ?? [];
    expect(known.map(({ usd, notes }) => [usd?.toString() ?? null, notes])).toEqual([
      ['90500000', []],
      [null, ['price_mismatch']],
    ]);
  });
});

describe('the reports of the fixtures', () => {
  it('say that Strategy held 713,502 bitcoin on 2026-02-01', async () => {
    for (const { accession, text } of storedSubmissions(new Map([['Strategy Inc', cik]])))
      await put(`${cik}/${accession}/${accession}.txt`, text);
    expect(await load()).toMatchObject({ changed: 10, refused: [] });
    expect(
      await ask(
        "SELECT as_of::VARCHAR AS day, units::INTEGER AS units, accession, document_type FROM units_as_of('2026-02-07')",
      ),
    ).toEqual([
      { day: '2026-02-01', units: 713_502, accession: '0001193125-26-032731', document_type: '8-K' },
    ]);
  });
});

describe("Strategy's reports beside the project", () => {
  it('are 73 links: 54 proven, 4 off by one coin, 15 gaps, and nothing of a copy', async (ctx) => {
    const shared = resolve('../shared/data/edgar');
    if (!existsSync(join(shared, 'current-reports/provenance.csv')))
      return ctx.skip('../shared/data/edgar/current-reports is not there to read');
    await loadSubmissions({
      ...{ connection: warehouse.connection, paths: [join(shared, 'submissions.zip')] },
      ...{ ciks: [cik], newcomers: [] },
    });
    const { reasons } = await load(join(shared, 'current-reports'));
    expect(reasons.filter((reason) => !reason.endsWith('is not named for an accession number'))).toEqual([]);
    expect(
      await ask(
        'SELECT verdict, count(*)::INTEGER AS n FROM holdings_statements GROUP BY ALL ORDER BY n DESC',
      ),
    ).toEqual([
      { verdict: 'proven', n: 54 },
      { verdict: 'gap', n: 15 },
      { verdict: 'rounded', n: 4 },
      { verdict: null, n: 1 },
    ]);
    // the balance sheet of 2025-09-30 came into force that day; the stock of the day before is newer
    expect(
      await ask("SELECT as_of::VARCHAR AS day, units::INTEGER AS units FROM units_as_of('2025-11-03')"),
    ).toEqual([{ day: '2025-11-02', units: 641_205 }]);
    expect(await ask("SELECT units::INTEGER AS units FROM units_as_of('2026-02-07')")).toEqual([
      { units: 713_502 },
    ]);
    expect(await ask('SELECT DISTINCT cik FROM coin_events')).toEqual([{ cik }]);
    // on 200 days each link is that of the statements known then, as if nothing had been filed after (M10.2)
    for (let n = 0, seed = 37; n < 200; n += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      const day = addDays('2020-08-01', seed % 2020);
      const known = (await selectStatements(warehouse.connection, day)).get(cik) ?? [];
      const links = chainStocks(known, 'BTC').map(({ to, verdict }) => `${to.asOf} ${to.units} ${verdict}`);
      const kept = await ask(
        `SELECT as_of::VARCHAR || ' ' || units::BIGINT || ' ' || verdict AS link
        FROM internal.linked_holdings(DATE '${day}') WHERE verdict IS NOT NULL ORDER BY as_of`,
      );
      expect([day, kept.map(({ link }) => link)]).toEqual([day, links]);
    }
  });
});
