import { describe, expect, it } from 'vitest';
import { whyUnconfirmed } from './readField.ts';

describe('why the read of an issuer needs confirmation (M9.7)', () => {
  const full = { field_pressure: 0.4, stored_energy: 0.2 };
  it.each([
    ['fewer than 5 points', [full, full, full, full]],
    ['the newest point has no pressure', [full, full, full, full, { ...full, field_pressure: null }]],
    ['the newest point has no energy', [full, full, full, full, { ...full, stored_energy: null }]],
    ['the row behind it is of low quality, a Coil or unclassified', [full, full, full, full, full]],
  ])('says %s', (why, points) => {
    expect(whyUnconfirmed(points)).toBe(why);
  });
});
