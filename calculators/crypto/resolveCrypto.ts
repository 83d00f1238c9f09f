import type { ExactDecimal } from '../../contract/exactDecimal.ts';
import { exceeds } from '../closeTo.ts';
import { compareText } from '../compareText.ts';
import { isStandard } from '../debt/classifyDebt.ts';
import { type FactSheet, qualifiedName } from '../factSheet.ts';
import { tieBreak } from '../network/balanceSheetNetwork.ts';
import type { FilingNetworks } from '../network/filingNetworks.ts';
import type { Parameters } from '../parameters.ts';
import type { PriceBook } from '../priceBook.ts';
import type { TrailFact, TrailRoot, TrailRung } from '../resolutionTrail.ts';
import type { FiledFact, Issuer } from '../rows.ts';
import { trailFact, trailSources } from '../trailFact.ts';
import { isPledgedReceivable } from './classifyCoins.ts';
import type { CoinFact, CoinFacts } from './coinFacts.ts';
import { type CoinsWalk, coinsWalk } from './coinsWalk.ts';
import { cryptoDictionary, intangibleCoins } from './cryptoDictionary.ts';
import { type CryptoHoldings, noHoldings } from './cryptoHoldings.ts';
import { fairValueTotal } from './fairValueTotals.ts';
import { adoptedFairValue } from './fiscalYearStart.ts';
import { adoptionDateValue, coinsAmongIntangibles, unitsAtClose } from './intangibleCoins.ts';
import { unprovenCoins } from './unprovenCoins.ts';

export type CryptoInputs = {
  readonly issuer: Issuer;
  readonly sheet: FactSheet;
  /** Facts of later filings known on the slice's date, for the adoption-date value (M2.6 a). */
  readonly supporting: readonly FiledFact[];
  readonly networks: FilingNetworks;
  /** Coin figures of the instance; null when it is not at hand. */
  readonly facts: CoinFacts | null;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
};

/** Resolves coins: the walk of the assets side, the fair-value tags, the intangible line (M2.3–M2.6). */
export function resolveCrypto(o: CryptoInputs): CryptoHoldings {
  const { sheet, parameters } = o;
  const intangibles = coinsAmongIntangibles(o.issuer, sheet, parameters);
  const walk = coinsWalk({
    ...{ networks: o.networks, sheet },
    intangibles: intangibles === null ? null : intangibleCoins,
  });
  if (walk.kind === 'walked') return walkedHoldings(o, walk);
  const notWalked: TrailRung = { rung: 'assets_walk', taken: false, reason: walk.reason };
  const found = taggedHoldings(o, intangibles);
  const doubt = o.facts === null ? null : unprovenCoins(sheet, found.amount, parameters);
  const isDoubted =
    doubt !== null && exceeds(found.amount.plus(doubt), found.amount, parameters.cryptoDisagreement);
  return {
    ...found,
    disagreement: found.disagreement || isDoubted,
    notes: pledgedNotes(sheet),
    rungs: [notWalked, ...found.rungs],
  };
}

/** Coins of the network; before adoption they are a lower bound unless M2.6 gives a fair value. */
function walkedHoldings(o: CryptoInputs, walk: Extract<CoinsWalk, { kind: 'walked' }>): CryptoHoldings {
  const { sheet } = o;
  const held = walk.roots.filter((root) => root.value.sign > 0);
  const holdings: CryptoHoldings = {
    ...noHoldings,
    amount: walk.total,
    carried: walk.total,
    measurement: 'fair_value',
    isNetworkBacked: true,
    extensionRoots: walk.roots
      .filter((root) => root.isExtension)
      .map((root) => root.concept)
      .sort(compareText),
    rootedConcepts: held.map((root) => root.concept),
    notes: walk.notes,
    rungs: [
      {
        ...{ rung: 'assets_walk', taken: true },
        reason: `${walk.roots.length} roots add up to ${walk.total}${tieBreak(walk.signal)}`,
      },
    ],
    roots: walk.roots.map((root) => {
      const { bucket, concept, value, weight, parent, role, reason } = root;
      return {
        ...{ kind: 'root', bucket, concept, value, weight, parent, role, reason, rung: 'assets_walk' },
        children: trailSources(sheet, root),
      };
    }),
  };
  const isTaggedAtFairValue = cryptoDictionary.some(
    (concept) => concept.includes('FairValue') && sheet.reports(concept),
  );
  if (isTaggedAtFairValue || adoptedFairValue(sheet, o.parameters)) {
    return holdings;
  }
  const isIntangible = held.length === 1 && held[0]?.concept === intangibleCoins;
  return isIntangible ? beforeAdoption(o, holdings) : { ...holdings, measurement: 'carrying_lower_bound' };
}

