import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseParameters } from '../../calculators/parameters/parameters.ts';
import registry from '../../data/registry/parameters.json' with { type: 'json' };
import { backtestJson } from './backtestJson.ts';
import { backtestReport } from './backtestReport.ts';
import { backtestText } from './backtestText.ts';
import type { Observation } from './observation.ts';
import { readEvents } from './readEvents.ts';
import { readReferenceCases } from './readReferenceCases.ts';
import { withReference } from './runBacktest.ts';

const parameters = parseParameters(registry);
const read = (name: string) => readFileSync(new URL(`../../data/registry/${name}`, import.meta.url), 'utf8');
const table = readEvents('events.csv', read('events.csv'));
const reference = readReferenceCases({
  path: 'reference-cases.csv',
  text: read('reference-cases.csv'),
  parameters,
});

describe('reference cases (METHODOLOGY 12.1)', () => {
  it('gives each case the stress_50 and the base tier of the table', () => {
    // M12.1 rows in the order of the file; rows 9 and 10 are the cap without coins
    expect(reference.map((c) => `${c.ticker} ${c.period} ${c.stress50.toFixed(4)} ${c.tier}`)).toEqual([
      'MSTR 2021-12-31 0.7553 HIGH',
      'MSTR 2022-03-31 0.5000 MODERATE',
      'MSTR 2022-12-31 2.1689 CRITICAL',
      'MSTR 2023-12-31 0.5426 MODERATE',
      'MSTR 2024-12-31 0.3442 LOW',
      'MSTR 2025-09-30 0.2233 LOW',
      'CORZ 2022-10-31 1000.0000 CRITICAL',
      'ARBK 2022-06-30 1.1387 CRITICAL',
      'IREN 2022-11-30 1000.0000 UNCLASSIFIED',
      'GREE 2022-12-31 1000.0000 UNCLASSIFIED',
      'MARA 2022-12-31 1.3333 CRITICAL',
      'MARA 2023-12-31 1.0182 CRITICAL',
      'MARA 2024-12-31 1.1659 CRITICAL',
      'MARA 2025-09-30 1.0767 CRITICAL',
      'CLSK 2024-12-31 1.3963 CRITICAL',
      'CLSK 2025-06-30 1.5195 CRITICAL',
      'NAKA 2025-09-30 0.6594 HIGH',
      'UPXI 2025-09-30 0.9935 HIGH',
      'DFDV 2025-09-30 0.8906 HIGH',
      'FLD 2025-09-30 0.9171 HIGH',
      'BTCS 2025-09-30 0.4611 LOW',
      'KULR 2025-09-30 0.0631 LOW',
      'BMNR 2025-11-30 0.0000 LOW',
      'HSDT 2025-09-30 0.0000 LOW',
    ]);
  });

  it('is never known before its period ends, and stands back where the warehouse has the row', () => {
    for (const c of reference) expect(c.knownOn >= c.period).toBe(true);
    const kept: Observation = { ...mstr2021(), origin: 'warehouse' };
    const joined = withReference([kept], reference);
    expect(joined).toHaveLength(reference.length);
    expect(joined.filter((c) => c.ticker === 'MSTR' && c.period === '2021-12-31')).toEqual([kept]);
  });
});

