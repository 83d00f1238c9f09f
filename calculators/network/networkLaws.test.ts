import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { goldenCloses } from '../../fixtures/builders/goldenIssuers.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { arc, declaration, fact, statementFiling } from '../../fixtures/builders/statementFiling.ts';
import type { CalculationArc, InstanceFact, XbrlFiling } from '../filing/xbrlFiling.ts';
import { priceBook } from '../prices/priceBook.ts';
import { calculationNetworks } from './calculationNetwork.ts';

const parameters = registryParameters;
const prices = priceBook(goldenCloses, parameters);

function compute(xbrl: XbrlFiling) {
  const context = { sourceDate: '2026-02-07', asOf: '2026-02-07T07:12:40Z', prices, parameters };
  return computeIssuer(issuerInputs({ xbrl }), { ...context, backfilled: false });
}

const balanceSheet = statementFiling(`
Assets 10000
  AssetsCurrent 4000
    CryptoAssetFairValueCurrent 2500
    x:DigitalAssetsPledged 500
LiabilitiesAndStockholdersEquity 10000
  Liabilities 5000
    LiabilitiesCurrent 1500
      NotesPayableCurrent 300
      x:BridgeLoans 200
      AccountsPayableCurrent 1000
    LongTermDebtNoncurrent 1000
    x:VendorFinancing
      SecuredDebt 400
      x:PromissoryNotes 100`);

const dictionary = ['NotesPayableCurrent', 'LoansPayableCurrent', 'LongTermDebtNoncurrent', 'SecuredDebt'];
const names = [
  ...['Liabilities', 'LiabilitiesCurrent', 'AccountsPayableCurrent', ...dictionary].map(
    (n) => `us-gaap:${n}`,
  ),
  ...['x:BridgeLoans', 'x:Obligations', 'x:Warrants', 'x:PromissoryNotes'],
];

/** Any graph over a few concepts, cyclic ones and wrong weights included, with any facts. */
const anyFiling = fc
  .record({
    arcs: fc.array(
      fc.record({
        from: fc.constantFrom('us-gaap:LiabilitiesAndStockholdersEquity', ...names),
        to: fc.constantFrom(...names),
        weight: fc.constantFrom('1', '1', '1', '1', '1', '-1', '2'),
        order: fc.nat({ max: 5 }),
      }),
      { maxLength: 16 },
    ),
    facts: fc.array(
      fc.record({
        concept: fc.constantFrom(...names),
        value: fc.oneof(
          { weight: 6, arbitrary: fc.nat({ max: 1000 }) },
          { weight: 1, arbitrary: fc.constant('nil') },
        ),
        decimals: fc.constantFrom(0, -1, 'INF' as const),
      }),
      { maxLength: 12 },
    ),
  })
  .map(
    ({ arcs, facts }): XbrlFiling => ({
      ...balanceSheet,
      arcs: [
        arc({ from: 'us-gaap:LiabilitiesAndStockholdersEquity', to: 'us-gaap:Liabilities' }),
        ...arcs.map(arc),
      ],
      facts: [
        fact({ concept: 'LiabilitiesAndStockholdersEquity', value: 100_000 }),
        fact({ concept: 'CryptoAssetFairValue', value: 5_000 }),
        ...facts.map((given) => fact(given)),
      ],
      concepts: names.filter((name) => name.startsWith('x:')).map((name) => declaration(name)),
    }),
  );

