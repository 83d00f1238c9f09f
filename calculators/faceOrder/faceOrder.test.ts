import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { faceStatement } from '../../fixtures/builders/faceStatement.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import {
  registryParameters as parameters,
  registryParameters,
} from '../../fixtures/builders/registryParameters.ts';
import { fact, statementFiling } from '../../fixtures/builders/statementFiling.ts';
import { factSheet } from '../filing/factSheet.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import { priceBook } from '../prices/priceBook.ts';
import { closingSum, type FaceSide, faceOrder } from './faceOrder.ts';

const { faceOrder: bounds } = registryParameters;

function read(filing: XbrlFiling | string, side: 'assets' | 'liabilities' = 'liabilities'): FaceSide {
  const xbrl = typeof filing === 'string' ? faceStatement(filing) : filing;
  const sheet = factSheet(issuerInputs({ xbrl }), '2026-02-07');
  return faceOrder({ filing: xbrl, sheet, bounds })[side];
}

/** Lines of each reading, or why there is none. */
function linesOf(side: FaceSide) {
  if (side.kind !== 'closed') return `${side.kind}: ${side.reason}`;
  return side.readings.map(({ lines }) => lines.map(({ concept }) => concept.split(':').at(-1)).join(' '));
}

const fold = `
AccountsPayableCurrent 632943
fld:AccruedExpensesAndOtherLiabilitiesCurrent 1896003
OperatingLeaseLiabilityCurrent 220190
ContractWithCustomerLiabilityCurrent 906416
fld:CustomerRewardsLiability 9295587
LiabilitiesCurrent 12951139
ConvertibleLongTermNotesPayable 21644139
fld:ConvertibleNotesPayableRelatedPartyNoncurrent 60750183
OperatingLeaseLiabilityNoncurrent 931410
Liabilities 96276871`;

const riot = `
CashAndCashEquivalentsAtCarryingValue 688497
AccountsReceivableNetCurrent 14185
riot:ContractAssetsCurrentRetainage 2517
ContractWithCustomerAssetNetCurrent 13217
PrepaidExpenseAndOtherAssetsCurrent 33589
DerivativeAssetsCurrent 35609
AssetsCurrent 785097
PropertyPlantAndEquipmentNet 821685
riot:CryptocurrenciesClassifiedAsNonCurrent 605595
Assets 2212377`;

describe('a figure inside the caption of the next line of the assets (M1.24c 3)', () => {
  it('is no line where the side closes without it alone (RIOT 2024-03-31, shortened)', () => {
    const [lines] = linesOf(read(riot, 'assets'));
    expect(lines).toBe(
      'CashAndCashEquivalentsAtCarryingValue AccountsReceivableNetCurrent ContractWithCustomerAssetNetCurrent ' +
        'PrepaidExpenseAndOtherAssetsCurrent DerivativeAssetsCurrent PropertyPlantAndEquipmentNet ' +
        'CryptocurrenciesClassifiedAsNonCurrent',
    );
  });

  it.each([
    ['has another first word', 'riot:ContractAssetsCurrentRetainage', 'riot:Retainage'],
    ['is larger than the next line', 'Retainage 2517', 'Retainage 26434'],
    [
      'does not close the side to the dollar',
      'AccountsReceivableNetCurrent 14185',
      'AccountsReceivableNetCurrent 14184',
    ],
    ['leaves a missing line open', 'DerivativeAssetsCurrent 35609\n', ''],
  ])('stays a line, and the side open, where it %s', (_, from, to) => {
    expect(read(riot.replace(from, to), 'assets').kind).toBe('rejected');
  });
});

