import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../calculators/exact/civilDate.ts';
import { ingestedArchive } from '../../fixtures/archive/ingestedArchive.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { asOfPositions, type PositionsOfDate } from '../backfill/backfill.ts';
import { realFiles, systemClock } from '../effects.ts';
import { scanDirectorySource } from '../source/directorySource.ts';
import { loadUniverse, type RegisteredIssuer } from '../universe/universe.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { type Build, openBuild } from '../warehouse/build/warehouseBuild.ts';
import { selectPrices } from '../warehouse/select/selectPrices.ts';

const shared = resolve('../shared/data');
const missing = existsSync(shared) ? null : '../shared/data is not beside the project';

let root = '';
let build: Build;
let universe: RegisteredIssuer[];
const found: PositionsOfDate[] = [];

beforeAll(async () => {
  if (missing !== null) return;
  root = await mkdtemp(join(tmpdir(), 'shared-history-'));
  await ingestedArchive(root);
  const effects = { clock: systemClock(), log: () => undefined, files: realFiles() };
  build = await openBuild({ warehouseRoot: root, buildId: 'n1', effects });
  universe = await loadUniverse(join(shared, 'universe.csv'));
  await build.ingest({ inputs: await scanDirectorySource(shared), universe });
  const parameters = registryParameters;
  const dates: string[] = [];
  for (let day = '2010-01-15'; day <= '2025-12-31'; day = addDays(day, 30)) dates.push(day);
  const all = [...dates, '2025-03-31', '2025-05-05'].sort();
  const rows = await selectPrices(build.connection, { upTo: '2025-12-31' });
  const positions = asOfPositions({
    connection: build.connection,
    dates: all,
    issuers: universe,
    rows,
    parameters,
    cache: null,
    stopIfAsked: () => undefined,
    log: () => undefined,
  });
  for await (const date of positions) found.push(date);
});
afterAll(async () => {
  await build?.discard();
  await rm(root, { recursive: true, force: true });
});

describe.skipIf(missing !== null)(
  `history of the shared data${missing === null ? '' : ` (${missing})`}`,
  () => {
    it('has in force on every date what a brute-force query finds', async () => {
      let rows = 0;
      for (const { sourceDate, known } of found) {
        const expected = await readRows(
          build.connection,
          `SELECT cik, accession, period::VARCHAR AS period FROM filings f
        WHERE cik IN (SELECT cik FROM issuers) AND has_balance_sheet AND filed <= $day::DATE
          AND accepted_at::DATE <= $day::DATE AND NOT EXISTS (
            FROM filings later WHERE later.cik = f.cik AND later.has_balance_sheet AND later.filed <= $day::DATE
              AND later.accepted_at::DATE <= $day::DATE
              AND (later.accepted_at > f.accepted_at
                OR (later.accepted_at = f.accepted_at AND later.accession > f.accession)))
        ORDER BY cik`,
          { day: sourceDate },
        );
        const told = known
          .map(({ position: { filing } }) => [filing.cik, filing.accession, filing.period])
          .sort();
        expect([sourceDate, ...told]).toEqual([
          sourceDate,
          ...expected.map((row) => [row['cik'], row['accession'], row['period']]),
        ]);
        rows += told.length;
      }
      expect(rows).toBeGreaterThan(500);
    });

    it('reads coins of MSTR from companyfacts alone at cost until their fair value was filed (M10.7)', () => {
      const on = (date: string) => {
        const one = found.find(({ sourceDate }) => sourceDate === date)?.known;
        const position = one?.find(({ position: { issuer } }) => issuer.ticker === 'MSTR')?.position;
        return [
          position?.filing.accession,
          position?.debt.total.toString(),
          position?.holdings.amount.toString(),
          position?.units.basis,
        ];
      };
      expect(on('2025-03-31')).toEqual([
        ...['0000950170-25-021814', '7191675000', '23909373000', 'carrying_value_lower_bound'],
      ]);
      expect(on('2025-05-05')).toEqual([
        ...['0000950170-25-063536', '8140681000', '43546079000', 'fair_value_implied_btc'],
      ]);
    });
  },
);