/** The ladder without a network (M2.4–M2.6). */
function taggedHoldings(o: CryptoInputs, intangibles: ExactDecimal | null): CryptoHoldings {
  const { sheet, parameters } = o;
  const fair = fairValueTotal(sheet, parameters);
  if (fair !== null) {
    return {
      ...noHoldings,
      amount: fair.amount,
      carried: fair.amount,
      measurement: 'fair_value',
      disagreement: fair.disagreement,
      rungs: [
        { rung: 'fair_value_tags', taken: true, reason: `${fair.concepts.join(' + ')} = ${fair.amount}` },
      ],
      roots: fair.concepts.flatMap((concept) => tagRoot(sheet, concept, 'fair_value_tags')),
    };
  }
  const noTags: TrailRung = { rung: 'fair_value_tags', taken: false, reason: 'no fair-value tag is filed' };
  if (intangibles === null) {
    const reason = 'no intangible line that M2.6 reads as coins';
    return { ...noHoldings, rungs: [noTags, { rung: 'intangible_line', taken: false, reason }] };
  }
  const holdings: CryptoHoldings = {
    ...noHoldings,
    amount: intangibles,
    carried: intangibles,
    measurement: 'fair_value',
    rungs: [noTags, { rung: 'intangible_line', taken: true, reason: `${intangibleCoins} = ${intangibles}` }],
    roots: tagRoot(sheet, intangibleCoins, 'intangible_line'),
  };
  return adoptedFairValue(sheet, parameters) ? holdings : beforeAdoption(o, holdings);
}

/** Coins at cost less impairment: the adoption-date value, units at the close, else the lower bound (M2.6). */
function beforeAdoption(o: CryptoInputs, holdings: CryptoHoldings): CryptoHoldings {
  const { sheet, facts, prices, parameters } = o;
  const adopted = adoptionDateValue(sheet, o.supporting);
  if (adopted !== null) {
    const reason = `fair value dated ${adopted.fact.end}, filed ${adopted.fact.filed}`;
    return {
      ...holdings,
      amount: adopted.value,
      rungs: [...holdings.rungs, { rung: 'adoption_date_value', taken: true, reason }],
      roots: holdings.roots.map(
        (root): TrailRoot => ({
          ...{ ...root, value: adopted.value, rung: 'adoption_date_value', reason },
          children: [rowFact(adopted.fact)],
        }),
      ),
    };
  }
  const none: TrailRung = {
    ...{ rung: 'adoption_date_value', taken: false },
    reason: 'no fact dated the day after the period is known by now',
  };
  const units = unitsAtClose({
    ...{ carried: holdings.carried, asset: o.issuer.primaryAsset, facts, prices, parameters },
    period: sheet.period,
  });
  if (units === null) {
    const reason = 'no quantity of the instance agrees with the carrying value';
    return {
      ...holdings,
      measurement: 'carrying_lower_bound',
      rungs: [...holdings.rungs, none, { rung: 'units_at_close', taken: false, reason }],
    };
  }
  const reason = `${units.coins} ${units.price.asset} at ${units.price.close}`;
  return {
    ...holdings,
    amount: units.value,
    measurement: 'units_at_close',
    rungs: [...holdings.rungs, none, { rung: 'units_at_close', taken: true, reason }],
    roots: holdings.roots.map(
      (root): TrailRoot => ({
        ...{ ...root, value: units.value, rung: 'units_at_close', reason },
        children: [quantityFact(units.quantity, root.children), units.price],
      }),
    ),
  };
}

/** `pledged_receivable` by the filer's own balances, where no network shows them (M2.2). */
function pledgedNotes(sheet: FactSheet): string[] {
  const own = sheet.facts.filter(
    ({ unit, start, end }) => unit === 'USD' && start === null && end === sheet.period,
  );
  const isPledged = own
    .map(qualifiedName)
    .some(
      (concept) => !isStandard(concept) && isPledgedReceivable(concept) && sheet.positive(concept) !== null,
    );
  return isPledged ? ['pledged_receivable'] : [];
}

function tagRoot(sheet: FactSheet, concept: string, rung: string): TrailRoot[] {
  const value = sheet.amount(concept);
  const fact = trailFact(sheet, concept, 1);
  if (value === null || fact === null) return [];
  return [
    {
      ...{ kind: 'root', bucket: 'T', concept, value, weight: 1, parent: null, role: null, rung },
      ...{ reason: 'dictionary', children: [fact] },
    },
  ];
}

function rowFact(fact: FiledFact): TrailFact {
  const { unit, start, end, value, accession } = fact;
  return {
    ...{ kind: 'fact', concept: qualifiedName(fact), value, weight: 1, unit, start, end, accession },
    ...{ context: null, dimensions: [], decimals: null, origin: 'companyfacts' },
  };
}

/** The quantity, filed in the same accession as the line it values. */
function quantityFact({ concept, value, unit, fact }: CoinFact, line: TrailRoot['children']): TrailFact {
  const { contextId, start, end, dimensions, decimals } = fact;
  const accession = line.find((source) => source.kind === 'fact')?.accession ?? '';
  return {
    ...{ kind: 'fact', concept, value, weight: 1, unit, start, end, accession },
    ...{ context: contextId, dimensions, decimals, origin: 'instance' },
  };
}
