import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  choreographyChain,
  choreographyEvent,
} from '../../data/contract/payloads/issuer/filingChoreography.ts';
import { calendar, filing, parameters } from '../../fixtures/builders/choreographyRows.ts';
import { statementOf } from '../../fixtures/rigs/reportBlocks.ts';
import { chainAmounts, filingChoreography, publishedChain, publishedEvent } from './filingChoreography.ts';
import type { FilingRow } from './filingEvent.ts';

const read = (rows: readonly FilingRow[], asOf = '2030-12-31') =>
  filingChoreography(rows, { asOf, calendar, parameters });
/** Chains as `label: form@filed confidence, …`. */
const chains = (rows: readonly FilingRow[], asOf?: string) =>
  read(rows, asOf).chains.map(
    ({ kind, steps }) =>
      `${kind}: ${steps.map(({ event, confidence }) => `${event.form}@${event.filed.slice(5)} ${confidence}`).join(', ')}`,
  );
const file = { fileNumber: '333-1' };
const convert = { items: ['1.01', '2.03', '3.02'] };

describe('shelf takedowns (M7.4)', () => {
  it('joins prospectuses by equal file number and current reports from one business day before to three after', () => {
    expect(
      chains([
        filing(1, 'S-3ASR', '2025-01-06', file),
        filing(2, '424B5', '2025-02-07', file),
        filing(3, 'FWP', '2025-02-07', file),
        filing(4, '424B5', '2025-02-07', { fileNumber: '333-2' }),
        filing(5, '8-K', '2025-02-05', { items: ['8.01'] }),
        filing(6, '8-K', '2025-02-06', { items: ['1.01'] }),
        filing(7, '8-K', '2025-02-12', { items: ['8.01'] }),
        filing(8, '8-K', '2025-02-13', { items: ['8.01'] }),
        filing(9, '8-K', '2025-02-10', { items: ['2.02'] }),
      ]),
    ).toEqual([
      'shelf_takedown: S-3ASR@01-06 direct, 8-K@02-06 derived, 424B5@02-07 direct, FWP@02-07 direct, 8-K@02-12 derived',
    ]);
  });

  it('closes with the next shelf and after three years', () => {
    const rows = [
      filing(1, 'S-3', '2020-01-06', file),
      filing(2, '424B5', '2020-02-07', file),
      filing(3, '424B5', '2023-01-06', file),
      filing(4, '424B5', '2023-01-09', file),
    ];
    expect(chains(rows)).toEqual([
      'shelf_takedown: S-3@01-06 direct, 424B5@02-07 direct, 424B5@01-06 direct',
    ]);
    const superseded = [...rows, filing(5, 'F-3', '2021-01-04', { fileNumber: '333-2' })];
    expect(chains(superseded)).toEqual(['shelf_takedown: S-3@01-06 direct, 424B5@02-07 direct']);
  });

  it('never joins filings without a file number, and a shelf nobody used is no chain', () => {
    expect(chains([filing(1, 'S-3', '2020-01-06'), filing(2, '424B5', '2020-02-07')])).toEqual([]);
    expect(chains([filing(1, 'S-3', '2020-01-06', file), filing(2, '424B5', '2020-02-07')])).toEqual([]);
    expect(chains([filing(1, 'S-3/A', '2020-01-06', file), filing(2, '424B5', '2020-02-07', file)])).toEqual(
      [],
    );
  });

  it('takes a registered convert into its shelf, and says that it could have stood alone', () => {
    // TSLA's 8-K of 2013-05-22 and 2017-03-22
    expect(
      chains([
        filing(1, 'S-3ASR', '2025-01-06', file),
        filing(2, '424B5', '2025-02-07', file),
        filing(3, '8-K', '2025-02-10', convert),
        filing(4, '10-Q', '2025-05-05'),
      ]),
    ).toEqual(['shelf_takedown: S-3ASR@01-06 direct, 424B5@02-07 direct, 8-K@02-10 unresolved']);
  });
});