describe('the balance sheet by document order (M1.24c)', () => {
  it('finds lines below subtotals and closes on the anchor (FLD 2025-09-30)', () => {
    const side = read(fold);
    expect(linesOf(side)).toEqual([
      'AccountsPayableCurrent AccruedExpensesAndOtherLiabilitiesCurrent OperatingLeaseLiabilityCurrent ' +
        'ContractWithCustomerLiabilityCurrent CustomerRewardsLiability ConvertibleLongTermNotesPayable ' +
        'ConvertibleNotesPayableRelatedPartyNoncurrent OperatingLeaseLiabilityNoncurrent',
    ]);
    if (side.kind !== 'closed') throw new Error(side.reason);
    expect(side).toMatchObject({ anchor: 'us-gaap:Liabilities', isExact: true, isByEquity: false });
    expect(closingSum(side.readings[0]).toString()).toBe('96276871');
    expect(side.readings[0].network.childrenOf('us-gaap:LiabilitiesCurrent')).toHaveLength(5);
  });

  it('leaves out one twin, the same amount under two concepts (BTCS 2025-09-30)', () => {
    const side = read(
      `
CashAndCashEquivalentsAtCarryingValue 4486051
btcs:StableCoins 331633
CryptoAssetFairValueCurrent 2304873
btcs:CryptoAssetsDefi 161703903
btcs:StakedCryptoAssetsCurrencies 129171906
btcs:NonfungibleTokens 191256
PrepaidExpenseCurrent 154702
AssetsCurrent 298344324
InvestmentOwnedAtCost 500000
Investments 500000
PropertyPlantAndEquipmentNet 11028
AssetsNoncurrent 511028
Assets 298855352`,
      'assets',
    );
    const all = linesOf(side);
    expect(all).toHaveLength(1);
    expect(all[0]).not.toContain('InvestmentOwnedAtCost');
    expect(all[0]).toContain('StakedCryptoAssetsCurrencies');
  });

  it('takes liabilities from the total with equity where they are not filed (BTCS 2024-12-31)', () => {
    const side = read(`
AccountsPayableCurrent 60
ConvertibleNotesPayableCurrent 40
LiabilitiesCurrent 100
PreferredStockValue 5
AdditionalPaidInCapital 900
RetainedEarningsAccumulatedDeficit -605
StockholdersEquity 300
LiabilitiesAndStockholdersEquity 400`);
    expect(side).toMatchObject({ kind: 'closed', anchor: 'us-gaap:Liabilities', isByEquity: true });
    expect(linesOf(side)).toEqual(['AccountsPayableCurrent ConvertibleNotesPayableCurrent']);
  });

  it('allows the rounding of the filing at the anchor, and only where nothing closes exactly', () => {
    const rounded = 'AccountsPayableCurrent 60 ~-1\nNotesPayable 31 ~-1\nLiabilities 100 ~-1';
    expect(read(rounded)).toMatchObject({ kind: 'closed', isExact: false });
    expect(read(rounded.replace('31', '29')).kind).toBe('rejected');
    expect(read(rounded.replaceAll('~-1', '~INF')).kind).toBe('rejected');
  });

  it('allows one unit at an anchor that states no rounding', () => {
    expect(read('Deposit 60\nNotesPayable 41\nLiabilities 100 ~INF')).toMatchObject({ isExact: false });
  });

  it('admits lines shown by counterparty when the side closes with them alone (FLD 2024-12-31)', () => {
    const side = read(`
AccountsPayableAndAccruedLiabilitiesCurrent 533197
OtherLiabilitiesCurrent 646451 [RelatedPartyMember]
SalesAndExciseTaxPayableCurrent 1167245
AccruedIncomeTaxesCurrent 49005
NotesPayableCurrent 550000
fldd:DeferredAdvisoryFeeCurrent 1155000
LoansPayableCurrent 5191767 [RelatedPartyMember]
LiabilitiesCurrent 9292665
Liabilities 9292665`);
    if (side.kind !== 'closed') throw new Error(side.reason);
    expect(side.relatedParty.map(({ concept, members }) => `${concept} ${members}`)).toEqual([
      'us-gaap:OtherLiabilitiesCurrent us-gaap:RelatedPartyMember',
      'us-gaap:LoansPayableCurrent us-gaap:RelatedPartyMember',
    ]);
  });

  it('keeps members out where the side closes without them', () => {
    const side = read(`
AccountsPayableCurrent 60
NotesPayableCurrent 40
Liabilities 100
LoansPayableCurrent 5 [RelatedPartyMember]`);
    expect(side).toMatchObject({ kind: 'closed', relatedParty: [] });
  });

  it('shows every reading where the order allows several', () => {
    const side = read('Deposit 40\nNotesPayable 40\nAccruedLiabilitiesCurrent 60\nLiabilities 100');
    expect(linesOf(side)).toEqual(['NotesPayable AccruedLiabilitiesCurrent']);
    const two = read('A 10\nNotesPayable 20\nB 30\nC 30\nLiabilities 60');
    // B as a line, as the twin of C, as the subtotal of what stands before it
    expect(linesOf(two)).toEqual(['B C', 'A NotesPayable C', 'A NotesPayable C']);
  });
});

