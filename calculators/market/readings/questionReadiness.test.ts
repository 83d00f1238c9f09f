import { describe, expect, it } from 'vitest';
import { marketRow } from '../../../fixtures/builders/marketRow.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { type FactorRow, inputIds, type ZScores } from '../factors/factorRow.ts';
import { canonicalEvent } from './canonicalEvent.ts';
import { contributionsOf } from './contributionsOf.ts';
import { latestQuality } from './qualityWarnings.ts';
import { presentationParity, questionReadiness } from './questionReadiness.ts';
import { thresholdFlags } from './thresholdFlags.ts';

const parameters = registryParameters;
const day = 86_400_000;
const zOf = (known: number) =>
  Object.fromEntries(inputIds.map((id, i) => [id, i < known ? 1 : null])) as ZScores;
const contributor = {
  ticker: 'BTC',
  cik: null,
  name: 'Bitcoin',
  weight: 1,
  return7d: 0.1,
  contribution: 0.1,
  staleMinutes: 0,
  leaveOneOut: null,
};
const whole = marketRow({
  zScores: zOf(7),
  returns: { rows: [contributor], perpReturn: 0.1, trackingResidual: 0 },
});

function readiness(
  row: FactorRow | null,
  {
    age = 0,
    rows = 7,
    shown = row,
  }: {
    readonly age?: number;
    readonly rows?: number;
    readonly shown?: Pick<FactorRow, 'start' | 'pressure'> | null;
  } = {},
) {
  const quality =
    row === null ? null : latestQuality(row, { at: row.start + day + age * 3_600_000, parameters });
  const flags = thresholdFlags(row?.factors ?? null, { parameters, evidenceRef: null });
  return questionReadiness({
    row,
    quality,
    rowsOfSevenDays: rows,
    event: canonicalEvent(row, { quality, flags, parameters }),
    contributions: row === null ? null : contributionsOf(row, parameters),
    parity: presentationParity(row, shown),
    parameters,
  });
}

describe('what the stored rows answer (M8.16a)', () => {
  it('is everything but further analysis with whole evidence', () => {
    expect(readiness(whole)).toEqual({
      current_state: 'answerable',
      drivers: 'answerable',
      canonical_event: 'answerable',
      seven_day_history: 'answerable',
      constituent_attribution: 'answerable',
      presentation_parity: 'answerable',
      further_analysis: 'unavailable',
      publication_safety: 'answerable',
    });
  });

  it('is nothing without a row', () => {
    expect(new Set(Object.values(readiness(null, { rows: 0 })))).toEqual(new Set(['unavailable']));
  });

  it('is partial where the row is stale, thin or blocked', () => {
    expect(readiness(whole, { age: 49 })).toMatchObject({
      current_state: 'partial',
      canonical_event: 'partial',
      publication_safety: 'partial',
    });
    const thin = { ...whole, zScores: zOf(3), pressure: null };
    expect(readiness(thin, { rows: 3 })).toMatchObject({
      current_state: 'partial',
      drivers: 'partial',
      seven_day_history: 'partial',
    });
    const weightsOnly = { ...whole, returns: { ...whole.returns, perpReturn: null, trackingResidual: null } };
    expect(readiness(weightsOnly).constituent_attribution).toBe('partial');
  });

  it('wants a whole week of buckets of its length', () => {
    const hourly = { ...whole, bucketLength: '1h' as const };
    expect(readiness(hourly, { rows: 167 }).seven_day_history).toBe('partial');
    expect(readiness(hourly, { rows: 168 }).seven_day_history).toBe('answerable');
  });
});

describe('a chart beside the row (M8.16b)', () => {
  const row = { start: 0, pressure: 1.5 };

  it.each([
    ['confirmed', row, { start: 0, pressure: 1.5 }, null, 'answerable'],
    ['requires_artifact', row, null, 'No chart artifact is bound.', 'artifact_dependent'],
    [
      'mismatch',
      row,
      { start: 1, pressure: 1.5 },
      'The chart ends with another bucket than the row.',
      'partial',
    ],
    ['mismatch', row, { start: 0, pressure: 1 }, 'The chart shows another pressure than the row.', 'partial'],
    ['unavailable', null, null, 'No factor row is stored.', 'unavailable'],
  ] as const)('is %s', (status, of, shown, reason, answer) => {
    expect(presentationParity(of, shown)).toEqual({ status, reason });
    const asked = of === null ? null : { ...whole, ...of };
    expect(readiness(asked, { shown }).presentation_parity).toBe(answer);
  });
});
