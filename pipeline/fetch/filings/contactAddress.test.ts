import { describe, expect, it } from 'vitest';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { requireContact } from './edgarSession.ts';

describe('contact for SEC', () => {
  it.each([
    ['ops@fund.org', 'ops@fund.org'],
    ['  Jane Roe ops@fund.org ', 'Jane Roe ops@fund.org'],
    ['Roe Research LLC <jane.roe+sec@mail.fund.org>', 'Roe Research LLC jane.roe+sec@mail.fund.org'],
  ])('accepts %s', (given, announced) => {
    expect(requireContact(given)).toBe(announced);
  });

  it.each([
    undefined,
    '',
    '   ',
    'Jane Roe',
    'jane@',
    '@fund.org',
    'jane@fund',
    'jane@fund.org\r\nX-Evil: 1',
    'Jane\nRoe jane@fund.org',
    'Jané jane@fund.org',
    'Your Name you@your-domain.com',
    'Jane Roe <jane@Your-Domain.com>',
    `${'a'.repeat(500)} jane@fund.org`,
  ])('refuses %j with a configuration error that names the variable', (given) => {
    let caught: unknown;
    try {
      requireContact(given);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(IssuerError);
    const cli = (caught as IssuerError).toCli();
    expect(cli).toMatchObject({ exitCode: 2, code: 'configuration' });
    expect(cli.hint).toContain('II_EDGAR_CONTACT');
  });
});
