import { describe, expect, it } from 'vitest';
import { composeGraded, type IssuerResult, type Slice } from '../../calculators/composeSlice.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { capital as capitalPayload } from '../../data/contract/payloads/issuer/capital.ts';
import { companyReport } from '../../data/contract/payloads/reports/companyReport.ts';
import { dailyBrief as brief } from '../../data/contract/payloads/reports/dailyBrief.ts';
import { naturalBrief } from '../../data/contract/payloads/reports/naturalBrief.ts';
import { briefStyles } from '../../data/contract/values/enums.ts';
import { anyCapital } from '../../fixtures/builders/anyCapital.ts';
import {
  goldenContext,
  goldenDate,
  goldenParameters,
  goldenPositions,
} from '../../fixtures/builders/goldenSlice.ts';
import { nightOfSlice } from '../../fixtures/builders/nightOfSlice.ts';
import { type LeftOutArtifact, leftOutArtifactSentences, orLeftOut } from '../compute/leftOut.ts';
import { type Artifact, sha256Hex } from '../release/artifact.ts';
import type { Family } from './family.ts';
import type { AvailableContexts, NightFacts } from './familyContexts.ts';
import { capital } from './issuer/capital.ts';
import { releaseArtifacts } from './releaseArtifacts.ts';
import { companyReports } from './reports/companyReports.ts';
import { dailyBrief } from './reports/dailyBrief.ts';
import { naturalBriefs } from './reports/naturalBriefs.ts';

const context = await goldenContext();
const slice = composeGraded(goldenPositions(), { context, history: [] });
const UPXI = slice.issuers.find(({ stress }) => stress.ticker === 'UPXI')?.issuer.cik ?? '';

/** The golden slice with another row of one issuer. */
const withRow = (cik: string, change: (stress: IssuerResult['stress']) => object): Slice => ({
  ...slice,
  issuers: slice.issuers.map((one) =>
    one.issuer.cik === cik ? { ...one, stress: { ...one.stress, ...change(one.stress) } } : one,
  ),
});
const nightOf = (of: Slice, more: Partial<NightFacts> = {}) =>
  nightOfSlice(of, { prices: context.prices, ...more });
const made = async (
  family: Family,
  contexts: AvailableContexts,
  artifacts?: ReadonlyMap<string, Artifact>,
) => {
  const all = await family.make(contexts, {
    backfilled: false,
    ...(artifacts === undefined ? {} : { made: artifacts }),
  });
  const leftOut = all.flatMap((one) => ('leftOut' in one ? [one] : []));
  const keys = all.flatMap((one) => ('leftOut' in one ? [] : [one.key]));
  return { keys, leftOut, leftOutKeys: leftOut.map(({ key }) => key) };
};
const said = ({ leftOut }: { leftOut: readonly LeftOutArtifact[] }) => leftOutArtifactSentences(leftOut);

describe('a natural brief', () => {
  const keysOf = (cik: string) =>
    briefStyles.map((style) => naturalBrief.stored.covenant.key({ slice: goldenDate, cik, style }));

  it('that breaks a rule of I2.44 is left out alone, named with the rule (M6.6c)', async () => {
    // a reason that no rule knows is told in its own words, and so brings a number that is no evidence
    const broken = withRow(UPXI, () => ({ risk_tier_reasons: ['all_17_lenders_agree'] }));
    const found = await made(naturalBriefs, { night: nightOf(broken) });
    expect(found.leftOutKeys).toEqual(keysOf(UPXI));
    expect(said(found)).toEqual(
      briefStyles.map(
        (style) =>
          `the ${style} covenant brief of UPXI is left out of the release: 17 is not in its evidence (I2.44)`,
      ),
    );
    // 12 of the morning, 12 of the most stressed, 4 of each other issuer
    expect(found.keys).toHaveLength(24 + 4 * (slice.issuers.length - 1));
  });

  it('whose evidence cannot be made is left out in every style with one sentence', async () => {
    const broken = withRow(UPXI, () => ({ facilities: [null] }));
    const found = await made(naturalBriefs, { night: nightOf(broken) });
    expect(found.leftOutKeys).toEqual(keysOf(UPXI));
    expect(said(found)).toEqual([
      expect.stringMatching(/^the covenant brief of UPXI is left out of the release: a calculator failed: /),
    ]);
  });

  it('is left out with every other where nothing can be read of the night, and the night goes on', async () => {
    const broken = { ...slice, board: null } as unknown as Slice;
    const found = await made(naturalBriefs, { night: nightOf(broken) });
    expect(found.keys).toEqual([]);
    expect(found.leftOut).toHaveLength(24 + 4 * slice.issuers.length);
  });
});

