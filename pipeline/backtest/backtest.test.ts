import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { backtestDocument } from './backtestDocument.ts';
import { backtestJson } from './backtestJson.ts';
import { backtestReport } from './backtestReport.ts';
import type { Observation } from './observation.ts';
import { readEvents } from './readEvents.ts';
import { readOwnEvent, readReferenceCases, withReference } from './runBacktest.ts';

const parameters = registryParameters;
const read = (name: string) => readFileSync(new URL(`../../data/registry/${name}`, import.meta.url), 'utf8');
const table = readEvents('events.csv', read('events.csv'));
const ownEvent = readOwnEvent('own-event.csv', read('own-event.csv'));
const reference = readReferenceCases({
  path: 'reference-cases.csv',
  text: read('reference-cases.csv'),
  parameters,
});

describe('reference cases (METHODOLOGY 12.1)', () => {
  it('gives each case the stress_50 and the base tier of the table', () => {
    // M12.1 rows in the order of the file; rows 9 and 10 are the cap without coins
    expect(reference.map((c) => `${c.ticker} ${c.period} ${c.stress50?.toFixed(4)} ${c.tier}`)).toEqual([
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

describe('table of events (M12.12, M12.17)', () => {
  it('has a filing, docket or release in every row and only kinds the protocol knows', () => {
    const rows = table.rows.map(
      (e) => `${e.ticker} ${e.type ?? 'none'} ${e.date} ${e.primary.split(' (')[0]}`,
    );
    expect(rows.slice(0, 8)).toEqual([
      'CORZ E1 2022-12-21 docket 22-90341',
      'ARBK E4 2022-07-31 0001654954-22-010643',
      'ARBK E3 2022-12-28 0001654954-22-016976',
      'IREN E2 2022-11-07 0001140361-23-007261',
      'GREE E5 2022-12-20 0001628280-22-032258',
      'GREE E3 2023-01-30 0001628280-23-010227',
      'MSTR E4 2022-12-31 0001564590-23-002012',
      'MSTR none 2025-11-03 0001193125-25-262568',
    ]);
    expect(table.records.get('0001050446')).toEqual({
      events: [{ type: 'E4', date: '2022-12-31' }],
      followedUntil: '2025-11-03',
    });
  });

  const good = 'A,0000000001,E1,2022-12-21,0000000001-22-000001,8-K,,n';
  it.each([
    ['an unknown event', good.replace('E1', 'E9')],
    ['a short cik', good.replace('0000000001,', '1,')],
    ['a day that does not exist', good.replace('2022-12-21', '2022-02-30')],
    ['press alone', good.replace(/0000000001-22-000001/, 'https://news.example')],
    ['a rule of the methodology as source', good.replace(/0000000001-22-000001/, 'METHODOLOGY M12.1')],
    ['a docket that shows that nothing happened', 'A,0000000001,none,2022-12-21,docket 22-1,,,n'],
    ['too few cells', 'A,0000000001,E1'],
  ])('refuses %s and names the line', (_, row) => {
    const text = (line: string) => `ticker,cik,event,date,primary,document,press,note\n${line}\n`;
    expect(() => readEvents('events.csv', text(row))).toThrow('line 2');
    expect(readEvents('events.csv', text(good)).rows).toHaveLength(1);
  });

  it('refuses a score that is no share', () => {
    const header = 'coin,loan_to_value,days,years,predicted,observed,brier\n';
    const text = read('own-event.csv').replace(/0\.\d+$/m, '12');
    expect(() => readOwnEvent('own-event.csv', text)).toThrow('line 2');
    expect(readOwnEvent('own-event.csv', header)).toEqual([]);
  });
});

describe('backtest report (M12.12–M12.17)', () => {
  const report = backtestReport({ observations: reference, table, ownEvent, parameters });
  const [all, defaults] = report.assessments;

  it('scores only what was followed to the end and known before, and says why the rest is left out', () => {
    const reasons = Object.groupBy(report.cases, (c) => c.leftOut ?? 'scored');
    expect(
      reasons.scored?.map((c) => `${c.ticker} ${c.period} ${c.outcome} ${c.group ?? ''}`.trim()),
    ).toEqual([
      'MSTR 2021-12-31 event',
      'MSTR 2022-03-31 event selected_on_outcome',
      'MSTR 2022-12-31 no_event',
      'MSTR 2023-12-31 no_event',
      'CORZ 2022-10-31 event incidental',
      'ARBK 2022-06-30 event selected_on_outcome',
      'MARA 2022-12-31 no_event selected_on_outcome',
      'MARA 2023-12-31 no_event',
    ]);
    expect(reasons.after_event?.map((c) => c.ticker)).toEqual(['IREN']);
    expect(reasons.unclassified?.map((c) => c.ticker)).toEqual(['GREE']);
    // no filing with an accession number available that shows what became of their debt
    expect(reasons.not_followed?.map((c) => c.ticker)).toEqual(['CLSK', 'CLSK', 'FLD', 'HSDT']);
    expect(reasons.censored).toHaveLength(10);
  });

  it('counts four rows of two issuers; chosen and incidental ones stand apart', () => {
    expect(all).toMatchObject({ n: 4, issuers: 2, events: 1, issuersWithEvent: 1, enoughEvents: false });
    expect(defaults).toMatchObject({ n: 4, issuers: 2, events: 0, issuersWithEvent: 0 });
    expect(all?.tiers.map((t) => [t.tier, t.events, t.n, t.issuers, t.interval])).toEqual([
      ['CRITICAL', 0, 2, 2, null],
      ['HIGH', 1, 1, 1, null],
      ['MODERATE', 0, 1, 1, null],
    ]);
    expect(report.apart).toEqual([
      { group: 'incidental', n: 1, issuers: 1, events: 1, issuersWithEvent: 1 },
      { group: 'selected_on_outcome', n: 3, issuers: 3, events: 2, issuersWithEvent: 2 },
      { group: 'lower_bound', n: 0, issuers: 0, events: 0, issuersWithEvent: 0 },
    ]);
  });

  it('prints no measure below ten issuers with an event, and the counted one where fewer are asked for', () => {
    expect(all?.measures).toEqual([]);
    const asked = { ...parameters, backtest: { ...parameters.backtest, minEvents: 1 } };
    const found = backtestReport({ observations: reference, table, ownEvent, parameters: asked })
      .assessments[0];
    // the event at 0.7553 beats 0.5426 and neither 2.1689 nor 1.0182
    expect(found?.measures[0]?.result?.auc).toBeCloseTo(1 / 3, 12);
    // blocks [event, no, no] of MSTR and [no] of MARA: the other order puts the event on 2.1689 of the four scores
    expect(found?.measures[0]?.result?.pValue).toBe(1);
    expect(found?.measures[1]?.result).toEqual(found?.measures[0]?.result);
  });

  it('leaves unproven rows out and counts those on cost apart', () => {
    const cost: Observation = {
      ...mstr2021(),
      origin: 'warehouse',
      coinsBasis: 'carrying_value_lower_bound',
    };
    const unproven: Observation = { ...mstr2021(), figuresBasis: 'crypto_unproven', stress50: null };
    const more = backtestReport({ observations: [cost, unproven], table, ownEvent, parameters });
    expect(more.assessments[0]?.n).toBe(0);
    expect(more.cases.map((c) => c.leftOut)).toEqual([null, 'unproven']);
    expect(more.apart.at(-1)).toEqual({
      group: 'lower_bound',
      n: 1,
      issuers: 1,
      events: 1,
      issuersWithEvent: 1,
    });
    expect(withReference([cost], reference)).toHaveLength(reference.length + 1);
  });

  it('says plainly what cannot be concluded, with the basis and the source of every row', () => {
    const text = backtestDocument(report);
    expect(text).toContain('4 rows count; they are 2 issuers, so 2 independent observations at most.');
    expect(text.match(/No AUC: issuers with an event/g)).toHaveLength(2);
    expect(text).toContain('This is no judgement of the probability');
    expect(text).toContain('too small at ETH 0.05, ETH 0.10, SOL 0.05, SOL 0.10');
    expect(text).toContain(
      '| MSTR | 2021-12-31 | 2022-02-15 | 0.755258 | HIGH | resolved | reported_quantity | event |',
    );
    expect(text).toContain('| ARBK | E3 | 2022-12-28 | 0001654954-22-016976, 6-K of 2022-12-28 |');
  });

  it('prints the same words and figures every time', () => {
    const again = backtestReport({ observations: reference, table, ownEvent, parameters });
    expect(backtestDocument(again)).toBe(backtestDocument(report));
    expect(backtestJson(again)).toEqual(backtestJson(report));
  });

  it('has no figure, and does not fail, without any observation', () => {
    const empty = backtestReport({ observations: [], table, ownEvent: [], parameters });
    expect(empty.assessments[0]).toMatchObject({ n: 0, events: 0, brier: null, tiers: [], measures: [] });
    expect(backtestDocument(empty)).toContain('No row to count.');
  });
});

function mstr2021(): Observation {
  const found = reference.find((c) => c.ticker === 'MSTR' && c.period === '2021-12-31');
  if (found === undefined) throw new Error('the reference cases lost MSTR 2021-12-31');
  return found;
}
