import { describe, expect, it } from 'vitest';
import { addDays } from '../exact/civilDate.ts';
import { type ArchiveScan, changeGate, type GateVerdict } from './changeGate.ts';
import { selectDelta } from './selectDelta.ts';

const calendar = { holidays: new Set(['2025-11-11']) };
const parameters = {
  dailyChangeGate: { minRatio: 0.2, maxRatio: 5, medianDays: 20, minDays: 5 },
  deltaWindow: { maxLagBusinessDays: 5 },
};

function scan(date: string, archiveScan: Partial<ArchiveScan> = {}): ArchiveScan {
  return {
    date,
    status: 'compared',
    baseline: addDays(date, -1),
    entries: 1000,
    changedFiles: 100,
    newFiles: 0,
    removedFiles: 0,
    quarantined: 0,
    totalFacts: 5000,
    ...archiveScan,
  };
}

// Monday 3 to Monday 10 November 2025: six business days; counts 50, 100, …; the weekend would pull the median down
const history = [
  scan('2025-11-03', { changedFiles: 80 }),
  scan('2025-11-04', { changedFiles: 90 }),
  scan('2025-11-05', { changedFiles: 100 }),
  scan('2025-11-06', { changedFiles: 110 }),
  scan('2025-11-07', { changedFiles: 120 }),
  scan('2025-11-08', { changedFiles: 0 }),
  scan('2025-11-09', { changedFiles: 0 }),
];

const gate = (one: ArchiveScan | null, { rows, earlier }: { rows?: number; earlier?: ArchiveScan[] } = {}) =>
  changeGate({ scan: one, earlier: earlier ?? history, meaningfulRows: rows ?? 7, calendar, parameters });

describe('changeGate', () => {
  it('passes between a fifth and five times the median of the business days (M6.6)', () => {
    expect(gate(scan('2025-11-10', { changedFiles: 20 })).passed).toBe(true);
    expect(gate(scan('2025-11-10', { changedFiles: 500 })).passed).toBe(true);
    expect(gate(scan('2025-11-10', { changedFiles: 19 })).reasons).toEqual(['changed_files_out_of_bounds']);
    expect(gate(scan('2025-11-10', { changedFiles: 501 })).reasons).toEqual(['changed_files_out_of_bounds']);
    expect(gate(scan('2025-11-10', { changedFiles: 490, removedFiles: 11 })).passed).toBe(false);
  });

  it('looks at the last twenty business days only', () => {
    const days = Array.from({ length: 60 }, (_, i) => addDays('2025-08-01', i));
    const earlier = days.map((day, i) => scan(day, { changedFiles: i < 30 ? 1 : 1000 }));
    expect(gate(scan('2025-10-06', { changedFiles: 900 }), { earlier }).passed).toBe(true);
    expect(gate(scan('2025-10-06', { changedFiles: 6 }), { earlier }).passed).toBe(false);
  });

  it('allows five times the median for each business day a scan covers after a gap', () => {
    // from Friday 7 to Thursday 13 November: 10, 12 and 13, not Veterans Day
    const gap = (changedFiles: number) => gate(scan('2025-11-13', { baseline: '2025-11-07', changedFiles }));
    expect(gap(1500).passed).toBe(true);
    expect(gap(1501).passed).toBe(false);
  });

  it('exempts weekends and holidays, and short or empty histories, and says so (M6.12)', () => {
    expect(gate(scan('2025-11-08', { changedFiles: 1 }))).toEqual({ passed: true, reasons: [], notes: [] });
    expect(gate(scan('2025-11-11', { changedFiles: 1 }))).toEqual({ passed: true, reasons: [], notes: [] });
    expect(gate(scan('2025-11-10', { changedFiles: 1 }), { earlier: history.slice(1) })).toEqual({
      passed: true,
      reasons: [],
      notes: ['gate_history_short'],
    });
    const quiet = history.map((one) => ({ ...one, changedFiles: 0 }));
    expect(gate(scan('2025-11-10', { changedFiles: 3 }), { earlier: quiet }).notes).toEqual([
      'gate_median_zero',
    ]);
  });

  it('takes neither the baseline nor an incomplete scan into the median', () => {
    const earlier = history.map((one, i) => (i < 2 ? { ...one, status: 'baseline' as const } : one));
    expect(gate(scan('2025-11-10', { changedFiles: 1 }), { earlier }).notes).toEqual(['gate_history_short']);
  });

  it('passes the baseline, and fails what lost companies, could not be parsed or holds nothing tracked', () => {
    expect(gate(scan('2025-11-10', { status: 'baseline' }), { rows: 0 })).toEqual({
      passed: true,
      reasons: [],
      notes: [],
    });
    expect(gate(scan('2025-11-10', { status: 'incomplete' })).reasons).toEqual(['archive_incomplete']);
    expect(gate(scan('2025-11-10', { status: 'uncompared' }), { rows: 0 }).reasons).toEqual([
      'archive_not_compared',
      'no_meaningful_delta',
    ]);
    expect(gate(scan('2025-11-10', { quarantined: 1 })).reasons).toEqual(['shards_not_parsed']);
    expect(gate(scan('2025-11-10'), { rows: 0 }).reasons).toEqual(['no_meaningful_delta']);
    expect(gate(null).reasons).toEqual(['no_scan']);
  });
});