describe('a capital structure', () => {
  const keyOf = (cik: string) => capitalPayload.stored.object.key({ slice: goldenDate, cik });
  const day = anyCapital({ sourceDate: goldenDate });
  const withCapital = (own: IssuerResult['capital']): Slice => ({
    ...slice,
    issuers: slice.issuers.map((one) => ({
      ...one,
      capital: one.issuer.cik === UPXI ? own : { capital: day, fault: null },
    })),
  });
  const others = slice.issuers.map(({ issuer }) => issuer.cik).filter((cik) => cik !== UPXI);
  const { issuers, ...facts } = nightOf(slice);
  const familyOf = (of: Slice) => made(capital, { slice: { ...facts, issuers, slice: of } });

  it('that cannot be made is left out alone, and its issuer keeps its row (M18.80)', async () => {
    const found = await familyOf(withCapital({ capital: null, fault: new RangeError('no such member') }));
    expect(found.keys).toEqual(others.map(keyOf));
    expect(found.leftOutKeys).toEqual([keyOf(UPXI)]);
    expect(said(found)).toEqual([
      'the capital structure of UPXI is left out of the release: a calculator failed: no such member',
    ]);
  });

  it('whose filed part cannot be made is named like one that fails on its day (M18.80)', async () => {
    const positions = goldenPositions().map((one) =>
      one.issuer.cik === UPXI ? { ...one, capital: { fault: 'no such member' } } : one,
    );
    const broken = composeGraded(positions, { context, history: [] });
    const found = await familyOf(broken);
    expect(said(found)).toEqual([
      'the capital structure of UPXI is left out of the release: a calculator failed: no such member',
    ]);
    const rows = (of: Slice) => of.issuers.map(({ stress, fundamentals }) => ({ stress, fundamentals }));
    expect(rows(broken)).toEqual(rows(slice));
  });

  it('that breaks a law is left out with it (M18.83)', async () => {
    const [claims] = day.claims;
    if (claims === undefined) throw new Error('the made-up issuer has claims');
    const lines = claims.lines.map((line) => ({ ...line, recovery: 1.2 }));
    const found = await familyOf(
      withCapital({ capital: { ...day, claims: [{ ...claims, lines }] }, fault: null }),
    );
    expect(said(found)).toEqual([
      'the capital structure of UPXI is left out of the release: coins_only at 0.5: secured_by_coins recovers 1.2',
    ]);
  });

  it('changes no byte of any artifact of the slice or its briefs but its own (M18.80, M18.92)', async () => {
    const bytesOf = async (of: Slice) => {
      const night = nightOf(of);
      const contexts = { slice: { ...facts, issuers, slice: of } };
      const { artifacts } = await releaseArtifacts(contexts, { backfilled: false });
      const briefs = await naturalBriefs.make({ night }, { backfilled: false });
      const daily = await dailyBrief.make({ whole: { night, market: null } }, { backfilled: false });
      const all = [...artifacts, ...briefs, ...daily].flatMap((one) =>
        'bytes' in one && !one.key.startsWith('capital/') ? [[one.key, sha256Hex(one.bytes)] as const] : [],
      );
      return new Map(all);
    };
    const without = await bytesOf({
      ...slice,
      issuers: slice.issuers.map((one) => ({ ...one, capital: { capital: null, fault: null } })),
    });
    expect(without.size).toBeGreaterThan(100);
    expect(await bytesOf(withCapital({ capital: day, fault: null }))).toEqual(without);
  });

  it('is no artifact where the position holds none', async () => {
    const found = await familyOf(withCapital({ capital: null, fault: null }));
    expect([found.keys, found.leftOutKeys]).toEqual([others.map(keyOf), []]);
  });
});

describe('the daily brief', () => {
  const { object, html, pdf } = brief.stored;
  const keys = [object, html, pdf].map((stored) => stored.key({ slice: goldenDate }));

  it('is made of a sound night in its three forms', async () => {
    const found = await made(dailyBrief, { whole: { night: nightOf(slice), market: null } });
    expect([found.keys, found.leftOut]).toEqual([keys, []]);
  });

  it('that cannot be made is left out in all of them (M6.6c)', async () => {
    const broken = {
      ...slice,
      riskDistribution: { ...slice.riskDistribution, filing: {} },
    } as unknown as Slice;
    const night = { ...nightOf(broken), slice: { ...broken, readiness: { ...slice.readiness } } };
    const readiness = { ...slice.readiness, live_prices_active: false };
    const whole = { night: { ...night, slice: { ...broken, readiness } }, market: null };
    const found = await made(dailyBrief, { whole });
    expect(found.leftOutKeys).toEqual(keys);
    expect(said(found)).toEqual([
      expect.stringMatching(/^the daily brief is left out of the release: a calculator failed: /),
    ]);
  });
});

describe('a company report', () => {
  it('that cannot be made costs that issuer its reports, in every variant (I4.R29.2b)', async () => {
    const contexts = {
      slice: {
        sourceDate: goldenDate,
        slice,
        issuers: slice.issuers.map(({ issuer }) => issuer),
        history: [],
        parameters: goldenParameters,
      },
    };
    const { artifacts } = await releaseArtifacts(contexts, { backfilled: false });
    const legs = new Map(artifacts.flatMap((one) => ('bytes' in one ? [[one.key, one] as const] : [])));
    const broken = withRow(UPXI, () => ({ computed_at_utc: 'tonight' }));
    const found = await made(companyReports, { night: nightOf(broken) }, legs);
    const { key } = companyReport.stored.object;
    expect(new Set(found.leftOutKeys)).toEqual(
      new Set(['compact', 'full'].map((variant) => key({ slice: goldenDate, cik: UPXI, variant }))),
    );
    expect(said(found)).toEqual([
      expect.stringMatching(
        /^the company report of UPXI is left out of the release: company-report\/.* is not valid/,
      ),
    ]);
    expect(found.keys).toHaveLength(2 * (slice.issuers.length - 1));
  });
});

describe('what stops a night', () => {
  it.each([
    Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }),
    new IssuerError({ code: 'interrupted', message: 'Stopped.', hint: 'Run it again.' }),
  ])('stops it from inside a brief as well: %s', async (error) => {
    await expect(orLeftOut({ what: 'a brief', keys: ['a'] }, () => Promise.reject(error))).rejects.toBe(
      error,
    );
  });
});
