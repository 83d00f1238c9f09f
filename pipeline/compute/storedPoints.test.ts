import { describe, expect, it } from 'vitest';
import { segmentPlan } from '../../data/contract/history/segmentList.ts';
import { issuerFieldMap } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { sampleSegments } from '../../fixtures/rigs/sampleSegments.ts';
import type { Artifact } from '../release/artifact.ts';
import { storedPoints } from './reportArtifacts.ts';

const history = issuerFieldMap.stored.points;
const slice = '2026-02-07';
const [first, second, third] = ['0000000001', '0000000002', '0000000003'] as const;
const row = (date: string) => ({ date, forms: [{ date }] });

/** A closed month and two days of the open one: issuer 1 on every day, issuer 2 in the closed month alone. */
const artifacts = sampleSegments({
  history,
  sourceDate: slice,
  methodVersion: 'field-map-1.0',
  segments: segmentPlan({
    sourceDate: slice,
    dates: ['2026-01-30', '2026-01-31', '2026-02-06', '2026-02-07'],
  }),
  subjects: [
    { subject: first, rows: ['2026-01-30', '2026-01-31', '2026-02-06', '2026-02-07'].map(row) },
    { subject: second, rows: ['2026-01-31'].map(row) },
  ],
});
const made = (list: readonly Artifact[] = artifacts) => new Map(list.map((one) => [one.key, one]));
const dates = (rows: readonly Buffer[] | undefined) =>
  rows?.map((one) => (JSON.parse(one.toString()) as { date: string }).date);

describe('points of a release that is being made', () => {
  const points = storedPoints(made(), { history, slice });

  it('are the newest of an issuer, oldest first, over the segments that hold it', () => {
    expect(dates(points?.(first, { most: 10 }))).toEqual([
      '2026-01-30',
      '2026-01-31',
      '2026-02-06',
      '2026-02-07',
    ]);
    expect(dates(points?.(first, { most: 3 }))).toEqual(['2026-01-31', '2026-02-06', '2026-02-07']);
    expect(dates(points?.(first, { most: 2 }))).toEqual(['2026-02-06', '2026-02-07']);
    expect(dates(points?.(second, { most: 10 }))).toEqual(['2026-01-31']);
  });

  it('are none of an issuer without one', () => {
    expect(points?.(third, { most: 10 })).toEqual([]);
  });

  it('are not there where the release lists none', () => {
    const without = artifacts.filter(({ key }) => key !== history.listKey({ slice }));
    expect(storedPoints(made(without), { history, slice })).toBeNull();
  });

  it('throw where a listed segment or its index was not made', () => {
    for (const { key } of artifacts.filter((one) => one.key !== history.listKey({ slice })))
      expect(() =>
        storedPoints(made(artifacts.filter((one) => one.key !== key)), { history, slice }),
      ).toThrow(`${key} is listed and was not made`);
  });
});
