import { addDays } from '../civilDate.ts';
import type { Parameters } from '../parameters.ts';
import type { FieldMapRow } from './fieldMapRow.ts';

/** The values of METHODOLOGY M13.1 that a field map reads. */
export const parameters: Pick<Parameters, 'fieldMap'> = {
  fieldMap: {
    window: { points: 30, minPoints: 5, changePoints: 5 },
    thresholds: { compression: 0.7, release: 0.15, change: 0.15, quiet: 0.3 },
    events: { count: 3, days: 14 },
    reads: { low: 1 / 3, mid: 2 / 3, mediumPoints: 10, highPoints: 30 },
  },
};

/** Row `i` of a made-up issuer whose history starts on 2026-01-01. */
export function row(i: number, more: Partial<FieldMapRow> = {}): FieldMapRow {
  return {
    date: addDays('2026-01-01', i),
    accession: '0000000009-25-000001',
    stZ: 0,
    ownZ: 0,
    mpZ: 0,
    stress: 0.5,
    priceIndex: 1,
    basket: [],
    coreTier: 'Tower',
    quality: 'High',
    riskTier: 'LOW',
    isLinkbaseBacked: true,
    ...more,
  };
}