describe('private converts (M7.5)', () => {
  it('attaches the next periodic report, once: the earlier of two converts gets it, unresolved', () => {
    // MSTR's 8-Ks of 2024-03-11 and 2024-03-19 both precede the 10-Q of 2024-05-01
    expect(
      chains([
        filing(1, '8-K', '2024-03-11', convert),
        filing(2, '8-K', '2024-03-19', convert),
        filing(3, '10-Q/A', '2024-04-01'),
        filing(4, '10-Q', '2024-05-01'),
        filing(5, '10-Q', '2024-08-01'),
      ]),
    ).toEqual([
      'private_convert: 8-K@03-11 derived, 10-Q@05-01 unresolved',
      'private_convert: 8-K@03-19 derived',
    ]);
  });

  it('needs all three items, in the report itself', () => {
    expect(chains([filing(1, '8-K', '2024-03-11', { items: ['1.01', '2.03'] })])).toEqual([]);
    expect(chains([filing(1, '8-K/A', '2024-03-11', convert)])).toEqual([]);
  });
});

describe('staff reviews (M7.6, M7.7)', () => {
  const letters = [
    filing(1, '10-Q', '2021-07-29'),
    filing(2, 'UPLOAD', '2021-10-07', { accession: '0000000000-21-012200' }),
    filing(3, 'CORRESP', '2021-10-22'),
    filing(4, 'UPLOAD', '2021-12-03', { accession: '0000000000-21-014605' }),
    filing(5, 'CORRESP', '2021-12-16'),
    filing(6, 'UPLOAD', '2021-12-20', { accession: '0000000000-21-015110' }),
  ];

  it('joins letters no more than sixty days apart about the last report of the half year before', () => {
    expect(chains(letters)).toEqual([
      'staff_review: 10-Q@07-29 derived, UPLOAD@10-07 derived, CORRESP@10-22 derived, UPLOAD@12-03 derived, CORRESP@12-16 derived, UPLOAD@12-20 derived',
    ]);
  });

  it('links a letter of the staff, whose number has the prefix of a placeholder', () => {
    const letter = read(letters).events.find(({ accession }) => accession === '0000000000-21-012200');
    expect(letter && publishedEvent(letter).filing_url).toMatch(
      /\/000000000021012200\/0000000000-21-012200-index\.htm$/,
    );
  });

  it('begins and ends with the staff, and needs two letters', () => {
    const more = [
      filing(7, 'CORRESP', '2021-09-20'),
      filing(8, 'CORRESP', '2022-01-10'),
      filing(9, 'UPLOAD', '2024-01-10'),
      filing(10, 'CORRESP', '2024-06-10'),
    ];
    expect(chains([...letters, ...more])).toEqual(chains(letters));
  });

  it('names a second review of one report after its first letter, and one without a report too', () => {
    const [report, ...first] = letters.map((row, i) => (i === 0 ? { ...row, filed: '2021-10-06' } : row));
    const again = [filing(7, 'UPLOAD', '2022-03-01'), filing(8, 'UPLOAD', '2022-03-30')];
    const ids = (rows: FilingRow[]) => read(rows).chains.map(({ sequenceId }) => sequenceId.split(':')[2]);
    expect(ids([report as FilingRow, ...first, ...again])).toEqual([
      '0000000009-25-000001',
      '0000000009-25-000007',
    ]);
    expect(ids(again)).toEqual(['0000000009-25-000007']);
    const old = filing(1, '10-Q', '2021-04-09');
    expect(ids([old, ...first])).toEqual(['0000000000-21-012200']);
  });

  it('does not know the letters before twenty business days after the last', () => {
    // 20 December 2021 was a Monday; without holidays twenty business days end on Monday 17 January
    expect(chains(letters, '2022-01-16')).toEqual([]);
    expect(read(letters, '2022-01-16').events.map(({ form }) => form)).toEqual(['10-Q']);
    const then = read(letters, '2022-01-17');
    expect(then.chains).toHaveLength(1);
    // and they keep their own dates
    expect(then.events.map(({ filed }) => filed)).toContain('2021-10-07');
    expect(then.events.filter(({ knownOn }) => knownOn === '2022-01-17')).toHaveLength(5);
  });
});

