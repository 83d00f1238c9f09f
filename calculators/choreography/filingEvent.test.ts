import { describe, expect, it } from 'vitest';
import { addBusinessDays, formFamily } from './filingEvent.ts';

const calendar = { holidays: new Set(['2021-12-24', '2022-01-17']) };

describe('addBusinessDays', () => {
  it.each([
    // twenty business days after the closing letter of MSTR's review of 2021; Christmas was observed on Friday
    ['2021-12-20', 20, '2022-01-19'],
    ['2021-12-23', 1, '2021-12-27'],
    ['2021-12-27', -1, '2021-12-23'],
    ['2021-12-25', -1, '2021-12-23'],
    ['2021-12-25', 0, '2021-12-25'],
  ])('%s %i days on is %s (M6.12)', (date, days, expected) => {
    expect(addBusinessDays(date, days, calendar)).toBe(expected);
  });
});

const family = (form: string, items: string[] = [], description: string | null = null) =>
  formFamily({ form, items, description }).family;
const label = (form: string, items: string[] = []) => formFamily({ form, items, description: null }).label;

describe('formFamily', () => {
  it.each([
    ['periodic', '10-K 10-Q 20-F 40-F 11-K 10-KT ARS 10-K/A 10-Q/A|NT 10-K|NT 10-Q'],
    ['current_report', '8-K 6-K 8-K/A'],
    [
      'registration',
      'S-1 S-3 S-3ASR S-4 S-8 S-11 F-1 F-3 F-4 F-10 10-12B 10-12G 8-A12B 8-A12G DRS EFFECT S-3MEF S-1/A|POS AM|S-8 POS',
    ],
    ['prospectus', '424B1 424B2 424B3 424B4 424B5 424B7 424B8 FWP 425'],
    ['sec_review', 'UPLOAD CORRESP LETTER DRSLTR'],
    [
      'governance',
      '3 4 5 144 4/A DEFA14A|DEF 14A|PRE 14A|SC 13D|SC 13G|SC 13D/A|SC 13G/A|SCHEDULE 13D|SCHEDULE 13G/A',
    ],
    ['treasury', '|SC TO-I|SC TO-I/A'],
    ['debt', 'T-3 305B2'],
    ['other', '424B9 424B 10-K405 25-NSE CERT D UNKNOWN|SEC STAFF LETTER|SC TO-T'],
  ])('puts the forms of M7.1 into %s', (expected, forms) => {
    const [plain = '', ...spaced] = forms.split('|');
    const all = [...plain.split(' '), ...spaced].filter((form) => form !== '');
    const wrong = all.filter((form) => family(form) !== expected);
    expect(wrong).toEqual([]);
  });

  it.each([
    [['1.01', '2.03', '9.01'], 'debt'],
    [['2.04'], 'debt'],
    [['1.03'], 'debt'],
    [['2.02', '2.03', '5.02'], 'debt'],
    [['2.02', '5.02', '7.01'], 'current_report'],
    [['5.02'], 'governance'],
    [['5.07', '9.01'], 'governance'],
    [['7.01', '8.01'], 'current_report'],
    [[], 'current_report'],
  ])('lets the items %j of a current report decide (M7.2)', (items, expected) => {
    expect(family('8-K', items)).toBe(expected);
    expect(family('8-K/A', items)).toBe(expected);
  });

  it('takes an 8-K with item 7.01 or 8.01 for treasury when its description mentions coins', () => {
    expect(family('8-K', ['7.01'], 'PRESS RELEASE: BITCOIN PURCHASE')).toBe('treasury');
    expect(family('8-K', ['9.01'], 'BITCOIN')).toBe('current_report');
    expect(family('8-K', ['8.01'], 'TOGETHER WE GROW')).toBe('current_report');
  });

  it('takes a report that states coins for treasury, by no word once texts are read (M7.1)', () => {
    const read = (form: string, items: string[], statesCoins: boolean) =>
      formFamily({ form, items, description: 'BITCOIN PURCHASE' }, statesCoins).family;
    expect(read('8-K', ['7.01', '8.01'], true)).toBe('treasury');
    expect(read('8-K', ['2.02', '8.01'], true)).toBe('current_report');
    expect(read('6-K', [], true)).toBe('treasury');
    expect(read('8-K', ['8.01'], false)).toBe('current_report');
    expect(read('8-K', ['1.01', '2.03'], true)).toBe('debt');
    expect(read('10-Q', [], true)).toBe('periodic');
  });

  it('reads items on current reports only: an EFFECT lists other things there', () => {
    expect(family('EFFECT', ['2.03'])).toBe('registration');
  });

  it('names what a reader knows the form as', () => {
    expect(label('10-Q')).toBe('Quarterly report');
    expect(label('10-Q/A')).toBe('Quarterly report, amended');
    expect(label('NT 10-K')).toBe('late notice');
    expect(label('8-K', ['1.03'])).toBe('bankruptcy');
    expect(label('8-K', ['2.02', '9.01'])).toBe('Current report: results');
    expect(label('8-K', ['1.01', '2.04'])).toBe('Current report: acceleration');
    expect(label('8-K', ['9.01'])).toBe('Current report');
    expect(label('424B5')).toBe('Prospectus 424B5');
    expect(label('XYZ')).toBe('XYZ');
  });
});