const shuffled = <T>(items: readonly T[], keys: readonly number[]) =>
  items
    .map((item, i) => ({ item, key: keys[i % Math.max(keys.length, 1)] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

describe('laws of the network', () => {
  it('the order of facts and arcs never matters, nor do repeated arcs (M15.2, M15.8)', () => {
    fc.assert(
      fc.property(
        anyFiling,
        fc.array(fc.double({ noNaN: true }), { minLength: 40, maxLength: 40 }),
        (filing, keys) => {
          const other = {
            ...filing,
            facts: shuffled(filing.facts, keys),
            arcs: shuffled([...filing.arcs, ...filing.arcs], keys.toReversed()),
            concepts: shuffled(filing.concepts, keys),
          };
          expect(compute(other)).toEqual(compute(filing));
        },
      ),
    );
  });

  it('roots add up to the total; none lies below another; no fact is counted twice (M15.5, M15.7)', () => {
    fc.assert(
      fc.property(anyFiling, (filing) => {
        const { stress, trail } = compute(filing);
        const debt = trail?.ratio.children[0];
        const roots = debt?.children ?? [];
        const sum = roots.reduce(
          (added, { value, weight }) => (weight === 1 ? added.plus(value) : added.minus(value)),
          ExactDecimal.zero,
        );
        const isNetwork = stress.is_linkbase_backed;
        const total = exact(stress.total_long_term_debt);
        const parts = exact(stress.current_debt).plus(exact(stress.noncurrent_debt));
        expect(parts.toString()).toBe(total.toString());
        // an unproven debt is published as its proven part, which may be above zero (M3.3c)
        const isProven = stress.debt_coverage_status !== 'low_confidence_missing_debt';
        if (isProven) expect(total.sign > 0).toBe(stress.debt_coverage_status === 'resolved_nonzero');
        else expect(total.sign).toBeGreaterThanOrEqual(0);
        if (!isNetwork) return;
        expect(sum.toString()).toBe(stress.total_long_term_debt.toString());
        expect(stress.calculation_arc_count).toBeGreaterThan(0);
        const concepts = roots.map((root) => root.concept);
        expect(new Set(concepts).size).toBe(concepts.length);
        // concepts filed as zero are evidence for no debt, each by itself; they add nothing to one another
        const counted = roots.filter((root) => root.value.sign !== 0).map((root) => root.concept);
        const below = strictlyBelow(filing.arcs, counted);
        expect(counted.filter((concept) => below.has(concept))).toEqual([]);
        const facts = roots.flatMap((root) =>
          root.children.flatMap((child) => (child.kind === 'sum' ? child.children : [child])),
        );
        const read = facts.flatMap((source) => (source.kind === 'fact' ? [source.concept] : []));
        expect(new Set(read).size).toBe(read.length);
      }),
      { numRuns: 300 },
    );
  });

  it('the same for the balance sheet that resolves in full', () => {
    const { stress } = compute(balanceSheet);
    expect(stress.total_long_term_debt.toString()).toBe('2000');
    expect(stress.total_crypto_fair_value.toString()).toBe('3000');
    expect(stress.data_source).toBe('linkbase_rollup');
    expect(stress.extension_root_concepts).toEqual(['x:BridgeLoans', 'x:DigitalAssetsPledged']);
  });

  it('scaling all amounts scales totals and leaves ratios, labels and grades (M15.20)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 6 }), (factor) => {
        const by = ExactDecimal.parse(String(factor));
        const facts = balanceSheet.facts.map((given) => ({
          ...given,
          value: given.value?.times(by) ?? null,
          decimals: 'INF' as const,
        }));
        const unscaled = balanceSheet.facts.map((given) => ({ ...given, decimals: 'INF' as const }));
        const [one, many] = [
          compute({ ...balanceSheet, facts: unscaled }).stress,
          compute({ ...balanceSheet, facts }).stress,
        ];
        expect(many.total_long_term_debt.toString()).toBe(
          exact(one.total_long_term_debt).times(by).toString(),
        );
        expect(many.total_crypto_fair_value.toString()).toBe(
          exact(one.total_crypto_fair_value).times(by).toString(),
        );
        for (const member of [
          'stress_50pct',
          'risk_tier',
          'quality_flag',
          'core_tier',
          'data_source',
        ] as const) {
          expect(many[member]).toBe(one[member]);
        }
      }),
    );
  });

  it('an unrelated subtree changes nothing (M15.8)', () => {
    const unrelated = fc.array(
      fc.record({
        from: fc.constantFrom('x:A', 'x:B', 'x:C', 'us-gaap:InventoryNet'),
        to: fc.constantFrom('x:D', 'x:E', 'x:F'),
      }),
      { maxLength: 8 },
    );
    const plain = compute(balanceSheet).stress;
    fc.assert(
      fc.property(unrelated, fc.boolean(), (pairs, isOwnRole) => {
        const role = isOwnRole ? 'http://example.com/role/Note' : balanceSheet.roles[0]?.uri;
        const arcs = pairs.map((pair) => arc({ ...pair, ...(role === undefined ? {} : { role }) }));
        const facts: InstanceFact[] = ['x:D', 'x:E', 'x:F'].map((concept) => fact({ concept, value: 3 }));
        const { calculation_arc_count: count, ...stress } = compute({
          ...balanceSheet,
          arcs: [...balanceSheet.arcs, ...arcs],
          facts: [...balanceSheet.facts, ...facts],
        }).stress;
        const { calculation_arc_count: before, ...rest } = plain;
        expect(stress).toEqual(rest);
        expect(count).toBe(before + new Set(pairs.map(({ from, to }) => `${from} ${to}`)).size);
      }),
    );
  });

  it('face, fair-value, maturity, repayment, customer and dimensioned facts change no total (M15.10, M15.15)', () => {
    const concepts = [
      ...['DebtInstrumentFaceAmount', 'LongTermDebtFairValue', 'ConvertibleDebtFairValueDisclosures'],
      ...['LongTermDebtMaturitiesRepaymentsOfPrincipalInYearTwo', 'RepaymentsOfDebt'],
      ...[
        'srt:SafeguardingLiabilityPlatformOperatorCryptoAsset',
        'srt:PlatformOperatorCryptoAssetHeldForUser',
      ],
    ];
    const member = { axis: 'us-gaap:DebtInstrumentAxis', member: 'x:NoteMember', typed: false };
    const plain = compute(balanceSheet).stress;
    fc.assert(
      fc.property(
        fc.constantFrom(...concepts),
        fc.nat({ max: 10 ** 9 }),
        fc.boolean(),
        (concept, value, isMember) => {
          const added = isMember
            ? fact({ concept: 'LongTermDebtNoncurrent', value, dimensions: [member] })
            : fact({ concept, value });
          const { stress } = compute({ ...balanceSheet, facts: [...balanceSheet.facts, added] });
          expect(stress.total_long_term_debt.toString()).toBe(plain.total_long_term_debt.toString());
          expect(stress.total_crypto_fair_value.toString()).toBe(plain.total_crypto_fair_value.toString());
          expect(stress.root_resolution_details).toEqual(plain.root_resolution_details);
        },
      ),
    );
  });

  it('gives every concept of an acyclic role once, parents first, and rejects the rest', () => {
    fc.assert(
      fc.property(anyFiling, ({ arcs }) => {
        const { networks, rejected } = calculationNetworks(arcs);
        expect(networks.length + rejected.length).toBe(1);
        for (const { concepts, childrenOf } of networks) {
          const place = new Map(concepts.map((concept, i) => [concept, i]));
          expect(place.size).toBe(concepts.length);
          for (const concept of concepts) {
            for (const { child } of childrenOf(concept)) {
              expect(place.get(child) ?? -1).toBeGreaterThan(place.get(concept) ?? 0);
            }
          }
        }
      }),
    );
  });
});

function exact(amount: number | ExactDecimal | undefined): ExactDecimal {
  return amount instanceof ExactDecimal ? amount : ExactDecimal.fromNumber(amount ?? Number.NaN);
}

function strictlyBelow(arcs: readonly CalculationArc[], concepts: readonly string[]): ReadonlySet<string> {
  const below = new Set<string>();
  const open = [...concepts];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { from, to } of arcs) {
      if (from !== next || below.has(to)) continue;
      below.add(to);
      open.push(to);
    }
  }
  return below;
}
