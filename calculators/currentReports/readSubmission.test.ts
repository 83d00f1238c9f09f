import { describe, expect, it } from 'vitest';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { acceptedInstant, easternToUtc, isReadReport, readSubmission } from './readSubmission.ts';

const header = [
  '<SEC-HEADER>0001193125-26-032731.hdr.sgml : 20260202',
  '<ACCEPTANCE-DATETIME>20260202080028',
  'ACCESSION NUMBER:\t\t0001193125-26-032731',
  'CONFORMED SUBMISSION TYPE:\t8-K',
  'CONFORMED PERIOD OF REPORT:\t20260201',
  'FILED AS OF DATE:\t\t20260202',
  '</SEC-HEADER>',
];
const document = (type: string, filename: string, text: string) => [
  '<DOCUMENT>',
  `<TYPE>${type}`,
  '<SEQUENCE>1',
  `<FILENAME>${filename}`,
  '<TEXT>',
  text,
  '</TEXT>',
  '</DOCUMENT>',
];
const submission = (...documents: string[][]) => [...header, ...documents.flat()].join('\n');

describe('a submission text', () => {
  it('is cut at its documents, whose types decide and not their names', () => {
    const read = readSubmission(
      submission(
        document('8-K', 'mstr-20260131.htm', '<p>We held 5 BTC.</p>'),
        document('EX-99.1', 'opsreportdraft0.htm', '<p>x</p>'),
        document('EX-99.2', 'slides.pdf', '<PDF>'),
        document('EX-101.SCH', 'mstr-20260131.xsd', '<xml>'),
        document('GRAPHIC', 'logo.jpg', 'begin 644 logo.jpg'),
      ),
    );
    expect([read.accession, read.form, read.filed, read.period, read.acceptedAt]).toEqual([
      '0001193125-26-032731',
      '8-K',
      '2026-02-02',
      '2026-02-01',
      '2026-02-02T13:00:28.000Z',
    ]);
    expect(read.documents.map(({ type, filename }) => `${type} ${filename}`)).toEqual([
      '8-K mstr-20260131.htm',
      'EX-99.1 opsreportdraft0.htm',
    ]);
    expect(read.documents[0]?.text.trim()).toBe('<p>We held 5 BTC.</p>');
    expect(read.unreadable.map(({ filename }) => filename)).toEqual(['slides.pdf']);
  });

  it('without a header, or of more documents than a filing has, is refused', () => {
    expect(() => readSubmission('<html>not here</html>')).toThrow(IssuerError);
    const many = Array.from({ length: 65 }, (_, at) => document('EX-99.1', `e${at}.htm`, 'x'));
    expect(() => readSubmission(submission(...many))).toThrow('64 documents');
  });
});

describe('the instant of acceptance', () => {
  it('is Eastern time, four hours behind UTC in summer and five in winter', () => {
    expect(easternToUtc('20250804080012')).toBe('2025-08-04T12:00:12.000Z');
    expect(easternToUtc('20251103080012')).toBe('2025-11-03T13:00:12.000Z');
    expect(easternToUtc('20250309015959')).toBe('2025-03-09T06:59:59.000Z');
    expect(easternToUtc('20250309030000')).toBe('2025-03-09T07:00:00.000Z');
  });

  it('is that of the header, else the later of the two readings of a listed time', () => {
    const listed = '2026-02-02T08:00:28.000Z';
    expect(acceptedInstant({ header: null, listed })).toBe('2026-02-02T13:00:28.000Z');
    expect(acceptedInstant({ header: '2026-02-02T13:00:27.000Z', listed })).toBe('2026-02-02T13:00:27.000Z');
  });
});

describe('which current reports are read (M17.35)', () => {
  it.each([
    ['8-K', ['8.01'], true],
    ['8-K/A', ['5.02', '7.01'], true],
    ['8-K', ['5.02', '9.01'], false],
    ['8-K', [], true],
    ['6-K', [], true],
    ['6-K/A', [], true],
    ['10-Q', ['8.01'], false],
    ['425', ['8.01'], false],
    ['8-K12B', ['8.01'], false],
  ])('%s with items %j: %s', (form, items, isRead) => {
    expect(isReadReport({ form, items })).toBe(isRead);
  });
});