describe('table of events (M12.12)', () => {
  it('has a source in every row and only kinds the protocol knows', () => {
    expect(table.events.map((e) => `${e.ticker} ${e.type} ${e.date}`)).toEqual([
      'CORZ E1 2022-12-21',
      'ARBK E4 2022-07-31',
      'ARBK E3 2022-12-28',
      'IREN E2 2022-11-07',
      'GREE E5 2022-12-20',
      'GREE E3 2023-01-30',
      'MSTR E4 2022-12-31',
    ]);
    for (const event of table.events) expect(event.source).toMatch(/^https:\/\//);
    expect(table.records.get('0001050446')).toEqual({
      events: [{ type: 'E4', date: '2022-12-31' }],
      followedUntil: '2026-02-07',
    });
  });

  it.each([
    ['an unknown event', 'A,0000000001,E9,2022-12-21,s,n'],
    ['a short cik', 'A,1,E1,2022-12-21,s,n'],
    ['a day that does not exist', 'A,0000000001,E1,2022-02-30,s,n'],
    ['no source', 'A,0000000001,E1,2022-12-21,,n'],
    ['too few cells', 'A,0000000001,E1'],
  ])('refuses %s and names the line', (_, row) => {
    const text = `ticker,cik,event,date,source,note\n${row}\n`;
    expect(() => readEvents('events.csv', text)).toThrow('line 2');
  });
});

describe('backtest report (M12.12–M12.14)', () => {
  const report = backtestReport({ observations: reference, table, parameters });
  const [all, defaults] = report.assessments;

  it('scores only what was followed to the end and known before, and says why the rest is left out', () => {
    const reasons = Object.groupBy(report.cases, (c) => c.leftOut ?? 'scored');
    expect(reasons['scored']?.map((c) => `${c.ticker} ${c.period} ${c.outcome}`)).toEqual([
      'MSTR 2021-12-31 event',
      'MSTR 2022-03-31 event',
      'MSTR 2022-12-31 no_event',
      'MSTR 2023-12-31 no_event',
      'CORZ 2022-10-31 event',
      'ARBK 2022-06-30 event',
      'MARA 2022-12-31 no_event',
      'MARA 2023-12-31 no_event',
      'CLSK 2024-12-31 no_event',
    ]);
    expect(reasons['after_event']?.map((c) => c.ticker)).toEqual(['IREN']);
    expect(reasons['unclassified']?.map((c) => c.ticker)).toEqual(['GREE']);
    expect(reasons['censored']).toHaveLength(13);
  });

  it('gives the figures of the nine scored cases', () => {
    // events .7553 .5 1000 1.1387 beat 1, 0, 5, 2 of the non-events 2.1689 .5426 1.3333 1.0182 1.3963: 8 of 20
    expect(all?.measures[0]).toMatchObject({ measure: 'stress_50', result: { n: 9, events: 4, auc: 0.4 } });
    // CORZ and ARBK against seven: 7 + 4 of 14
    expect(defaults?.measures[0]?.result?.auc).toBeCloseTo(11 / 14, 12);
    expect(all?.tiers.map((t) => [t.tier, t.events, t.n])).toEqual([
      ['CRITICAL', 2, 6],
      ['HIGH', 1, 1],
      ['MODERATE', 1, 2],
    ]);
  });

  it('gives unshocked D/C the same AUC as stress (M12.13)', () => {
    for (const { measures } of report.assessments) {
      const [stress, plain] = measures;
      expect(plain?.result).toEqual(stress?.result);
    }
  });

  it('says plainly that there are too few events', () => {
    expect(all?.enoughEvents).toBe(false);
    const text = backtestText(report);
    expect(text.match(/TOO FEW EVENTS/g)).toHaveLength(2);
    expect(text).toContain('https://www.theblock.co/post/196925/');
    expect(text).toContain('MSTR          2021-12-31 known 2022-02-15     0.755258  HIGH');
  });

  it('prints the same words and figures every time', () => {
    const again = backtestReport({ observations: reference, table, parameters });
    expect(backtestText(again)).toBe(backtestText(report));
    expect(backtestJson(again)).toEqual(backtestJson(report));
  });

  it('has no figure, and does not fail, without any observation', () => {
    const empty = backtestReport({ observations: [], table, parameters });
    expect(empty.assessments[0]).toMatchObject({ n: 0, events: 0, brier: null, tiers: [] });
    expect(backtestText(empty)).toContain('no figure: it needs an event and a non-event');
  });
});

function mstr2021(): Observation {
  const found = reference.find((c) => c.ticker === 'MSTR' && c.period === '2021-12-31');
  if (found === undefined) throw new Error('the reference cases lost MSTR 2021-12-31');
  return found;
}
