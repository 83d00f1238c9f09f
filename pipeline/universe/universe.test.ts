import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasEnded } from '../../calculators/filing/rows.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { issuerClasses, loadUniverse, parseUniverse } from './universe.ts';

const registry = fileURLToPath(new URL('../../data/registry/universe.csv', import.meta.url));
const handed = fileURLToPath(new URL('../../../shared/data/universe.csv', import.meta.url));
const header = 'cik,ticker,entity_name,aliases,issuer_type,issuer_class';
const row = '0001050446,MSTR,Strategy Inc,MICROSTRATEGY|STRATEGY,operating_company,crypto_treasury';

function refusal(text: string): IssuerError {
  try {
    parseUniverse(text, 'u.csv');
  } catch (error) {
    if (error instanceof IssuerError) return error;
    throw error;
  }
  throw new Error('the table was accepted');
}

describe('the universe of the repository', () => {
  it('holds a registrant a line, at least the 215 of the regression audit (I1.3)', async () => {
    const lines = (await readFile(registry, 'utf8')).trimEnd().split('\n').slice(1);
    const issuers = await loadUniverse(registry);
    expect(issuers.map((i) => i.cik).sort()).toEqual(lines.map((line) => line.slice(0, 10)).sort());
    expect(issuers.length).toBeGreaterThanOrEqual(215);
  });

  it('holds registrants without a current ticker', async () => {
    const byCik = new Map((await loadUniverse(registry)).map((i) => [i.cik, i.ticker]));
    for (const cik of ['0000823546', '0001106838', '0001554859', '0001737372', '0001856028'])
      expect(byCik.get(cik), cik).toBeNull();
  });

  it('says of whom it knows that they ended how, when and who goes on (I1.3a)', async () => {
    const issuers = await loadUniverse(registry);
    const byCik = new Map(issuers.map((issuer) => [issuer.cik, issuer]));
    const ended = issuers.filter((issuer) => issuer.ended !== undefined);
    expect(
      ended.map(({ aliases, ended }) => [
        aliases[0],
        ended?.status,
        ended?.on,
        byCik.get(ended?.successor ?? '')?.ticker ?? null,
      ]),
    ).toEqual([
      ['SONN', 'merged', '2025-12-02', 'PURR'],
      ['SMLR', 'merged', '2026-01-16', 'ASST'],
      ['SDIG', 'merged', '2025-03-14', 'BITF'],
      ['CEP', 'merged', '2025-12-08', 'XXI'],
      ['BCSA', 'liquidated', '2024-11-13', null],
      ['CCCM', 'merged', '2025-12-05', 'BRR'],
    ]);
    // a registrant that has ended has no ticker, a successor stands in the table and has not ended itself
    for (const { ticker, ended: how } of ended) {
      expect(ticker).toBeNull();
      expect(how?.successor === null || byCik.get(how?.successor ?? '')?.ended === undefined).toBe(true);
    }
    const semler = byCik.get('0001554859') as (typeof issuers)[number];
    expect([hasEnded(semler, '2026-01-15'), hasEnded(semler, '2026-01-16')]).toEqual([false, true]);
  });

  it('has blank-check companies in a class of their own, whatever coins they plan to hold', async () => {
    const shells = (await loadUniverse(registry)).filter(
      ({ issuerClass }) => issuerClass === 'shell_or_spac',
    );
    expect(shells.map(({ ticker, aliases }) => ticker ?? aliases[0]).sort()).toEqual([
      'BCSA',
      'BDCI',
      'BIXI',
      'CCCM',
      'CEP',
      'CEPO',
      'CEPT',
      'DAAQ',
      'ETHM',
      'GBBK',
      'KOYN',
      'KRAQ',
      'MBAV',
      'MLAC',
      'SBAQ',
      'XRPN',
    ]);
  });

  it('tells operating companies, foreign issuers, trusts and funds apart', async () => {
    const typeOf = new Map((await loadUniverse(registry)).map((i) => [i.ticker, i.issuerType]));
    expect(['MSTR', 'NA', 'IBIT', 'ETCG'].map((ticker) => typeOf.get(ticker))).toEqual([
      'operating_company',
      'foreign_issuer',
      'etf_trust',
      'fund_vehicle',
    ]);
  });

  it('reads NA (Nano Labs) as a ticker and 0G as an asset', async () => {
    const issuers = await loadUniverse(registry);
    expect(issuers.find((i) => i.cik === '0001872302')?.ticker).toBe('NA');
    expect(issuers.find((i) => i.ticker === 'ZSTK')?.primaryAsset).toBe('0G');
  });

  it('keeps 31 December as the year end of MSTR, whatever its submissions file says', async () => {
    expect((await loadUniverse(registry)).find((i) => i.ticker === 'MSTR')).toEqual({
      cik: '0001050446',
      ticker: 'MSTR',
      entityName: 'Strategy Inc',
      aliases: ['MICROSTRATEGY', 'STRATEGY'],
      exchange: 'Nasdaq',
      issuerType: 'operating_company',
      issuerClass: 'crypto_treasury',
      primaryAsset: 'BTC',
      sic: '6199',
      fiscalYearEnd: '1231',
    });
  });

  it('does not carry the wrong CIKs of public trackers', async () => {
    const byTicker = new Map((await loadUniverse(registry)).map((i) => [i.ticker, i.cik]));
    expect(byTicker.get('CLSK')).toBe('0000827876');
    expect(byTicker.get('COIN')).toBe('0001679788');
    expect(byTicker.get('NAKA')).toBe('0001946573');
    expect(byTicker.get('RIOT')).toBe('0001167419');
    expect(byTicker.get('XXI')).toBe('0002070457');
    expect(byTicker.get('CEPO')).toBe('0002027708');
    expect(byTicker.get('ASST')).toBe('0001920406');
  });

  it('says the same of each registrant as the universe table of the test data', async (ctx) => {
    if (!existsSync(handed)) ctx.skip('../shared/data/universe.csv is not on this machine');
    const ours = await loadUniverse(registry);
    const theirs = parseUniverse(await readFile(handed, 'utf8'), handed);
    const theirCiks = new Set(theirs.map((i) => i.cik));
    const byCik = (a: { cik: string }, b: { cik: string }) => compareText(a.cik, b.cik);
    // its table knows no blank-check companies, nor who ended or lost an alias since
    const curated = ({ issuerClass, ended, ...issuer }: (typeof ours)[number]) => ({
      ...issuer,
      aliases: issuer.aliases.filter((alias) => alias !== 'AACI'),
      issuerClass: issuerClass === 'shell_or_spac' ? null : issuerClass,
    });
    const shells = new Set(
      ours.filter(({ issuerClass }) => issuerClass === 'shell_or_spac').map(({ cik }) => cik),
    );
    const given = theirs.map((issuer) =>
      shells.has(issuer.cik) ? { ...issuer, issuerClass: null } : issuer,
    );
    expect(ours.filter((i) => theirCiks.has(i.cik)).map(curated)).toEqual(given.sort(byCik).map(curated));
  });
});

