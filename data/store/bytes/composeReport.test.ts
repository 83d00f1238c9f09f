import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import type { ReportLeg } from '../../contract/payloads/reports/reportLegs.ts';
import { canonicalJson } from '../../contract/values/canonicalJson.ts';
import { composeLeg, composeReport, evidenceOf, openFrame } from './composeReport.ts';

const bytes = (value: object) => Buffer.from(canonicalJson(value as never));
const open = (value: object) => bytes(value).subarray(0, -1);
const whole: Pick<ReportLeg, 'newest' | 'emptied'> = { newest: null, emptied: null };
const map: Pick<ReportLeg, 'newest' | 'emptied'> = {
  newest: { history: null as never, member: 'points', most: { compact: 1, full: 2 } },
  emptied: { member: 'lineage', list: 'raw_paths' },
};
const rows = [bytes({ date: '2026-02-06' }), bytes({ date: '2026-02-07' })];
const added = (members: object = {}) => bytes(members);

describe('a leg of a report', () => {
  it('that is one artifact has the bytes of it, digits no double holds included', () => {
    const artifact = Buffer.from('{"debt":9007199254740993');
    const leg = composeLeg(whole, { artifact, rows: [], added: added(), mode: 'compact' });
    expect(leg.toString()).toBe('{"debt":9007199254740993}');
  });

  it('has the members that no artifact holds where they belong in the canonical order', () => {
    const artifact = open({ row_count: 3, age: 'b' });
    const leg = composeLeg(whole, {
      artifact,
      rows: [],
      added: added({ ok: true, reason: null }),
      mode: 'full',
    });
    expect(leg.toString()).toBe('{"age":"b","ok":true,"reason":null,"row_count":3}');
  });

  it('shows the rows it is given and, in compact reports, an empty list of its paths', () => {
    const artifact = open({ lineage: { basis: 'x', raw_paths: ['a', 'b'] }, ticker: 'T' });
    const leg = (mode: 'compact' | 'full', shown: readonly Buffer[]) =>
      composeLeg(map, { artifact, rows: shown, added: added(), mode }).toString();
    expect(leg('compact', rows.slice(1))).toBe(
      '{"lineage":{"basis":"x","raw_paths":[]},"points":[{"date":"2026-02-07"}],"ticker":"T"}',
    );
    expect(leg('full', rows)).toBe(
      '{"lineage":{"basis":"x","raw_paths":["a","b"]},"points":[{"date":"2026-02-06"},{"date":"2026-02-07"}],"ticker":"T"}',
    );
    expect(leg('compact', [])).toContain('"points":[]');
  });
});

const frame = {
  mcp_summary: 'T report',
  data: { alpha_signals: null, covenant_stress: {}, readiness: { ok: true }, ticker: 'T' },
};

describe('a stored report', () => {
  it('says of each leg what no artifact holds, and of a missing one nothing', () => {
    const opened = openFrame(open(frame));
    expect(opened.leg('readiness')?.toString()).toBe('{"ok":true}');
    expect(opened.leg('covenant_stress')?.toString()).toBe('{}');
    expect(opened.leg('alpha_signals')).toBeNull();
    expect(opened.leg('peer_ranking')).toBeNull();
  });

  it('becomes the canonical report with its legs and what was asked; a missing leg stays null', () => {
    const request = {
      ticker: 'T',
      source_date: '2026-02-07',
      output_mode: 'compact' as const,
      include_segments: false,
      include_related_party: false,
    };
    const legs = new Map([
      ['covenant_stress' as const, bytes({ facilities: [{ drawn: 200_000_000 }] })],
      ['readiness' as const, bytes({ ok: true, row_count: 3 })],
    ]);
    const report = composeReport(openFrame(open(frame)), { legs, request });
    expect(`${report.toString()}}`).toBe(
      canonicalJson({
        ...frame,
        data: {
          ...frame.data,
          covenant_stress: { facilities: [{ drawn: 200_000_000 }] },
          readiness: { ok: true, row_count: 3 },
          request,
        },
      } as never),
    );
  });
});

it('the evidence is one object of all legs by name, null for one that is not there (I2.68)', () => {
  const legs = new Map([['readiness' as const, bytes({ ok: true })]]);
  expect(evidenceOf(['readiness', 'peer_ranking', 'alpha_signals'], legs).toString()).toBe(
    '{"alpha_signals":null,"peer_ranking":null,"readiness":{"ok":true}}',
  );
});
