import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Effects } from '../effects.ts';
import { readCentralDirectory } from '../zip/readCentralDirectory.ts';
import { readZipEntry } from '../zip/readZipEntry.ts';
import { openRandomAccessFile } from '../zip/zipEntry.ts';
import { FactSink } from './factSink.ts';
import { ingestCompanyFacts } from './ingestCompanyFacts.ts';
import { parseCompanyFacts } from './parseCompanyFacts.ts';
import { cikOfName } from './readCompanyFacts.ts';
import { CompanyFactsScanner } from './scanCompanyFacts.ts';

const later = '../shared/data/edgar/companyfacts.zip';
const earlier = '../shared/data/edgar/companyfacts-earlier.zip';
const absent = 'the archives of real filings are not beside the project';
const present = existsSync(later) && existsSync(earlier);

const quiet: Effects = {
  clock: { now: () => new Date(0), sleep: () => Promise.resolve() },
  log: () => undefined,
};

// facts per (cik, taxonomy) and the sum of all whole values, counted by other code in another language
const COUNT = `
import zipfile, json, sys
counts, total = {}, 0
with zipfile.ZipFile(sys.argv[1]) as z:
    for i in z.infolist():
        d = json.loads(z.read(i))
        for t, cs in d['facts'].items():
            for c in cs.values():
                for rows in c['units'].values():
                    k = '%010d %s' % (int(d['cik']), t)
                    counts[k] = counts.get(k, 0) + len(rows)
                    total += sum(int(r['val']) for r in rows if float(r['val']).is_integer())
json.dump({'counts': counts, 'total': str(total)}, sys.stdout)
`;

let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
  await connection.run("CREATE SCHEMA internal; SET search_path = 'internal,main'");
  for (const script of ['facts.sql', 'factViews.sql'])
    await connection.run(readFileSync(`data/sql/${script}`, 'utf8'));
  if (!present) return;
  await ingestCompanyFacts({ archivePath: earlier, connection, effects: quiet });
});

afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

async function rows(sql: string): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql)).getRowsJson();
}

describe('archives of real filings', () => {
  it('differ from night to night by exactly the filings made in between', async (ctx) => {
    if (!present) return ctx.skip(absent);
    const report = await ingestCompanyFacts({ archivePath: later, connection, effects: quiet });
    expect(report.quarantined).toEqual([]);
    expect(report.unchanged).toBe(36);
    // AAPL: other bytes, equal facts
    expect(report.changed).toContain('CIK0000320193.json');
    expect(report.added).toEqual(['CIK0002078856.json']);
    expect(
      await rows(
        'SELECT cik, kind, count(*)::INTEGER, list(DISTINCT accession) FROM fact_change GROUP BY ALL ORDER BY ALL',
      ),
    ).toEqual([
      ['0000789019', 'added', 491, ['0001193125-26-027207']],
      ['0001050446', 'added', 314, ['0001193125-25-262568']],
      ['0001167419', 'added', 380, ['0001104659-25-104466']],
      ['0001477333', 'added', 333, ['0001477333-25-000141']],
      ['0001662684', 'added', 374, ['0001104659-25-113662']],
      ['0001710350', 'added', 440, ['0001213900-25-110383']],
      ['0002078856', 'added', 26, ['0001193125-25-311400']],
    ]);
  });

  it('hold the facts an independent program counts', async (ctx) => {
    if (!present) return ctx.skip(absent);
    const python = spawnSync('python3', ['-c', COUNT, later], { encoding: 'utf8' });
    if (python.error !== undefined) return ctx.skip('python3 is not on this machine');
    const counted = JSON.parse(python.stdout) as { counts: Record<string, number>; total: string };
    const held = await rows("SELECT cik || ' ' || taxonomy, count(*)::INTEGER FROM facts GROUP BY ALL");
    expect(Object.fromEntries(held)).toEqual(counted.counts);
    expect(await rows('SELECT count(*)::INTEGER FROM facts')).toEqual([[215_646]]);
    expect(await rows('SELECT sum(value::HUGEINT)::VARCHAR FROM facts WHERE value = trunc(value)')).toEqual([
      [counted.total],
    ]);
  });

  it('are read alike by the byte scanner and the general parser', (ctx) => {
    if (!present) return ctx.skip(absent);
    const file = openRandomAccessFile(later);
    const { entries } = readCentralDirectory({ file });
    let scanned = 0;
    for (const entry of entries) {
      const content = readZipEntry(file, entry);
      const cik = cikOfName(entry.name) ?? 0;
      const one = new FactSink();
      const two = new FactSink();
      one.beginFile();
      two.beginFile();
      const scan = new CompanyFactsScanner(one).scan(content, cik);
      if (!scan.known) continue;
      scanned += 1;
      expect(parseCompanyFacts({ content, cik, sink: two })).toBe(scan.entityName);
      const [a, b] = [one.take(), two.take()];
      expect(a.rows).toBe(b.rows);
      // codes follow first use, which is the same order here, so whole pages are equal byte for byte
      expect(a.pages.map((page) => Buffer.from(page.buffer).toString('base64'))).toEqual(
        b.pages.map((page) => Buffer.from(page.buffer).toString('base64')),
      );
      expect(one.dictionaries.takeNew()).toEqual(two.dictionaries.takeNew());
    }
    file.close();
    // one file leaves the filing date of a 6-K empty
    expect(scanned).toBe(entries.length - 1);
  });
});
