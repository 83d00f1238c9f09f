import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { priceBook } from '../../calculators/prices/priceBook.ts';
import { ingestedArchive } from '../../fixtures/archive/ingestedArchive.ts';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { selectIssuerInputs } from '../../fixtures/rigs/selectIssuerInputs.ts';
import { realFiles, systemClock } from '../effects.ts';
import { scanDirectorySource } from '../source/directorySource.ts';
import { loadUniverse } from '../universe/universe.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { type Build, openBuild } from '../warehouse/build/warehouseBuild.ts';
import { writeStressRows } from '../warehouse/derived/stressRows.ts';
import { selectPrices } from '../warehouse/select/selectPrices.ts';
import { explainIssuer } from './explainIssuer.ts';

const shared = resolve('../shared/data');
const missing = existsSync(shared) ? null : '../shared/data is not beside the project';
const nights = ['2024-08-01', '2025-12-31'];

let root = '';
let roots: Record<string, unknown>[] = [];
beforeAll(async () => {
  if (missing !== null) return;
  root = await mkdtemp(join(tmpdir(), 'shared-filings-'));
  await ingestedArchive(root);
  const effects = { clock: systemClock(), log: () => undefined, files: realFiles() };
  const build = await openBuild({ warehouseRoot: root, buildId: 'n1', effects });
  const universe = await loadUniverse(join(shared, 'universe.csv'));
  await build.ingest({ inputs: await scanDirectorySource(shared), universe });
  for (const sourceDate of nights) await compute(build, { sourceDate, universe });
  roots = await readRows(
    build.connection,
    `SELECT ticker, source_date::VARCHAR AS night, side, bucket, concept, value::BIGINT::VARCHAR AS value, weight,
      context, accession, data_source FROM resolution_roots WHERE origin = 'instance' ORDER BY ALL`,
  );
  await build.finish();
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function compute(
  build: Build,
  { sourceDate, universe }: { sourceDate: string; universe: Awaited<ReturnType<typeof loadUniverse>> },
) {
  const parameters = registryParameters;
  const inputs = await selectIssuerInputs(build.connection, { sourceDate, issuers: universe });
  const prices = priceBook(await selectPrices(build.connection, { upTo: sourceDate }), parameters);
  const asOf = `${sourceDate}T23:00:00Z`;
  const results = inputs.map((one) =>
    computeIssuer(one, { sourceDate, asOf, prices, parameters, backfilled: false }),
  );
  await writeStressRows(
    build.connection,
    results.map(({ stress }) => stress),
    {
      sourceDate,
      methodVersion: parameters.version,
      trails: new Map(results.flatMap(({ issuer, trail }) => (trail === null ? [] : [[issuer.cik, trail]]))),
    },
  );
}

const explain = (label: string, sourceDate: string) =>
  explainIssuer({
    databasePath: join(root, 'current.duckdb'),
    label,
    period: null,
    sourceDate,
    format: 'text',
  });
/** The text without its folds and the stems of the tree. */
const oneLine = (text: string) => text.replace(/\n[│ ]+(?=[^│├└─ ])/g, ' ');
const rootsOf = (ticker: string, night: string) =>
  roots.filter((row) => row['ticker'] === ticker && row['night'] === night);

describe('the filings at hand, from their files to the tree', () => {
  it('explains TSLA 2024-06-30 by its own linkbase', async (ctx) => {
    if (missing !== null) ctx.skip(missing);
    const text = await explain('TSLA', '2024-08-01');
    expect(text).toContain('10-Q 0001628280-24-032662, period 2024-06-30');
    expect(text).toContain('121 arcs');
    expect(oneLine(text)).toContain(
      'filed 5,481,000,000 USD at 2024-06-30; 0001628280-24-032662, instance, context c-3, to the million',
    );
    // the face shows debt with finance leases; the leases are taken off (M1.20 †)
    const found = rootsOf('TSLA', '2024-08-01');
    expect(
      found.map((row) => [row['side'], row['bucket'], row['concept'], row['value'], row['weight']]),
    ).toEqual([
      ['crypto', 'N', 'tsla:DigitalAssetsNetNonCurrent', '184000000', 1],
      ['debt', 'C', 'tsla:LongTermDebtAndFinanceLeasesCurrent', '2264000000', 1],
      ['debt', 'C', 'us-gaap:FinanceLeaseLiabilityCurrent', '240000000', -1],
      ['debt', 'N', 'tsla:LongTermDebtAndFinanceLeasesNoncurrent', '5481000000', 1],
      ['debt', 'N', 'us-gaap:FinanceLeaseLiabilityNoncurrent', '143000000', -1],
    ]);
  });

  it('explains NXTT 2025-03-31, whose other notes payable are its only debt', async (ctx) => {
    if (missing !== null) ctx.skip(missing);
    expect(rootsOf('NXTT', '2025-12-31')).toEqual([
      {
        ticker: 'NXTT',
        night: '2025-12-31',
        side: 'crypto',
        bucket: 'C',
        concept: 'us-gaap:CryptoAssetFairValueCurrent',
        value: '481717253',
        weight: 1,
        context: 'c2',
        accession: '0001213900-25-041307',
        data_source: 'linkbase_rooted_facts',
      },
      {
        ticker: 'NXTT',
        night: '2025-12-31',
        side: 'debt',
        bucket: 'C',
        concept: 'us-gaap:OtherNotesPayableCurrent',
        value: '2062195',
        weight: 1,
        context: 'c2',
        accession: '0001213900-25-041307',
        data_source: 'linkbase_rooted_facts',
      },
    ]);
    expect(await explain('NXTT', '2025-12-31')).toContain('54 arcs');
  });

  it('explains PURR 2025-09-30, a shell with embedded linkbases and neither coins nor debt', async (ctx) => {
    if (missing !== null) ctx.skip(missing);
    const text = oneLine(await explain('PURR', '2025-12-31'));
    expect(text).toContain('read through 11 arcs of its calculation linkbase');
    expect(text).toContain(
      'debt 0 USD = current 0 + noncurrent 0; a measured zero; read from no debt, confirmed by the liabilities',
    );
    expect(text).toContain('coins 0 USD');
  });

  it('says of every issuer without a linkbase that the walk had no arcs', async (ctx) => {
    if (missing !== null) ctx.skip(missing);
    for (const label of ['CLSK', 'RIOT', 'KULR', 'DFDV', 'FLD', 'GAME', 'MSTR', 'BTBT']) {
      const text = oneLine(await explain(label, '2025-12-31'));
      expect(text).toContain('read without a calculation linkbase');
      expect(text).toContain('passed over: the liabilities of the calculation linkbase; ');
    }
  });
});