describe('late filers (M7.8)', () => {
  const period = { reportDate: '2024-12-31' };
  const annual = filing(1, 'NT 10-K', '2025-03-31', period);
  const labels = (rows: FilingRow[], asOf?: string) => read(rows, asOf).chains.map(({ label }) => label);

  it.each([
    ['2025-04-15', 'Late filer: cured on time'],
    ['2025-04-16', 'Late filer: late'],
  ])('judges a 10-K of %s by fifteen days', (filed, label) => {
    expect(labels([annual, filing(2, '10-K', filed, period)])).toEqual([label]);
  });

  it.each([
    ['2025-05-20', 'Late filer: cured on time'],
    ['2025-05-21', 'Late filer: late'],
  ])('judges a 10-Q of %s by five days', (filed, label) => {
    expect(labels([filing(1, 'NT 10-Q', '2025-05-15'), filing(2, '10-Q', filed)])).toEqual([label]);
  });

  it('stays open until the report of the same period is there, whatever else is filed', () => {
    const others = [
      filing(2, '10-K/A', '2025-04-01', period),
      filing(3, '10-Q', '2025-04-02', period),
      filing(4, '10-K', '2025-04-03', { reportDate: '2023-12-31' }),
    ];
    expect(labels([annual, ...others])).toEqual(['Late filer: open']);
    const cured = [annual, ...others, filing(5, '10-K', '2025-04-10', period)];
    expect(labels(cured, '2025-04-09')).toEqual(['Late filer: open']);
    expect(labels(cured)).toEqual(['Late filer: cured on time']);
  });
});

describe('first offerings and mergers (M7.9)', () => {
  it('follows an offering from its draft to the first quarterly report', () => {
    expect(
      chains([
        filing(1, 'DRS', '2021-09-27', { fileNumber: '377-05531' }),
        filing(2, 'S-1', '2021-11-16', file),
        filing(3, 'S-1/A', '2021-12-10', file),
        filing(4, '8-A12B', '2022-03-10', { fileNumber: '001-41323' }),
        filing(5, 'EFFECT', '2022-03-10', { ...file, acceptedAt: '2022-03-11T05:15:10Z' }),
        filing(6, '424B4', '2022-03-14', file),
        filing(7, '8-K', '2022-03-16', { items: ['1.01'] }),
        filing(8, '10-Q', '2022-05-23'),
        filing(9, 'S-1', '2024-04-15', { fileNumber: '333-2' }),
      ]),
    ).toEqual([
      'ipo: DRS@09-27 direct, S-1@11-16 derived, S-1/A@12-10 direct, 8-A12B@03-10 derived, EFFECT@03-10 direct, 424B4@03-14 direct, 10-Q@05-23 derived',
    ]);
  });

  it('sees no first offering of a registrant that reported before', () => {
    expect(chains([filing(1, '10-Q', '2020-05-05'), filing(2, 'S-1', '2021-11-16', file)])).toEqual([]);
  });

  it('follows a merger to its completion and marks an agreement it had to choose', () => {
    const rows = [
      filing(1, '8-K', '2022-11-01', { items: ['1.01'] }),
      filing(2, '8-K', '2023-02-17', { items: ['1.01', '7.01'] }),
      filing(3, '425', '2023-02-17'),
      filing(4, 'S-4', '2023-03-20', file),
      filing(5, 'S-4/A', '2023-05-12', file),
      filing(6, 'DEFM14A', '2023-11-08'),
      filing(7, '8-K', '2024-02-08', { items: ['2.01'] }),
      filing(8, '425', '2024-02-09'),
    ];
    expect(chains(rows)).toEqual([
      'merger: 8-K@02-17 unresolved, 425@02-17 derived, S-4@03-20 derived, S-4/A@05-12 direct, DEFM14A@11-08 derived, 8-K@02-08 derived',
    ]);
    expect(chains(rows.slice(1))[0]).toContain('8-K@02-17 derived');
  });

  it('does not take the S-4 of an exchange offer for a merger', () => {
    expect(
      chains([filing(1, '8-K', '2023-02-17', { items: ['1.01'] }), filing(2, 'S-4', '2023-03-20', file)]),
    ).toEqual([]);
  });
});