describe('parseUniverse', () => {
  it('stores a name without what drives a terminal', () => {
    const text = `${header}\n0001889123,FLD,"\u001b[2JFold\nHoldings\u202e",,operating_company,miner\n`;
    expect(parseUniverse(text, 'u.csv')[0]?.entityName).toBe('[2JFold Holdings');
  });

  it('keeps commas and quotes inside a quoted name', () => {
    const text = `${header}\n0001889123,FLD,"Fold ""F"" Holdings, Inc.",EMLD,operating_company,crypto_financial\n`;
    expect(parseUniverse(text, 'u.csv')[0]?.entityName).toBe('Fold "F" Holdings, Inc.');
  });

  it.each([
    ['an unpadded CIK', row.replace('0001050446', '1050446'), 2, 'is not 10 digits'],
    ['an unknown type', row.replace('operating_company', 'company'), 2, 'issuer_type "company"'],
    ['an unknown class', row.replace('crypto_treasury', 'treasury'), 2, 'issuer_class "treasury"'],
    ['a lower-case ticker', row.replace('MSTR', 'mstr'), 2, '"mstr" is not a ticker'],
    ['an empty name', row.replace('Strategy Inc', ' '), 2, 'entity_name is empty'],
    ['a missing cell', row.replace(',crypto_treasury', ''), 2, '5 cells where the header has 6'],
    ['an alias equal to the ticker', row.replace('|STRATEGY', '|MSTR'), 2, 'listed twice'],
    ['a CIK twice', `${row}\n${row.replace('MSTR', 'MSTX')}`, 3, 'CIK 0001050446 is already on line 2'],
    ['a ticker twice', `${row}\n${row.replace('0001050446', '0001050447')}`, 3, 'ticker MSTR is already'],
    ['an open quote', `${row}\n0001050447,"A`, 3, 'the CSV cannot be read'],
  ])('refuses %s with its line', (_name, rows, line, message) => {
    const error = refusal(`${header}\n${rows}\n`);
    expect(error.code).toBe('validation_failed');
    expect(error.details).toMatchObject({ path: 'u.csv', line });
    expect(error.message).toContain(message);
    expect(error.hint).not.toBe('');
  });

  it('refuses a header with a missing, unknown or repeated column', () => {
    expect(refusal('ticker,name\n').message).toContain('column cik is missing');
    expect(refusal(`${header},alias\n`).message).toContain('column "alias" is not known');
    expect(refusal(`${header},cik\n`).message).toContain('column cik occurs twice');
    expect(refusal('').message).toContain('column cik is missing');
    expect(refusal(`${header}\n`).message).toContain('no issuer');
  });

  it('reports the line of a row that follows a name with a line break', () => {
    const text = `${header}\n0001889123,FLD,"Fold\nHoldings",,operating_company,miner\n1,X,Y,,operating_company,miner\n`;
    expect(refusal(text).details['line']).toBe(4);
  });

  it('gives a table or a declared error for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (noise, withHeader) => {
        try {
          const issuers = parseUniverse(withHeader ? `${header}\n${noise}` : noise, 'u.csv');
          return issuers.every((i) => (issuerClasses as readonly (string | null)[]).includes(i.issuerClass));
        } catch (error) {
          return error instanceof IssuerError && error.code === 'validation_failed';
        }
      }),
    );
  });
});

describe('loadUniverse', () => {
  it('says which file is missing', async () => {
    await expect(loadUniverse('/nowhere/universe.csv')).rejects.toMatchObject({
      code: 'input_missing',
      details: { path: '/nowhere/universe.csv' },
    });
  });
});
