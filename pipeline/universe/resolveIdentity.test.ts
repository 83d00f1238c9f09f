import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Issuer } from '../../calculators/filing/rows.ts';
import {
  type IdentityIndex,
  indexIdentities,
  resolveIdentity,
} from '../../data/contract/values/issuerIdentity.ts';
import { dropReassignedAliases, loadUniverse, type RegisteredIssuer } from './universe.ts';

let universe: RegisteredIssuer[];
let index: IdentityIndex<RegisteredIssuer>;

beforeAll(async () => {
  universe = await loadUniverse(fileURLToPath(new URL('../../data/registry/universe.csv', import.meta.url)));
  index = indexIdentities(universe);
});

const resolve = (label: string) => resolveIdentity({ label, index });

/** The short form `via cik` for tables of expectations. */
function answer(label: string): string {
  const identity = resolve(label);
  return identity.kind === 'resolved' ? `${identity.via} ${identity.issuer.cik}` : identity.kind;
}

describe('resolveIdentity', () => {
  it.each([
    ['KDLY', '0001946573'],
    ['JNVR', '0001805526'],
    ['EMLD', '0001889123'],
    ['MEIP', '0001262104'],
    ['HYPS', '0002078856'],
    ['SQ', '0001512673'],
    ['SRM', '0001956744'],
    ['FORD', '0000038264'],
    ['FGF', '0001591890'],
    ['JAN', '0000862861'],
  ])('resolves the former ticker %s', (label, cik) => {
    expect(answer(label)).toBe(`alias ${cik}`);
  });

  it('prefers the current ticker: TRON is Tron Inc. and BRR is ProCap, not the shells before them', () => {
    expect(answer('TRON')).toBe('ticker 0001956744');
    expect(answer('BRR')).toBe('ticker 0002076163');
    expect(answer('CCCM')).toBe('alias 0002056263');
    expect(answer('AIB')).toBe('ticker 0002070542');
    expect(answer('BLK')).toBe('ticker 0002012383');
  });

  it('answers AACI with its former owner only while no other registrant uses the ticker', () => {
    const aaciOf = (cik: string) => {
      const former = universe.map((one) => (one.ticker === 'XRPN' ? { ...one, aliases: ['AACI'] } : one));
      const issuers = dropReassignedAliases({ issuers: former, listed: new Map([['AACI', cik]]) });
      return resolveIdentity({ label: 'AACI', index: indexIdentities(issuers) });
    };
    expect(answer('AACI')).toBe('unknown');
    expect(aaciOf('0002044009')).toMatchObject({ kind: 'resolved', via: 'alias' });
    expect(aaciOf('0002092897')).toEqual({ kind: 'unknown' });
  });

  it.each([
    ...['FLDDW', 'FLDD', 'FLDW', 'BRRWW', 'SBCWW', 'DJTWW', 'BTMWW', 'RUMBW', 'BNCWW', 'ATLEW'],
    ...['CUBB', 'BSQKZ', 'DFUKF', 'GREEL', 'SLNHP', 'INVUP', 'SATA', 'STRC', 'STRK', 'CORZZ', 'JPM-PC'],
    ...['GME-WT', 'BKKT-WT', 'MLACU', 'MLACR', 'EMLDU'],
  ])('does not take %s (warrant, unit, preferred stock or note) for the common stock', (label) => {
    expect(answer(label)).toBe('unknown');
  });

  it('keeps asset symbols out: BTC, ETH and XRP are trusts here, SOL and USDC are nobody', () => {
    expect(answer('BTC')).toBe('ticker 0002015034');
    expect(answer('ETH')).toBe('ticker 0002020455');
    expect(answer('XRP')).toBe('ticker 0002039525');
    for (const asset of ['SOL', 'USDC', '0G', 'CC', 'LTC', 'MIXED']) expect(answer(asset)).toBe('unknown');
  });

  it('takes reserved and one-letter words as tickers', () => {
    expect(answer('NA')).toBe('ticker 0001872302');
    expect(answer('V')).toBe('ticker 0001403161');
    expect(answer('GAME')).toBe('ticker 0001714562');
    expect(answer('CAN')).toBe('ticker 0001780652');
    expect(answer('MA')).toBe('ticker 0001141391');
  });

  it('resolves a zero-padded CIK, also of an issuer without ticker, and no shorter form', () => {
    expect(answer('0001554859')).toBe('cik 0001554859');
    expect(answer('SMLR')).toBe('alias 0001554859');
    expect(answer('0001050446')).toBe('cik 0001050446');
    expect(answer('1050446')).toBe('unknown');
    expect(answer('00001050446')).toBe('unknown');
    expect(answer('0000000000')).toBe('unknown');
  });

  it('ignores the case of ASCII letters only', () => {
    expect(answer('mstr')).toBe('ticker 0001050446');
    expect(answer('riot')).toBe(answer('RIOT'));
    expect(answer('rıot')).toBe('unknown');
    expect(answer(' MSTR')).toBe('unknown');
    expect(answer('')).toBe('unknown');
  });

  it('lists every claimant of a contested alias and picks none', () => {
    const issuer = (cik: string, ticker: string): Issuer => ({
      cik,
      ticker,
      entityName: ticker,
      aliases: ['OLD'],
      exchange: null,
      issuerType: 'operating_company',
      issuerClass: null,
      primaryAsset: null,
    });
    const [a, b] = [issuer('0000000002', 'AAA'), issuer('0000000001', 'BBB')];
    const contested = indexIdentities([a, b]);
    expect(resolveIdentity({ label: 'OLD', index: contested })).toEqual({
      kind: 'ambiguous',
      candidates: [b, a],
    });
    const twice = indexIdentities([a, { ...b, ticker: 'AAA' }]);
    expect(resolveIdentity({ label: 'aaa', index: twice }).kind).toBe('ambiguous');
  });

  it('finds every issuer of the universe by its ticker and its CIK', () => {
    for (const { cik, ticker } of universe) {
      expect(answer(cik)).toBe(`cik ${cik}`);
      if (ticker !== null) expect(answer(ticker)).toBe(`ticker ${cik}`);
    }
  });

  it('resolves a label only by exact membership', () => {
    const labels = new Set(universe.flatMap((i) => [i.cik, ...(i.ticker ?? '').split(' '), ...i.aliases]));
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z0-9.-]{1,10}$/), (label) => {
        expect(resolve(label).kind === 'resolved').toBe(labels.has(label));
      }),
    );
  });
});
