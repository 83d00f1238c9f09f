import { describe, expect, it } from 'vitest';
import { type RegistryVersion, versionOn } from './product.ts';

const version = (effectiveDate: string): RegistryVersion => ({
  effectiveDate,
  source: 'published list',
  method: 'capped',
  weightsPublic: true,
  standIn: false,
  notes: [],
  constituents: [],
});

describe('the registry version of a date (M8.6)', () => {
  const versions = [version('2024-11-12'), version('2025-06-21')];

  it.each([
    ['2024-11-11', null],
    ['2024-11-12', '2024-11-12'],
    ['2025-06-20', '2024-11-12'],
    ['2025-06-21', '2025-06-21'],
    ['2026-02-07', '2025-06-21'],
  ])('on %s is the one effective from %s', (date, effective) => {
    expect(versionOn({ versions }, date)?.effectiveDate ?? null).toBe(effective);
    expect(versionOn({ versions: versions.toReversed() }, date)?.effectiveDate ?? null).toBe(effective);
  });
});
