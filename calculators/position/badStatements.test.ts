import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { faceStatement } from '../../fixtures/builders/faceStatement.ts';
import { filedFact, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import type { InstanceFact, XbrlFiling } from '../filing/xbrlFiling.ts';
import { priceBook } from '../prices/priceBook.ts';

const parameters = registryParameters;

/** FLD 2025-09-30: three quarters of its debt lie under a name of its own, which only the order of lines proves. */
const fold = faceStatement(`
fld:DigitalAssetsCurrent 9295587
OtherAssetsCurrent 9704413
AssetsCurrent 19000000
fld:DigitalAssetsNoncurrent 170392495
OtherAssetsNoncurrent 1000000
Assets 190392495
AccountsPayableCurrent 632943
fld:AccruedExpensesAndOtherLiabilitiesCurrent 1896003
OperatingLeaseLiabilityCurrent 220190
ContractWithCustomerLiabilityCurrent 906416
fld:CustomerRewardsLiability 9295587
LiabilitiesCurrent 12951139
ConvertibleLongTermNotesPayable 21644139
fld:ConvertibleNotesPayableRelatedPartyNoncurrent 60750183
OperatingLeaseLiabilityNoncurrent 931410
Liabilities 96276871
StockholdersEquity 94115624
LiabilitiesAndStockholdersEquity 190392495
CryptoAssetFairValue 179688082`);

function published(change: (facts: readonly InstanceFact[]) => readonly InstanceFact[]) {
  const xbrl: XbrlFiling = { ...fold, facts: change(fold.facts) };
  const { stress, trail } = computeIssuer(issuerInputs({ xbrl }), {
    sourceDate: '2025-11-14',
    asOf: '2025-11-14T23:00:00Z',
    backfilled: false,
    parameters,
    prices: priceBook([], parameters),
  });
  const [debt] = trail?.ratio.children ?? [];
  return {
    total: String(stress.total_long_term_debt),
    tier: stress.risk_tier,
    basis: stress.figures_basis,
    method: stress.root_resolution_method,
    notes: stress.data_quality_notes,
    reasons: (debt?.rungs ?? []).filter(({ taken }) => !taken).map(({ reason }) => reason),
  };
}

const inOrderOf =
  (compare: (a: InstanceFact, b: InstanceFact) => number) => (facts: readonly InstanceFact[]) =>
    facts.toSorted(compare).map((fact, position) => ({ ...fact, position }));

/** The same statement once more, with the amounts of the parent alone. */
function twice(facts: readonly InstanceFact[]): InstanceFact[] {
  const again = facts.map((fact, i) => ({ ...fact, contextId: 'parent', position: facts.length + i }));
  return [...facts, ...again.map((fact) => ({ ...fact, value: fact.value?.times(fact.value) ?? null }))];
}

/** The filer's own convertible notes, three quarters of its debt, stated otherwise. */
const withOwnNotes = (otherwise: Partial<InstanceFact>) => (facts: readonly InstanceFact[]) =>
  facts.map((fact) =>
    fact.concept === 'fld:ConvertibleNotesPayableRelatedPartyNoncurrent' ? { ...fact, ...otherwise } : fact,
  );

/** A line with an amount inside another: the face would close only without it. */
function withParenthesis(facts: readonly InstanceFact[]): InstanceFact[] {
  const [first] = facts;
  if (first === undefined) return [];
  const at = facts.findIndex(({ concept }) => concept === 'us-gaap:OperatingLeaseLiabilityNoncurrent');
  const inside = { ...first, concept: 'fld:OfWhichRelatedParties', value: ExactDecimal.parse('500000') };
  return [...facts.slice(0, at), inside, ...facts.slice(at)].map((fact, position) => ({ ...fact, position }));
}

describe('a balance sheet that cannot be trusted gives no number of its own', () => {
  it('is HIGH with 82,394,322 of debt as it was filed (FLD 2025-09-30)', () => {
    expect(published((facts) => facts)).toMatchObject({
      total: '82394322',
      basis: 'resolved',
      method: 'face_order',
      tier: 'HIGH',
    });
  });

  it.each([
    ['facts sorted by name', inOrderOf((a, b) => a.concept.localeCompare(b.concept)), /no run of facts/],
    [
      'facts sorted by amount',
      inOrderOf((a, b) => (a.value && b.value ? a.value.compare(b.value) : 0)),
      /no run/,
    ],
    ['a statement that stands twice, parent only and consolidated', twice, /liabilities|total/],
    ['a face that closes only without one line', withParenthesis, /no run of facts/],
    ['one debt line in another currency', withOwnNotes({ unit: 'CNY' }), /no run of facts/],
    ['one debt line a day off', withOwnNotes({ end: '2025-10-01' }), /no run of facts/],
    [
      'every line in another currency',
      (facts: readonly InstanceFact[]) => facts.map((fact) => ({ ...fact, unit: 'CNY' })),
      /./,
    ],
    [
      'every line a day later than the period of the filing',
      (facts: readonly InstanceFact[]) => facts.map((fact) => ({ ...fact, end: '2025-10-01' })),
      /./,
    ],
  ])('%s', (_, change, reason) => {
    const found = published(change);
    expect(found.tier).toBe('UNCLASSIFIED');
    expect(found.basis).toMatch(/unproven/);
    // at most what a standard concept states: never a guess, never a part of the notes
    expect(['0', '21644139']).toContain(found.total);
    expect(found.reasons.join('; ')).toMatch(reason);
  });
});

describe('what companyfacts lack', () => {
  const notes = (inputs: Parameters<typeof issuerInputs>[0]) =>
    computeIssuer(issuerInputs(inputs), {
      sourceDate: '2025-11-14',
      asOf: '2025-11-14T23:00:00Z',
      backfilled: false,
      parameters,
      prices: priceBook([], parameters),
    }).stress.data_quality_notes?.filter((note) => note.startsWith('companyfacts_'));
  const { filing } = issuerInputs({});
  const earlier = [filedFact(filing, { concept: 'Assets', value: 1, end: '2025-06-30' })].map((fact) => ({
    ...fact,
    accession: '0001193125-25-170000',
  }));

  it('is read from the files of the filing, and said where they know others of the issuer (M1.50)', () => {
    expect(notes({ xbrl: fold, supporting: earlier })).toEqual(['companyfacts_behind']);
    // an issuer that companyfacts do not have at all, and a filing that they have
    expect(notes({ xbrl: fold, supporting: [] })).toEqual([]);
    expect(notes({ xbrl: null, supporting: earlier, balance: { Assets: 7 } })).toEqual([]);
  });
});