describe('bad input gives no balance sheet and says why', () => {
  it.each([
    ['a line that is missing', fold.replace('ConvertibleLongTermNotesPayable 21644139\n', '')],
    [
      'a credit line shown negative among the liabilities (GAME 2025-09-30)',
      'A 10\nNotesPayable -4\nB 20\nLiabilities 34',
    ],
    ['facts sorted by name', fold.trim().split('\n').sort().join('\n')],
    ['a known total that does not close', 'A 10\nLiabilitiesCurrent 11\nB 9\nLiabilities 20'],
    ['a period that is shifted by a day', fold.replace('Liabilities 96276871', '')],
  ])('%s', (_, text) => {
    const side = read(text);
    expect(side.kind).not.toBe('closed');
    expect(linesOf(side)).toMatch(/^(rejected|absent): \w/);
  });

  it('a balance sheet that stands twice with other amounts (parent only and consolidated) is blocked', () => {
    const filing = faceStatement(`${fold}\nLiabilities 12951139`);
    expect(linesOf(read(filing))).toMatch(/^absent/);
  });

  it('a currency other than USD has no face', () => {
    const filing = faceStatement(fold);
    const facts = filing.facts.map((stated) => ({ ...stated, unit: 'CNY' }));
    expect(linesOf(read({ ...filing, facts }))).toMatch(/^absent/);
  });

  it('facts without a known order are not read in another', () => {
    const filing = faceStatement(fold);
    const facts = filing.facts.map(({ position, ...stated }) => stated);
    expect(linesOf(read({ ...filing, facts }))).toBe('absent: the order of its facts is not known');
  });

  it('a crafted statement of equal amounts ends at the bound', () => {
    const lines = Array.from({ length: 59 }, (_, i) => `x:Line${i} 1`).join('\n');
    const doubling = Array.from({ length: 40 }, (_, i) => `x:A${i} 1\nx:B${i} 1\nx:C${i} 2`).join('\n');
    expect(read(`${lines}\nLiabilities 1000`).kind).toBe('rejected');
    expect(linesOf(read(`${doubling}\nLiabilities 1000003`))).toMatch(/^rejected/);
  });
});

describe('laws (M15.61)', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 3, maxLength: 12 });

  it('finds again the lines a statement was made of, and every reading adds up', () => {
    fc.assert(
      fc.property(amounts, fc.nat(), (values, at) => {
        const cut = 2 + (at % (values.length - 2));
        const lines = values.map((value, i) => `x:Line${i} ${value}`);
        const current = values.slice(0, cut).reduce((sum, value) => sum + value, 0);
        const total = values.reduce((sum, value) => sum + value, 0);
        const text = [...lines.slice(0, cut), `LiabilitiesCurrent ${current}`, ...lines.slice(cut)];
        const side = read([...text, `Liabilities ${total}`].join('\n'));
        if (side.kind !== 'closed') throw new Error(side.reason);
        expect(linesOf(side)).toContain(values.map((_, i) => `Line${i}`).join(' '));
        for (const reading of side.readings) expect(closingSum(reading).toNumber()).toBe(total);
      }),
    );
  });

  it('permuting the facts in memory changes nothing: the position decides (M15.2)', () => {
    const filing = faceStatement(fold);
    expect(linesOf(read({ ...filing, facts: filing.facts.toReversed() }))).toEqual(linesOf(read(filing)));
  });

  it('a note after the statement changes nothing', () => {
    const filing = faceStatement(fold);
    const note = fact({ concept: 'NotesPayable', value: 21_644_139, position: 99 });
    expect(linesOf(read({ ...filing, facts: [...filing.facts, note] }))).toEqual(linesOf(read(filing)));
  });
});

const prices = priceBook([], parameters);
const asOf = '2025-11-20T07:00:00Z';
const axis = 'us-gaap:PropertyPlantAndEquipmentByTypeAxis';

