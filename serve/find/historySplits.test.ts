import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answersWhenCut } from '../../fixtures/rigs/answersWhenCut.ts';
import { sampleHistory } from '../../fixtures/rigs/sampleHistory.ts';
import { type Rig, sampleIssuers, serveRig } from '../../fixtures/rigs/serveRig.ts';

const sourceDate = '2026-02-07';
const dates = [
  '2025-12-30',
  '2025-12-31',
  '2026-01-01',
  '2026-01-31',
  '2026-02-01',
  '2026-02-06',
  sourceDate,
];
// each issuer lacks some dates; 0 is the first date
const held: Readonly<Record<string, readonly number[]>> = {
  MSTR: [0, 1, 2, 3, 4, 5, 6],
  MARA: [0, 3, 6],
  UPXI: [1, 2, 4],
};
const issuers = sampleIssuers.flatMap((issuer) => {
  const positions = held[issuer.ticker ?? ''];
  return positions === undefined ? [] : [{ issuer, dates: positions.map((at) => dates[at] ?? '') }];
});

let rig: Rig;
let key: string;
let builds = 0;
beforeAll(async () => {
  rig = await serveRig();
  key = await rig.key();
});
afterAll(() => rig.close());

function answers(cuts: readonly number[], paths: readonly string[]): Promise<string[]> {
  builds += 1;
  return answersWhenCut({
    rig,
    key,
    sourceDate,
    build: builds,
    cuts,
    paths,
    more: (split) => sampleHistory({ sourceDate, issuers, split }),
  });
}

const day = fc.constantFrom(...dates, '2025-12-01', '2026-01-15', '2026-02-03');
const range = fc.record({ source_date_from: day, source_date_to: day }, { requiredKeys: [] });
const page = fc.record({ limit: fc.integer({ min: 1, max: 9 }), offset: fc.integer({ min: 0, max: 13 }) });
const who = fc.constantFrom('MSTR', 'MARA', 'UPXI', 'BMNR');
const query = (...parts: readonly object[]) =>
  new URLSearchParams(Object.assign({}, ...parts.filter((part) => part !== null))).toString();
const core = fc
  .tuple(who, range, page)
  .map(([ticker, dated, paged]) => `/v1/core-history/${ticker}?${query(dated, paged)}`);
const calculations = fc
  .tuple(fc.option(who), fc.constantFrom('compact', 'full'), range, page)
  .map(
    ([ticker, mode, dated, paged]) =>
      `/v1/core7/calculation-history?${query(ticker === null ? {} : { ticker }, { mode }, dated, paged)}`,
  );

describe('a history in segments', () => {
  it('answers the same bytes wherever its segments begin (STORE ST11)', async () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: dates.length - 1 }));
    const paths = fc.array(fc.oneof(core, calculations), { minLength: 6, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, paths, async (some, asked) => {
        const oneADate = dates.map((_, at) => at).slice(1);
        expect(await answers(some, asked)).toEqual(await answers(oneADate, asked));
      }),
      { numRuns: 25 },
    );
  });

  it('answers every row of an issuer from one segment and from many', async () => {
    const asked = ['MSTR', 'MARA', 'UPXI'].map((ticker) => `/v1/core-history/${ticker}`);
    const [whole, split] = [await answers([], asked), await answers([1, 2, 3, 4, 5, 6], asked)];
    expect(split).toEqual(whole);
    expect(whole.map((said) => said.match(/"source_date":"[^"]+"/g)?.length)).toEqual([7, 3, 3]);
  });
});
