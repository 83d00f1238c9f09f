import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { newestUnits } from '../../../calculators/currentReports/currentUnits.ts';
import { addDays } from '../../../calculators/exact/civilDate.ts';
import { storedSubmissions, submissionText } from '../../../fixtures/builders/submissionText.ts';
import { limitMs } from '../../../fixtures/checks/machinePace.ts';
import {
  type HandMadeWarehouse,
  handMadeIssuer,
  handMadeWarehouse,
} from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { readRows } from '../build/readRows.ts';
import { deriveStatements } from '../reports/deriveStatements.ts';
import { selectStatements } from '../reports/storedStatements.ts';
import { loadCurrentReports } from './loadCurrentReports.ts';

type Report = {
  readonly cik: string;
  readonly accession: string;
  /** UTC day from which it was known. */
  readonly knownFrom: string;
  readonly text: string;
};

const strategy = handMadeIssuer('0001050446', { ticker: 'MSTR', entityName: 'Strategy Inc' });
const made = Array.from({ length: 7 }, (_, n) => handMadeIssuer(`000000001${n}`));
const issuers = [strategy, ...made];
const openings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of openings.splice(0)) await close();
});

/** Numbers of a row of random ones, the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const us = (day: string) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;

/** Weekly reports of made-up issuers: tables of flows and stocks, some late, amended, contradictory or without a stock. */
function madeReports(): Report[] {
  const random = randomNumbers(37);
  return made.flatMap(({ cik, entityName }, issuer) => {
    let held = 1000 + random(5000);
    return Array.from({ length: 12 }, (_, week): Report => {
      const [from, to] = [addDays('2025-09-01', week * 7), addDays('2025-09-07', week * 7)];
      const bought = random(200);
      held += bought;
      const stated = random(8) === 0 ? held + random(5000) : held;
      const flow = `<tr><td>${us(from)} - ${us(to)}</td><td>${bought}</td></tr>`;
      const stock = `<table><tr><td>As of</td><td>BTC Held</td></tr><tr><td>${us(to)}</td><td>${stated}</td></tr></table>`;
      const isFlowAlone = random(4) === 0;
      const late = random(3) === 0 ? random(30) : 1;
      const filed = addDays(to, late);
      // half past eight in the evening in New York is the next day in UTC, in summer too
      const isEvening = random(2) === 0;
      const accession = `00000000${issuer + 10}-25-0000${week + 10}`;
      const text = submissionText({
        ...{ cik, accession, filed, names: [entityName], form: random(6) === 0 ? '8-K/A' : '8-K' },
        accepted: `${filed.replaceAll('-', '')}${isEvening ? '203000' : '090000'}`,
        documents: [
          {
            type: '8-K',
            filename: 'report.htm',
            text: `<table><tr><td>Period</td><td>BTC Acquired</td></tr>${flow}</table>${isFlowAlone ? '' : stock}`,
          },
        ],
      });
      return { cik, accession, text, knownFrom: isEvening ? addDays(filed, 1) : filed };
    });
  });
}

type Archive = HandMadeWarehouse & {
  /** Files these reports beside the others and loads them, as the night after does. */
  readonly add: (reports: readonly Report[]) => Promise<void>;
};

async function emptyArchive(): Promise<Archive> {
  const warehouse = await handMadeWarehouse();
  const root = await mkdtemp(join(tmpdir(), 'reports-'));
  openings.push(async () => {
    await warehouse.remove();
    await rm(root, { recursive: true, force: true });
  });
  const columns = { position: 'INTEGER', cik: 'VARCHAR', ticker: 'VARCHAR', entity_name: 'VARCHAR' };
  await warehouse.put(
    'universe_issuer',
    { ...columns, aliases: ['VARCHAR'], issuer_type: 'VARCHAR' },
    issuers.map(({ cik, ticker, entityName }, at) => [at, cik, ticker, entityName, [], 'operating_company']),
  );
  const { connection } = warehouse;
  return {
    ...warehouse,
    async add(reports) {
      for (const { cik, accession, text } of reports) {
        await mkdir(join(root, cik, accession), { recursive: true });
        await writeFile(join(root, cik, accession, `${accession}.txt`), text);
      }
      const { refused } = await loadCurrentReports({ connection, paths: [root], issuers });
      expect(refused).toEqual([]);
      await deriveStatements(connection);
    },
  };
}

const text = (value: unknown) =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one));

/** All a warehouse answers of an issuer on a day. */
async function answers({ connection }: HandMadeWarehouse, day: string): Promise<ReadonlyMap<string, string>> {
  const statements = await selectStatements(connection, day);
  const rows = async (sql: string) =>
    Map.groupBy(await readRows(connection, sql, { day }), (row) => String(row['cik']));
  const units = await rows(
    'SELECT cik, CAST(COLUMNS(* EXCLUDE cik) AS VARCHAR) FROM units_as_of($day::DATE) ORDER BY ALL',
  );
  const links = await rows(
    'SELECT cik, CAST(COLUMNS(* EXCLUDE cik) AS VARCHAR) FROM internal.linked_holdings($day::DATE) ORDER BY ALL',
  );
  const newest = (cik: string) => newestUnits({ statements: statements.get(cik) ?? [], asset: 'BTC', day });
  return new Map(
    issuers.map(({ cik }) => {
      const rolled = newest(cik);
      // what R11 counts is what the warehouse says
      expect(units.get(cik)?.map((row) => [row['as_of'], Number(row['units']), row['basis']]) ?? []).toEqual(
        rolled === null ? [] : [[rolled.asOf, Number(rolled.units.toString()), rolled.basis]],
      );
      return [cik, text([statements.get(cik) ?? [], units.get(cik), links.get(cik)])];
    }),
  );
}

describe('200 pairs of issuer and day', () => {
  it(
    'answer as if the archive had been cut at that instant (M10.2, M17.36, M17.37)',
    async () => {
      const filed = storedSubmissions(new Map([['Strategy Inc', strategy.cik]])).map((report) => ({
        ...report,
        knownFrom: report.filed,
      }));
      const reports = [...filed, ...madeReports()];
      const whole = await emptyArchive();
      await whole.add(reports);
      const random = randomNumbers(11);
      const days = Array.from({ length: 25 }, (_, n) =>
        n < 3 ? addDays('2023-01-01', random(900)) : addDays('2025-09-01', random(160)),
      ).sort();
      const bases: unknown[] = [];
      // grows from day to day, as an archive does: each report is read once
      const cut = await emptyArchive();
      let before = '';
      for (const day of days) {
        await cut.add(reports.filter(({ knownFrom }) => before < knownFrom && knownFrom <= day));
        before = day;
        const [of, after] = [await answers(cut, day), await answers(whole, day)];
        const others = issuers.filter(({ cik }) => of.get(cik) !== after.get(cik));
        expect([day, others.map(({ cik }) => cik)]).toEqual([day, []]);
        const rows = await readRows(whole.connection, 'SELECT basis FROM units_as_of($day::DATE)', { day });
        bases.push(...rows.map(({ basis }) => basis));
      }
      // both kinds of units were compared
      expect(new Set(bases)).toEqual(new Set(['stated', 'stated_rolled']));
    },
    limitMs(60_000),
  );
});
