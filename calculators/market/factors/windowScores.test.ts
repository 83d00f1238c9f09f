import { describe, expect, it } from 'vitest';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { crossSectionOf } from '../../standing/standings.ts';
import { inputIds, type ZScores } from './factorRow.ts';
import { publishedZ, windowScores } from './windowScores.ts';

const parameters = registryParameters;
const curve = (k: number) => Math.sin(k * 1.7) + k / 50;

/** Scores of daily buckets: every input is the same curve, but for what a test takes away. */
function scoresOf(fundingFrom = 0) {
  const inputsAt = (k: number) =>
    Object.fromEntries(
      inputIds.map((id) => [id, id === 'funding_annualized' && k < fundingFrom ? null : curve(k)]),
    ) as ZScores;
  return windowScores(inputsAt, { bucketLength: '1d', parameters });
}

describe('z-scores of a row (M8.5)', () => {
  it('begin with the thirtieth bucket and look back over ninety, the own one included', () => {
    const at = scoresOf();
    expect(at(28)).toMatchObject({ historyRows: 29, breadthSection: null, zScores: { basis_bps: null } });
    expect(at(29).historyRows).toBe(30);
    expect(at(29).zScores.basis_bps).not.toBeNull();
    expect(at(150).historyRows).toBe(90);
    const window = crossSectionOf(Array.from({ length: 90 }, (_, i) => curve(61 + i)));
    const z = window === null ? null : publishedZ(curve(150), { section: window, parameters });
    expect(at(150).zScores.vol_ratio).toBe(z);
    expect(at(150).breadthSection).toEqual({ ...window, meanDeviation: null });
  });

  it('are null of a factor with fewer values of its own than that (M8.5a)', () => {
    const at = scoresOf(40);
    expect(at(68).zScores).toMatchObject({ funding_annualized: null, basis_bps: expect.any(Number) });
    expect(at(69).zScores.funding_annualized).not.toBeNull();
  });

  it('are the same whatever was asked before', () => {
    const inOrder = scoresOf();
    const wanted = Array.from({ length: 300 }, (_, k) => inOrder(k));
    const jumping = scoresOf();
    for (const k of [299, 0, 45, 46, 200, 199, 12, 298]) expect(jumping(k)).toEqual(wanted[k]);
  });
});
