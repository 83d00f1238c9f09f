import { expect, it } from 'vitest';
import { latestDailyChanges, toldChanges } from '../../data/contract/payloads/universe/latestDailyChanges.ts';
import { universeChanges } from './dailyChanges.ts';

const listed = (list: 'changed' | 'new', cik: string) => ({ list, row: { cik, entity_name: cik } });

it('counts companies of the universe apart from the rest of the archive (M6.13)', () => {
  const delta = [
    listed('changed', '0000000001'),
    listed('new', '0000000002'),
    listed('changed', '0000000003'),
  ];
  expect(universeChanges(delta, new Set(['0000000001', '0000000002']))).toEqual({
    company_count: 2,
    new_company_count: 1,
    other_company_count: 1,
  });
  expect(universeChanges(delta, new Set())).toMatchObject({ company_count: 0, other_company_count: 3 });
});

it('tells all companies of a delta of an older build', () => {
  const { universe_stats: _, ...older } = latestDailyChanges.example;
  expect(toldChanges(older)).toEqual({ company_count: 110, new_company_count: 1, other_company_count: 0 });
});
