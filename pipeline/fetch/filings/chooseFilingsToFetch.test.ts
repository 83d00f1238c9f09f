import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { chooseFilingsToFetch, type FilingCandidate } from './chooseFilingsToFetch.ts';

const cik = '0001050446';
let sequence = 0;

/** A filing made on `filed` for `period`. */
function filing(filed: string, filingCandidate: Partial<FilingCandidate> = {}): FilingCandidate {
  sequence += 1;
  return {
    cik,
    accession: `0001050446-25-${String(sequence).padStart(6, '0')}`,
    accessionStatus: 'filed',
    form: '10-Q',
    filed,
    acceptedAt: `${filed}T20:05:00Z`,
    period: null,
    isXbrl: true,
    hasBalanceSheet: true,
    ...filingCandidate,
  };
}

const pick = (candidates: readonly FilingCandidate[], input: Parameters<typeof chooseFilingsToFetch>[1]) =>
  chooseFilingsToFetch(candidates, input).map((chosen) => [chosen.accession, chosen.why]);

describe('choosing filings to fetch', () => {
  const annual = filing('2025-02-18', { form: '10-K', period: '2024-12-31' });
  const spring = filing('2025-05-05', { period: '2025-03-31' });
  const summer = filing('2025-07-31', { period: '2025-06-30' });
  const year = [annual, spring, summer];

  it('takes the latest one with a balance sheet as of the date (M1.39, M10.3)', () => {
    expect(pick(year, { sourceDate: '2025-09-30' })).toEqual([[summer.accession, 'latest']]);
    expect(pick(year, { sourceDate: '2025-05-05' })).toEqual([[spring.accession, 'latest']]);
    expect(pick(year, { sourceDate: '2025-05-04' })).toEqual([[annual.accession, 'latest']]);
    expect(pick(year, { sourceDate: '2024-12-31' })).toEqual([]);
  });

  it('takes an acceptance in the evening of the date, and an unknown one at the end of its day (M1.44)', () => {
    const evening = { ...spring, acceptedAt: '2025-05-05T23:59:59Z' };
    const unknown = { ...spring, acceptedAt: null };
    const next = { ...spring, acceptedAt: '2025-05-06T00:10:00Z' };
    const taken = (c: FilingCandidate) => pick([c], { sourceDate: '2025-05-05' }).length;
    expect([evening, unknown, next].map(taken)).toEqual([1, 1, 0]);
  });

  it.each(['10-S', '10-ST', '10-QT', '10-KT', '40-F'])(
    'takes a %s of which submissions tell before companyfacts do, beside the one in force',
    (form) => {
      const next = filing('2025-10-30', { form, period: '2025-09-30', hasBalanceSheet: null });
      expect(pick([...year, next], { sourceDate: '2025-11-01' })).toEqual([
        [next.accession, 'latest'],
        [summer.accession, 'latest'],
      ]);
      const other = { ...next, form: '10-D' };
      expect(pick([...year, other], { sourceDate: '2025-11-01' })).toEqual([[summer.accession, 'latest']]);
    },
  );

  it('takes the reports of a 40-F filer whose facts are all tagged 6-K, and a newer 6-K with XBRL', () => {
    const known = filing('2025-08-13', { form: '6-K', period: '2025-06-30' });
    const foreign = filing('2025-03-21', { form: '40-F', period: '2024-12-31' });
    const newer = filing('2025-11-12', { form: '6-K', hasBalanceSheet: null });
    const words = filing('2025-11-13', { form: '6-K', hasBalanceSheet: null, isXbrl: false });
    expect(pick([foreign, known, newer, words], { sourceDate: '2025-11-20' })).toEqual([
      [newer.accession, 'possible'],
      [known.accession, 'latest'],
    ]);
  });

  it('takes the amendments of that period, but not one without a balance sheet', () => {
    const full = filing('2025-08-20', { form: '10-Q/A', period: '2025-06-30' });
    const cover = filing('2025-08-25', { form: '10-Q/A', period: '2025-06-30', hasBalanceSheet: false });
    expect(pick([...year, full, cover], { sourceDate: '2025-09-30' })).toEqual([
      [full.accession, 'latest'],
      [summer.accession, 'latest'],
    ]);
  });

  it('goes back by balance-sheet dates or to a day', () => {
    expect(pick(year, { sourceDate: '2025-09-30', periods: 2 })).toEqual([
      [summer.accession, 'latest'],
      [spring.accession, 'history'],
    ]);
    expect(pick(year, { sourceDate: '2025-09-30', since: '2025-02-01' })).toHaveLength(3);
    expect(pick(year, { sourceDate: '2025-09-30', since: '2025-03-01' })).toHaveLength(2);
  });

  it('takes a filing companyfacts do not know yet, and the latest they know beside it', () => {
    const fresh = filing('2025-10-30', { period: '2025-09-30', hasBalanceSheet: null });
    expect(pick([...year, fresh], { sourceDate: '2025-10-30' })).toEqual([
      [fresh.accession, 'latest'],
      [summer.accession, 'latest'],
    ]);
  });

  it('takes a 6-K or an amendment of unknown content only when it has XBRL', () => {
    const half = filing('2025-09-10', { form: '6-K', hasBalanceSheet: null, period: '2025-06-30' });
    const press = filing('2025-09-11', { form: '6-K', hasBalanceSheet: null, isXbrl: false });
    const unknown = filing('2025-09-12', { form: '6-K', hasBalanceSheet: null, isXbrl: null });
    const report = filing('2025-04-30', { form: '20-F', period: '2024-12-31' });
    const old = filing('2024-09-10', { form: '6-K', hasBalanceSheet: null, period: '2024-06-30' });
    expect(pick([half, press, unknown, report, old], { sourceDate: '2025-12-31' })).toEqual([
      [half.accession, 'possible'],
      [report.accession, 'latest'],
    ]);
  });

  it('takes at most so many of unknown content', () => {
    const many = Array.from({ length: 20 }, (_, i) =>
      filing(`2025-09-${String(i + 1).padStart(2, '0')}`, { form: '6-K', hasBalanceSheet: null }),
    );
    expect(pick(many, { sourceDate: '2025-12-31' })).toHaveLength(12);
    expect(pick(many, { sourceDate: '2025-12-31', maxPossible: 2 })[0]?.[0]).toBe(many.at(-1)?.accession);
  });

  it('never takes a placeholder accession (M1.45), another form, or a filing said to have no XBRL', () => {
    const none = [
      filing('2025-05-05', { accession: '0000000000-25-018440' }),
      filing('2025-05-05', { accessionStatus: 'placeholder' }),
      filing('2025-05-05', { form: '8-K' }),
      filing('2025-05-05', { form: 'NT 10-K' }),
      filing('2025-05-05', { isXbrl: false, hasBalanceSheet: null }),
    ];
    expect(pick(none, { sourceDate: '2025-12-31' })).toEqual([]);
  });

  it('puts together what submissions and companyfacts know of one filing', () => {
    const submitted = filing('2025-10-30', { hasBalanceSheet: null, period: '2025-09-30' });
    const reported = { ...submitted, acceptedAt: null, isXbrl: null, hasBalanceSheet: true };
    const chosen = [{ ...submitted, hasBalanceSheet: true, why: 'latest' }];
    expect(chooseFilingsToFetch([submitted, reported], { sourceDate: '2025-12-31' })).toEqual(chosen);
    expect(chooseFilingsToFetch([reported, submitted], { sourceDate: '2025-12-31' })).toEqual(chosen);
    const marked = { ...submitted, accessionStatus: 'placeholder' as const };
    expect(chooseFilingsToFetch([submitted, marked], { sourceDate: '2025-12-31' })).toEqual([]);
  });

  it('keeps issuers apart that share an accession', () => {
    const other = { ...summer, cik: '0000827876' };
    const both = chooseFilingsToFetch([summer, other], { sourceDate: '2025-12-31' });
    expect(both.map((c) => c.cik)).toEqual(['0000827876', cik]);
  });

  const candidate = fc
    .record({
      cik: fc.constantFrom('0000000001', '0000000002'),
      n: fc.integer({ min: 0, max: 30 }),
      month: fc.integer({ min: 1, max: 12 }),
      form: fc.constantFrom('10-K', '10-Q', '10-Q/A', '20-F', '6-K', '8-K'),
      period: fc.constantFrom(null, '2024-12-31', '2025-03-31', '2025-06-30'),
      isXbrl: fc.constantFrom(null, true, false),
      hasBalanceSheet: fc.constantFrom(null, true, false),
    })
    .map(({ n, month, ...rest }) => {
      const filed = `2025-${String(month).padStart(2, '0')}-15`;
      return filing(filed, { ...rest, accession: `0001000000-25-${String(n).padStart(6, '0')}` });
    });
  const sourceDate = fc.constantFrom('2025-03-20', '2025-07-01', '2025-12-31');

  it('does not care about order, never looks past the date, and loses nothing by looking further back', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(candidate, { maxLength: 15, selector: (c) => `${c.cik} ${c.accession}` }),
        sourceDate,
        fc.integer({ min: 1, max: 4 }),
        (candidates, date, periods) => {
          const names = (of: readonly { cik: string; accession: string }[]) =>
            of.map((c) => `${c.cik} ${c.accession}`);
          const chosen = chooseFilingsToFetch(candidates, { sourceDate: date, periods });
          expect(names(chooseFilingsToFetch(candidates.toReversed(), { sourceDate: date, periods }))).toEqual(
            names(chosen),
          );
          for (const c of chosen) expect(c.filed <= date).toBe(true);
          const deeper = names(chooseFilingsToFetch(candidates, { sourceDate: date, periods: periods + 1 }));
          for (const name of names(chosen)) expect(deeper).toContain(name);
          // whatever is in force by M1.39 is among them
          const inForce = candidates
            .filter((c) => c.hasBalanceSheet === true && c.form !== '8-K' && c.filed <= date)
            .sort((a, b) => compareText(b.filed + b.accession, a.filed + a.accession));
          for (const cik of ['0000000001', '0000000002']) {
            const latest = inForce.find((c) => c.cik === cik);
            if (latest !== undefined) expect(names(chosen)).toContain(names([latest])[0]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('does not care which input comes first', () => {
    // 31 accessions of two registrants, so many are named more than once
    const twice = fc.array(candidate, { maxLength: 40 });
    fc.assert(
      fc.property(twice, sourceDate, (candidates, date) => {
        const chosen = chooseFilingsToFetch(candidates, { sourceDate: date });
        const keys = chosen.map((c) => `${c.cik} ${c.accession}`);
        expect(new Set(keys).size).toBe(keys.length);
        for (const c of chosen) expect(c.filed <= date).toBe(true);
        expect(chooseFilingsToFetch(candidates.toReversed(), { sourceDate: date })).toEqual(chosen);
      }),
      { numRuns: 500 },
    );
  });
});