describe('bad input', () => {
  it('orders by acceptance then accession, and a filing without acceptance at the end of its day', () => {
    const rows = [
      filing(3, '10-Q', '2025-05-05', { acceptedAt: null }),
      filing(2, '10-Q', '2025-05-05'),
      filing(1, '10-Q', '2025-05-05'),
    ];
    const { events } = read(rows);
    expect(events.map(({ accession }) => accession.slice(-1))).toEqual(['1', '2', '3']);
    expect(events.map(publishedEvent).map(({ accepted_at }) => accepted_at)).toEqual([
      '2025-05-05T16:00:00Z',
      '2025-05-05T16:00:00Z',
      null,
    ]);
  });

  it('counts a filing listed on two pages once, whichever page comes first', () => {
    const a = filing(1, '10-Q', '2025-05-05');
    const b = { ...a, acceptedAt: null, form: '10-K' };
    expect(read([a, b]).events.map(({ form }) => form)).toEqual(['10-Q']);
    expect(read([b, a])).toEqual(read([a, b]));
  });

  it('keeps a filing of an unknown form, and one accepted on the evening before it is dated', () => {
    const rows = [filing(1, 'X-99', '2025-05-05', { acceptedAt: '2025-05-02T22:00:00Z' })];
    expect(read(rows, '2025-05-04').events).toEqual([]);
    expect(read(rows, '2025-05-05').events).toMatchObject([{ family: 'other', label: 'X-99' }]);
  });

  it('has no events and no chains without filings', () => {
    expect(read([])).toEqual({ events: [], chains: [] });
  });
});

const anyFiling = fc
  .record({
    n: fc.integer({ min: 1, max: 60 }),
    form: fc.constantFrom(
      ...['S-3', 'S-3ASR', '424B5', 'FWP', '8-K', '10-Q', '10-K', 'NT 10-Q', 'NT 10-K', 'UPLOAD', 'CORRESP'],
      ...['S-1', 'S-1/A', 'DRS', 'EFFECT', '424B4', '8-A12B', 'S-4', 'DEFM14A', '425', '4', 'ZZZ'],
    ),
    day: fc.integer({ min: 0, max: 900 }),
    hour: fc.option(fc.integer({ min: 10, max: 12 })),
    fileNumber: fc.constantFrom(null, '333-1', '333-2'),
    items: fc.subarray(['1.01', '2.01', '2.03', '3.02', '8.01']),
  })
  .map(({ n, form, day, hour, fileNumber, items }) => {
    const filed = new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10);
    const acceptedAt = hour === null ? null : `${filed}T${hour}:00:00Z`;
    return filing(n, form, filed, { acceptedAt, fileNumber, items });
  });

