import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import { equityConcepts } from '../fundamentals/conceptPrecedence.ts';
import {
  conceptWords,
  isEquity,
  isStandard,
  isStructural,
  liabilitiesAndEquityConcepts,
  liabilitiesConcepts,
} from '../network/conceptNames.ts';
import { rootValues, signed, topmostRoots } from '../network/networkRoots.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { KnownConcepts } from './classifyDebt.ts';
import type { DebtInputs } from './debtResolution.ts';
import type { DebtWalk, Walked } from './debtWalk.ts';
import { nonDebtLiabilities } from './otherLiabilities.ts';

/**
 * Lines of a walk that were not counted as debt and whose names do not say what else they are (M1.36c), each amount above
 * zero. They enter no total; they say how much more debt there may be. Interest owed counts only where it is more than a
 * year of the debt could bear (M1.37b).
 */
export function unidentifiedLiabilities(
  { network, start, side: { sheet }, roots: counted, grossUps }: Walked,
  { concepts, impliedInterest }: Parameters,
): readonly ExactDecimal[] {
  const debt = new Set(
    counted.flatMap(({ concept, parts }) => [concept, ...parts.map((part) => part.concept)]),
  );
  const isNamed = (concept: string) =>
    grossUps.has(concept) || (isIdentified(concept, concepts) && !mayHoldDebt(concept, concepts));
  const isLine = (concept: string) =>
    debt.has(concept) ||
    isNamed(concept) ||
    (network.childrenOf(concept).length === 0 && !isStructural(concept));
  const lines = topmostRoots({ network, start, skips: isEquity, matches: isLine });
  const roots = lines.roots.filter(({ concept }) => !debt.has(concept) && !isNamed(concept));
  const amounts = rootValues({ network, roots, sheet }).roots.filter((root) => signed(root).sign > 0);
  const interest = amounts.filter(({ concept }) => isInterest(concept, concepts));
  const bearable = sumOf(counted.map(signed)).times(ExactDecimal.fromNumber(impliedInterest.maxRate));
  const isBearable = sumOf(interest.map(signed)).compare(bearable) <= 0;
  return amounts.filter((root) => !isBearable || !interest.includes(root)).map(signed);
}

/** True for a payable or accrual of the filer's own whose name says that it holds something else too. */
function mayHoldDebt(concept: string, { hasWord }: Concepts): boolean {
  const [name = ''] = conceptWords(concept);
  return !isStandard(concept) && hasWord(name, 'payable or accrual') && hasWord(name, 'more than an accrual');
}

/**
 * True for interest that is owed, alone or with payables and accruals, to any lender: not for a loan
 * that has its interest with it.
 */
function isInterest(concept: string, { hasWord }: Concepts): boolean {
  const [whole = ''] = conceptWords(concept);
  const name = whole.replace(/^((accrued)?interest(payable|accrued)?)(on|of|relatedpart)(?!.*and).*$/, '$1');
  const holdsMore = hasWord(name, 'more than an accrual') || hasWord(name, 'more than interest');
  return hasWord(name, 'payable or accrual') && hasWord(name, 'interest owed') && !holdsMore;
}

/**
 * The sum of identified non-debt lines under the start of a walk (M1.37), each once; of an unreported line the
 * facts below it.
 */
export function identifiedLiabilities(
  { network, start }: Walked,
  sheet: FactSheet,
  concepts: Concepts,
): ExactDecimal {
  const { roots } = topmostRoots({ network, start, matches: (concept) => isIdentified(concept, concepts) });
  return sumOf(rootValues({ network, roots, sheet }).roots.map(signed));
}

/**
 * What the filed liabilities hold beyond a debt of single facts and what is identified as no debt (M1.36e): by standard
 * facts and the filer's own balances, or by the lines of a walk that does not decide. Nothing where these are more than
 * the liabilities leave (they overlap), or where it is less than the debt itself.
 */
export function unexplainedLiabilities(
  { sheet, networks, parameters }: DebtInputs,
  debt: ExactDecimal,
  walk: DebtWalk,
): ExactDecimal {
  const { concepts } = parameters;
  const liabilities = sheet.firstAmount(liabilitiesConcepts) ?? belowEquity(sheet);
  if (liabilities === null) return ExactDecimal.zero;
  const own = ownBalances(sheet).filter((concept) =>
    isOwnLiability(concept, { declarations: networks.declarations, concepts }),
  );
  const identified = [
    sumOf([nonDebtLiabilities(sheet, concepts), ...own.flatMap((concept) => sheet.positive(concept) ?? [])]),
    ...(walk.kind === 'walked' ? [identifiedLiabilities(walk, sheet, concepts)] : []),
  ];
  const rests = identified.map((lines) => liabilities.minus(debt).minus(lines));
  const [least = ExactDecimal.zero] = rests.sort((a, b) => a.compare(b));
  // smaller than the debt it is the untagged rest of every balance sheet (MSTR 2020-12-31: 67.7 M beside 486.4 M)
  return least.compare(debt) > 0 ? least : ExactDecimal.zero;
}

/** What the total with equity leaves above equity, noncontrolling and redeemable interests; null without both. */
function belowEquity(sheet: FactSheet): ExactDecimal | null {
  const [total, equity] = [sheet.firstAmount(liabilitiesAndEquityConcepts), sheet.firstAmount(allEquity)];
  if (total === null || equity === null) return null;
  const others = sheet.facts.filter(
    ({ taxonomy, concept, start, end }) =>
      taxonomy === 'us-gaap' && start === null && end === sheet.period && besideEquity.test(concept),
  );
  const beside = new Set(others.map(qualifiedName));
  return total.minus(equity).minus(sumOf([...beside].flatMap((concept) => sheet.positive(concept) ?? [])));
}

const allEquity = [
  'us-gaap:StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest',
  ...equityConcepts,
];
const besideEquity = /^(TemporaryEquityCarryingAmount|RedeemableNoncontrollingInterestEquityCarryingAmount)/;

function ownBalances(sheet: FactSheet): readonly string[] {
  const balances = sheet.facts.filter(({ start, end }) => start === null && end === sheet.period);
  return [...new Set(balances.map(qualifiedName))].filter((concept) => !isStandard(concept));
}

/** True for a balance of the filer's own that is identified as no debt; undeclared, its name must not speak of an asset. */
function isOwnLiability(concept: string, { declarations, concepts }: KnownConcepts): boolean {
  const [name = ''] = conceptWords(concept);
  const balance = declarations.get(concept)?.balance;
  const isOwed =
    balance === undefined ? !/asset|receivable|deposit|prepaid|disclosure/.test(name) : balance === 'credit';
  return isOwed && isIdentified(concept, concepts) && !mayHoldDebt(concept, concepts);
}

/** True for a name that is surely no debt: what it is stands in it. "Other", related-party and interest lines are not identified. */
function isIdentified(concept: string, { hasWord }: Concepts): boolean {
  const [name = ''] = conceptWords(concept);
  const kind = name.replace(/^(non)?current/, '');
  return hasWord(kind, 'other liability') && !hasWord(name, 'may be debt');
}
