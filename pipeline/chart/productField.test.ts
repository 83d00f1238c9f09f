import { describe, expect, it } from 'vitest';
import { fieldMapRows } from '../../calculators/visual/chart/fieldMapRows.ts';
import { marketFieldMap } from '../../data/contract/payloads/market/marketFieldMap.ts';
import { sampleMarket, sampleProducts } from '../../fixtures/rigs/sampleMarket.ts';
import type { Artifact } from '../release/artifact.ts';
import type { OpenRelease } from '../release/openRelease.ts';
import { knownProducts, productField, shownMap } from './readField.ts';

const sourceDate = '2026-02-07';
const dates = ['2025-12-30', '2026-01-02', '2026-02-06', sourceDate];

function holding(artifacts: readonly Artifact[]): OpenRelease {
  const held = new Map(artifacts.map(({ key, bytes }) => [key, Buffer.from(bytes)]));
  return {
    manifest: { version: `${sourceDate}.1` } as OpenRelease['manifest'],
    has: (key) => held.has(key),
    read: async (key) => held.get(key) ?? null,
    readCoded: async () => null,
  };
}
const release = holding(sampleMarket({ sourceDate, products: sampleProducts(dates) }));

const { points: examples, meta: _, ...map } = marketFieldMap.example;
const point = (day: string, values: object) => ({ ...examples[0], ...values, date: day }) as never;
const shown = (read: string, points: never[]) =>
  shownMap({ ...map, summary: { ...map.summary, current_read: read } } as never, { points, sourceDate });

describe('the field map of a product', () => {
  it('shows the points of every segment, oldest first, under the names that the map gives its curves (M9.11)', async () => {
    const { title, table } = fieldMapRows(
      await productField(release, { sourceDate, product: 'BTC-PERP-INTX', width: 720 }),
    );
    expect(title).toBe('Field map of BTC-PERP-INTX');
    expect(table.rows.map(([day]) => day)).toEqual(dates);
    expect(table.columns[1]?.label).toBe('Field pressure');
  });

  it('is missing of a product without a bucket, which is known all the same', async () => {
    expect(await knownProducts(release, sourceDate)).toEqual([
      'AI-PERP-INTX',
      'BTC-PERP-INTX',
      'ODD-PERP-INTX',
    ]);
    await expect(
      productField(release, { sourceDate, product: 'ODD-PERP-INTX', width: 720 }),
    ).rejects.toMatchObject({
      code: 'input_missing',
      message: 'Release 2026-02-07.1 has no field map of ODD-PERP-INTX.',
    });
    expect(await knownProducts(holding([]), sourceDate)).toEqual([]);
  });

  it('names the day of a read whose newest bucket is older than the slice', () => {
    expect(shown('Monitor', [point(sourceDate, {})]).read).toBe('Monitor');
    expect(shown('Monitor', [point('2026-01-30', {})]).read).toBe('Monitor on 2026-01-30');
  });

  it.each([
    [{ field_pressure: null, quality: { status: 'partial' } }, 'the newest bucket has no pressure (partial)'],
    [
      { field_pressure: null, stored_energy: null, quality: { status: 'ok' } },
      'the newest bucket has no pressure and no energy',
    ],
    [{}, 'too few buckets with a value'],
  ])('says why nothing is read from %j (M9.10a)', (values, why) => {
    expect(shown('Needs Core Confirmation', [point(sourceDate, values)]).missing).toBe(why);
    expect(shown('Monitor', [point(sourceDate, values)]).missing).toBeNull();
  });
});
