import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters as parameters } from '../../fixtures/builders/registryParameters.ts';
import { fact, statementFiling } from '../../fixtures/builders/statementFiling.ts';
import { priceBook } from '../prices/priceBook.ts';

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