/** The row of a filing without arcs from lines in document order; `[Solar]` is a member of one axis, `[A B]` of two. */
function row(lines: string) {
  const facts = lines
    .trim()
    .split('\n')
    .map((line, position) => {
      const [, concept = '', value = '', members] = /^(\S+) (\S+)(?: \[(.+)\])?$/.exec(line) ?? [];
      const dimensions = (members?.split(' ') ?? []).map((member, i) => {
        return { axis: `${axis}${i === 0 ? '' : i}`, member: `x:${member}Member`, typed: false };
      });
      return fact({ concept, value, position, dimensions });
    });
  const xbrl = statementFiling('', { facts, arcs: [], roles: [], concepts: [] });
  const context = { sourceDate: '2025-11-19', asOf, prices, parameters, backfilled: false };
  const { stress } = computeIssuer(issuerInputs({ xbrl }), context);
  const notes = stress.data_quality_notes?.filter((note) => /^(member_line|crypto_unproven)/.test(note));
  return [stress.total_crypto_fair_value.toString(), stress.figures_basis, ...(notes ?? [])];
}

const solar = 'x:LeasedAssetsNet 523 [Solar]';
const face = (lines: string, notes = '') => `
Cash 1640
PropertyPlantAndEquipmentNet 2973
${lines}
x:DigitalAssetsNetNonCurrent 18
Assets 5154
AccountsPayableCurrent 1000
Liabilities 1000
StockholdersEquity 4154
LiabilitiesAndStockholdersEquity 5154${notes}`;

describe('one gap of the assets (M1.24c 8)', () => {
  it('is filled by the only line with a single member that closes the side exactly', () => {
    expect(row(face(solar))).toEqual(['18', 'resolved', 'member_line:x:LeasedAssetsNet']);
    // the same fact again in the notes is the same line
    expect(row(face(solar, `\n${solar}`))).toEqual(['18', 'resolved', 'member_line:x:LeasedAssetsNet']);
    // other members before the total that do not fill it
    expect(row(face(`${solar}\nx:LeasedAssetsNet 400 [Vehicles]`))[1]).toBe('resolved');
  });

  it('may be a line of coins', () => {
    const lines = 'x:LeasedAssetsNet 541\nx:BitcoinHeld 2000 [Bitcoin]';
    const found = row(
      face(lines)
        .replace('5154\nAcc', '7172\nAcc')
        .replace(/4154/g, '6172')
        .replace('Equity 5154', 'Equity 7172'),
    );
    expect(found).toEqual(['2018', 'resolved', 'member_line:x:BitcoinHeld']);
  });

  it.each([
    ['a gap that nothing fills', 'x:LeasedAssetsNet 522 [Solar]'],
    ['two members for it', `${solar}\nx:OtherLeased 523 [Vehicles]`],
    ['a fact with two members', 'x:LeasedAssetsNet 523 [Solar East]'],
    ['two gaps', 'x:LeasedAssetsNet 500 [Solar]\nx:OtherLeased 23 [Vehicles]'],
    ['a line that the whole entity has too', `x:LeasedAssetsNet 5\n${solar}`],
  ])('stays open with %s, and the coin line is the proven part', (_, lines) => {
    expect(row(face(lines))).toEqual(['18', 'crypto_unproven', 'crypto_unproven:18']);
  });

  it('stays open where the fact stands after the total or the notes have its amount for another thing', () => {
    expect(row(face('x:Zero 0', `\n${solar}`))[1]).toBe('crypto_unproven');
    expect(row(face(solar, '\nx:Collateral 523 [Lender]'))[1]).toBe('crypto_unproven');
  });

  it('stays open where more than twelve members stand before the total', () => {
    const many = Array.from({ length: 12 }, (_, i) => `x:Part${i} ${i + 7} [P${i}]`).join('\n');
    expect(row(face(`${many}\n${solar}`))[1]).toBe('crypto_unproven');
  });

  it('is no matter where the side adds up without it', () => {
    expect(row(face(`x:LeasedAssetsNet 523\nx:Inside 523 [Solar]`))).toEqual(['18', 'resolved']);
  });
});