describe('laws', () => {
  it('places every event in at most one chain, with steps 1 to k in acceptance and accession order (M15.49)', () => {
    fc.assert(
      fc.property(fc.array(anyFiling, { maxLength: 40 }), (rows) => {
        const { events, chains: found } = read(rows);
        const members = found.flatMap(({ steps }) => steps.map(({ event }) => event.accession));
        expect(new Set(members).size).toBe(members.length);
        expect(new Set(found.map(({ sequenceId }) => sequenceId)).size).toBe(found.length);
        for (const chain of found) {
          const own = events.filter(({ sequenceId }) => sequenceId === chain.sequenceId);
          expect(own.map(({ step }) => step)).toEqual(chain.steps.map((_, i) => i + 1));
          expect(own.map(({ accession }) => accession)).toEqual(publishedChain(chain).events);
          choreographyChain.parse(publishedChain(chain));
        }
        for (const event of events) choreographyEvent.parse(publishedEvent(event));
      }),
    );
  });

  it('depends on no order of the rows (M15.2)', () => {
    fc.assert(
      fc.property(fc.array(anyFiling, { maxLength: 25 }), (rows) => {
        expect(read(rows.toReversed())).toEqual(read(rows));
      }),
    );
  });

  it('knows on a day nothing filed later, review letters apart (M15.55)', () => {
    fc.assert(
      fc.property(fc.array(anyFiling, { maxLength: 30 }), (rows) => {
        const others = rows.filter(({ form }) => form !== 'UPLOAD' && form !== 'CORRESP');
        const then = others.filter(({ filed }) => filed <= '2021-06-30');
        // one accession, one filing
        const listed = new Set(then.map(({ accession }) => accession));
        const later = others.filter((row) => row.filed > '2021-06-30' && !listed.has(row.accession));
        expect(read([...then, ...later], '2021-06-30')).toEqual(read(then, '2021-06-30'));
      }),
    );
  });
});

it('gives the family treasury to the report whose statement counts coins, not to one that sells shares (M7.1)', () => {
  const rows = [1, 2, 3].map((n) => filing(n, '8-K', `2025-01-0${n}`, { items: ['8.01'] }));
  const of = (n: number) => rows[n]?.accession ?? '';
  const statements = [
    statementOf({ kind: 'purchase', units: '855', accession: of(0) }),
    statementOf({ kind: 'atm', asset: 'shares', units: '5', usd: '9', accession: of(1) }),
  ];
  const { events } = filingChoreography(rows, { asOf: '2030-12-31', statements, calendar, parameters });
  expect(events.map(({ family }) => family)).toEqual(['treasury', 'current_report', 'current_report']);
});

const accessions = new Set(['a', 'b']);
const sale = (accession: string, asOf: string, given: Parameters<typeof statementOf>[0]) =>
  statementOf({ kind: 'atm', asset: 'shares', accession, asOf, ...given });

describe('what the reports of a chain state of its money (M7.11)', () => {
  it('is principal and net proceeds of private notes, the latter where all of them state it', () => {
    const notes = (accession: string, usd: string, netProceeds?: string) =>
      statementOf({
        ...{ kind: 'notes_issued', asset: 'USD', accession, asOf: '2024-09-19', usd },
        ...(netProceeds === undefined ? {} : { netProceeds }),
      });
    const placed = [notes('a', '1010000000', '997400000'), notes('c', '5')];
    const of = (statements: Parameters<typeof chainAmounts>[1]['statements']) => {
      const { principal, net_proceeds } = chainAmounts('private_convert', { accessions, statements });
      return [principal?.toString(), net_proceeds?.toString()];
    };
    expect(of(placed)).toEqual(['1010000000', '997400000']);
    expect(of([...placed, notes('b', '90000000')])).toEqual(['1100000000', undefined]);
    expect(of([])).toEqual([undefined, undefined]);
  });

  it('is shares sold from a shelf by security, with the capacity of the newest report', () => {
    const statements = [
      sale('a', '2026-01-25', { units: '1000', usd: '150000', capacityLeft: '900', security: 'MSTR' }),
      sale('b', '2026-02-01', {
        units: '673527',
        usd: '106100000',
        capacityLeft: '8063900000',
        security: 'MSTR',
      }),
      sale('b', '2026-02-01', { units: '7', security: 'STRC' }),
      sale('c', '2026-02-01', { units: '9', security: 'STRC' }),
    ];
    const { securities_sold: sold = [] } = chainAmounts('shelf_takedown', { accessions, statements });
    expect(
      sold.map((one) => [
        one.security,
        one.shares,
        one.proceeds?.toString(),
        one.capacity_left?.toString(),
        one.to,
      ]),
    ).toEqual([
      ['MSTR', 674_527, '106250000', '8063900000', '2026-02-01'],
      ['STRC', 7, undefined, undefined, '2026-02-01'],
    ]);
    expect(chainAmounts('merger', { accessions, statements })).toEqual({});
  });
});
