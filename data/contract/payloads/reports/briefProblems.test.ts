import { describe, expect, it } from 'vitest';
import { disclaimer } from '../../values/disclaimer.ts';
import { briefGrammar, briefProblems, unverifiedNumbers } from './briefProblems.ts';

const page = 'https://www.sec.gov/Archives/edgar/data/1/000162828025035806/0001628280-25-035806-index.htm';
const evidence = {
  ticker: 'TSLA',
  debt: '7020000000',
  accession_number: '0001628280-25-035806',
  filing_url: page,
};
const sound = [
  '# Covenant Stress TSLA 2025-11-13',
  ...briefGrammar.covenant.map(
    (heading) => `## ${heading}\n\nTSLA owes USD 7.0 B ([0001628280-25-035806](${page})).`,
  ),
  disclaimer,
].join('\n\n');
const problems = (text: string) =>
  briefProblems({
    text,
    evidence: { ...evidence, title: 'Covenant Stress TSLA 2025-11-13' },
    kind: 'covenant',
    style: 'concise',
  });

describe('a brief as a client reads it (I2.44)', () => {
  it('is sound with its sections, its disclaimer and numbers of its evidence', () => {
    expect(problems(sound)).toEqual([]);
  });

  it.each<[string, string, string, string]>([
    ['without a heading', '## Filing Evidence\n', '', 'the sections are not those of I2.42'],
    [
      'with a heading of its own',
      '## Next Checks',
      '### Outlook\n\n## Next Checks',
      'the sections are not those of I2.42',
    ],
    [
      'that goes on behind its disclaimer',
      disclaimer,
      `${disclaimer}\n\nMore.`,
      'the last line is not the disclaimer (I2.40)',
    ],
    ['with another number', 'USD 7.0 B', 'USD 7.1 B', '7.1 B is not in its evidence (I2.44)'],
    [
      'that is too long',
      'TSLA owes',
      `TSLA ${'so '.repeat(300)}owes`,
      'are more than concise may have (I2.43)',
    ],
    ['with raw HTML', 'TSLA owes', '<b>TSLA</b> owes', 'it holds HTML'],
    ['with a picture', 'TSLA owes', `![TSLA](${page}) owes`, 'it holds HTML'],
    ['with a link elsewhere', page, 'https://evil.sec.gov.example.com/', 'link to another host'],
    ['with a link that carries a claim', page, 'https://www.sec.gov/?q=99', 'link to another host'],
    ['with a control', 'TSLA owes', '\u001b]0;TSLA owes', 'it holds HTML'],
  ])('is refused %s', (_, from, to, problem) => {
    expect(problems(sound.replace(from, to)).join()).toContain(problem);
  });

  it('is refused with an empty section', () => {
    const empty = sound.replace(/(## Next Checks\n\n)TSLA[^\n]*/, '$1');
    expect(problems(empty)).toContain('a section is empty (I2.42)');
  });
});

it('an issuer without a ticker stands under its CIK before the word of a tier (M11.2)', () => {
  const of = { ticker: '0001234567', prior_tier: 'MODERATE' };
  expect(unverifiedNumbers('Moved by a filing: 0001234567 MODERATE to HIGH.', of)).toEqual([]);
  expect(unverifiedNumbers('Moved by a filing: 12 MODERATE to HIGH.', of)).toEqual(['12']);
});