describe('selectDelta (M6.7, I3.20)', () => {
  const failed = (...reasons: GateVerdict['reasons']): GateVerdict => ({ passed: false, reasons, notes: [] });
  const select = (input: {
    verdict: GateVerdict;
    lastPassed?: string | null;
    ownRows?: number;
    scan?: ArchiveScan | null;
  }) =>
    selectDelta({
      date: '2025-11-14',
      scan: scan('2025-11-14'),
      lastPassed: null,
      ownRows: 5,
      calendar,
      parameters,
      ...input,
    });

  it('shows the own delta that passed', () => {
    expect(select({ verdict: { passed: true, reasons: [], notes: [] }, lastPassed: '2025-11-13' })).toEqual({
      shown: '2025-11-14',
      selector: 'published_snapshot',
      snapshot: 'published',
      fallbackReason: null,
    });
  });

  it('serves an earlier delta for a night without a meaningful one, up to five business days back', () => {
    const quiet = failed('no_meaningful_delta');
    // 7, 10, 12, 13 and 14 November
    expect(select({ verdict: quiet, lastPassed: '2025-11-06' })).toEqual({
      shown: '2025-11-06',
      selector: 'served_promoted_issuer_delta',
      snapshot: 'meaningful_delta',
      fallbackReason: null,
    });
    expect(select({ verdict: quiet, lastPassed: '2025-11-05' })).toMatchObject({
      shown: '2025-11-05',
      selector: 'rolled_back_to_promoted_issuer_delta',
      snapshot: 'rolled_back_to_latest_meaningful_delta',
    });
  });

  it('rolls back where the gate failed otherwise', () => {
    for (const verdict of [
      failed('archive_incomplete', 'no_meaningful_delta'),
      failed('changed_files_out_of_bounds'),
      failed('shards_not_parsed'),
    ]) {
      expect(select({ verdict, lastPassed: '2025-11-13' }).selector).toBe(
        'rolled_back_to_promoted_issuer_delta',
      );
    }
  });

  it('shows the raw delta with its reason while none has passed', () => {
    expect(select({ verdict: failed('shards_not_parsed') })).toEqual({
      shown: '2025-11-14',
      selector: 'fallback_unpublished',
      snapshot: 'fallback_unpublished',
      fallbackReason: 'shards_not_parsed',
    });
    expect(select({ verdict: failed('no_scan'), scan: null, ownRows: 0 }).fallbackReason).toBe('no_scan');
  });

  it('names mere scan activity where files changed and no fact did', () => {
    expect(select({ verdict: failed('no_meaningful_delta'), ownRows: 0 })).toMatchObject({
      selector: null,
      snapshot: 'current_companyfacts_activity',
    });
  });
});
