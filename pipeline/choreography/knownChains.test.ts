import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FilingChain, FilingChoreography } from '../../calculators/choreography/filingChoreography.ts';
import { buildNight } from '../../fixtures/builders/buildNight.ts';
import { goldenParameters } from '../../fixtures/builders/goldenSlice.ts';
import { readNights } from '../../fixtures/builders/readTables.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../fixtures/rigs/handMadeWarehouse.ts';
import { readHolidays } from '../changes/readHolidays.ts';
import { loadSubmissions } from '../warehouse/load/loadSubmissions.ts';
import { choreographyOf } from './choreographyOf.ts';

const MSTR = '0001050446';
const TSLA = '0001318605';
const shared = fileURLToPath(new URL('../../../shared/data/edgar/submissions.zip', import.meta.url));

/** What EDGAR's submissions of Strategy and Tesla say (METHODOLOGY M7.4 to M7.6, Rule 12b-25). */
describe.each([
  ['the last fixture night', null],
  ['the submissions of January 2026', shared],
])('chains in %s', (_, archive) => {
  let folder: string;
  let warehouse: HandMadeWarehouse;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chains-'));
    warehouse = await handMadeWarehouse();
    const night = (await readNights()).at(-1);
    if (archive === null && night !== undefined) await buildNight({ night, target: folder, market: false });
    const path = archive ?? join(folder, 'edgar/submissions.zip');
    if (!existsSync(path)) return;
    await warehouse.put(
      'universe_issuer',
      {
        position: 'INTEGER',
        cik: 'VARCHAR',
        entity_name: 'VARCHAR',
        aliases: ['VARCHAR'],
        issuer_type: 'VARCHAR',
      },
      [MSTR, TSLA].map((cik, i) => [i, cik, cik, [], 'operating_company']),
    );
    const { connection } = warehouse;
    await loadSubmissions({ connection, paths: [path], ciks: [MSTR, TSLA], newcomers: [] });
  });
  afterAll(async () => {
    await warehouse.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const asOf = async (sourceDate: string): Promise<Map<string, FilingChoreography>> =>
    choreographyOf(warehouse.connection, {
      sourceDate,
      parameters: goldenParameters,
      calendar: await readHolidays(),
    });
  const chainsOf = async (cik: string, sourceDate = '2026-02-07'): Promise<readonly FilingChain[]> =>
    (await asOf(sourceDate)).get(cik)?.chains ?? [];
  const ofKind = (chains: readonly FilingChain[], kind: string) => chains.filter((c) => c.kind === kind);
  const days = (chain: FilingChain | undefined) =>
    chain?.steps.map(({ event }) => `${event.form} ${event.filed}`) ?? [];
  const skipped = (skip: (why: string) => void) => {
    if (archive !== null && !existsSync(archive)) skip(`${archive} is not on this machine`);
  };

  it('joins 21 424B5, one 424B2 and 13 FWP to the shelf 333-284510 of 2025-01-27', async ({ skip }) => {
    skipped(skip);
    const chains = await chainsOf(MSTR);
    const shelf = chains.find((c) => c.sequenceId === `shelf_takedown:${MSTR}:0001193125-25-012707`);
    const direct = shelf?.steps.filter(({ confidence }) => confidence === 'direct') ?? [];
    const counts = new Map<string, number>();
    for (const { event } of direct) counts.set(event.form, (counts.get(event.form) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ 'S-3ASR': 1, '424B5': 21, '424B2': 1, FWP: 13 });
    expect(new Set(direct.map(({ event }) => event.fileNumber))).toEqual(new Set(['333-284510']));
    expect(new Set(shelf?.steps.map(({ event }) => event.form))).toEqual(
      new Set(['S-3ASR', '424B5', '424B2', 'FWP', '8-K']),
    );
  });

  it('finds the eight private converts of Strategy', async ({ skip }) => {
    skipped(skip);
    const converts = ofKind(await chainsOf(MSTR), 'private_convert');
    expect(converts.map(({ anchor }) => anchor.filed)).toEqual([
      ...['2020-12-11', '2021-02-19', '2024-03-11', '2024-03-19'],
      ...['2024-06-20', '2024-09-20', '2024-11-21', '2025-02-24'],
    ]);
    expect(days(converts[0])).toEqual(['8-K 2020-12-11', '10-K 2021-02-12']);
  });

  it('finds the staff reviews of 2021 and 2023, and learns of them after their release', async ({ skip }) => {
    skipped(skip);
    const since2020 = (chains: readonly FilingChain[]) =>
      ofKind(chains, 'staff_review').filter(({ anchor }) => anchor.filed >= '2020-01-01');
    const reviews = since2020(await chainsOf(MSTR));
    const letters = reviews.map((chain) => days(chain).filter((day) => /UPLOAD|CORRESP/.test(day)));
    expect(letters).toEqual([
      [
        ...['UPLOAD 2021-10-07', 'CORRESP 2021-10-22', 'UPLOAD 2021-12-03'],
        ...['CORRESP 2021-12-16', 'UPLOAD 2021-12-20'],
      ],
      [
        ...['UPLOAD 2023-04-05', 'CORRESP 2023-04-19', 'UPLOAD 2023-05-08'],
        ...['CORRESP 2023-05-11', 'UPLOAD 2023-05-11'],
      ],
    ]);
    // twenty business days after 2021-12-20, without Christmas (observed 24th), New Year (31st) and King Day (17 January)
    expect(since2020(await chainsOf(MSTR, '2022-01-19'))).toEqual([]);
    expect(since2020(await chainsOf(MSTR, '2022-01-20'))).toHaveLength(1);
    const seen = (await asOf('2022-01-19')).get(MSTR)?.events ?? [];
    expect(seen.filter(({ form, filed }) => form === 'UPLOAD' && filed >= '2020-01-01')).toEqual([]);
  });

  it('reads the offering of Tesla and its late annual report from the older page', async ({ skip }) => {
    skipped(skip);
    const chains = await chainsOf(TSLA);
    const [offering] = ofKind(chains, 'ipo');
    expect(days(offering).filter((day) => !day.startsWith('S-1/A'))).toEqual([
      ...['S-1 2010-01-29', '8-A12B 2010-05-27', 'EFFECT 2010-06-28', '424B4 2010-06-29', '10-Q 2010-08-13'],
    ]);
    const [late] = ofKind(chains, 'late_filer');
    expect([late?.label, ...days(late)]).toEqual([
      ...['Late filer: cured on time', 'NT 10-K 2013-03-04', '10-K 2013-03-07'],
    ]);
    const [open] = ofKind(await chainsOf(TSLA, '2013-03-06'), 'late_filer');
    expect([open?.label, ...days(open)]).toEqual(['Late filer: open', 'NT 10-K 2013-03-04']);
  });
});
