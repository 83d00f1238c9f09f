import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { filedReporting } from '../age/nextReport.ts';
import { filedOrFault, type PositionCapital } from '../capital/capital.ts';
import { resolveCapital } from '../capital/resolveCapital.ts';
import { coinFacts, unknownCoinConcepts } from '../crypto/coinFacts.ts';
import { areKindsUnknown, type CoinKinds, coinKinds } from '../crypto/coinKinds.ts';
import { coinsAtTheEdge, coinsForTier } from '../crypto/coinsForTier.ts';
import { type CryptoHoldings, noHoldings } from '../crypto/cryptoHoldings.ts';
import { type CryptoUnits, cryptoUnits } from '../crypto/cryptoUnits.ts';
import { fiscalYearStart } from '../crypto/fairValues.ts';
import { resolveCrypto } from '../crypto/resolveCrypto.ts';
import { type DebtInputs, type DebtResolution, unresolvedDebt } from '../debt/debtResolution.ts';
import { institutionDebt, isFinancialInstitution } from '../debt/financialInstitution.ts';
import { provenDebt } from '../debt/provenDebt.ts';
import { resolveDebt } from '../debt/resolveDebt.ts';
import { faceOrder } from '../faceOrder/faceOrder.ts';
import type { Facilities } from '../facilities/facility.ts';
import { resolveFacilities } from '../facilities/resolveFacilities.ts';
import { type FactSheet, factSheet, qualifiedName } from '../filing/factSheet.ts';
import { availableFiling, contradictions, type FilingFault, filingFaults } from '../filing/filingSource.ts';
import type { FiledFact, Filing, Issuer, IssuerInputs } from '../filing/rows.ts';
import type { Reporting, XbrlFiling } from '../filing/xbrlFiling.ts';
import { equityConcepts, instantConcepts } from '../fundamentals/conceptPrecedence.ts';
import { type FiledFundamentals, filedFundamentals } from '../fundamentals/filedFundamentals.ts';
import {
  assetsConcepts,
  currentLiabilitiesConcepts,
  isStructural,
  liabilitiesAndEquityConcepts,
} from '../network/conceptNames.ts';
import { type FilingNetworks, filingNetworks } from '../network/filingNetworks.ts';
import { type Concepts, conceptsOfIssuer } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { CoinMix } from '../prices/coinMix.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import { type FaceCalculation, faceCalculation } from '../quality/faceCalculation.ts';
import { equalsCustomerCoins, hasAnomalousCoins, hasUnsettledUnits } from '../quality/qualityFlag.ts';
import { type LiquidFunds, liquidFunds } from '../relevance/treasuryRelevance.ts';

/**
 * An issuer's debt, coins and balance sheet by one filing.
 *
 * Plain members and {@link ExactDecimal} only, so a position can be stored and read back. It is a function of
 * - the issuer's row of the universe (`primaryAsset` decides the mix without a split),
 * - the filing in force with its facts, its own files, and the supporting facts known on the slice's date,
 * - the closes of the period end and the days of the lookback before it,
 * - the parameters;
 * not of other issuers, and not of the slice's date otherwise: age, live closes and every cross-section come later,
 * in `gradePosition` and `composeSlice`.
 */
export type IssuerPosition = {
  readonly issuer: Issuer;
  readonly filing: Filing;
  readonly debt: DebtResolution;
  readonly holdings: CryptoHoldings;
  readonly units: CryptoUnits;
  readonly mix: CoinMix;
  readonly calculation: FaceCalculation;
  readonly balance: BalanceFigures;
  /** Cash and short-term investments (M3.26). */
  readonly liquid: LiquidFunds;
  readonly treasury: {
    /** M2.14, but for the clause that itself asks for quality Low. */
    readonly isAnomalous: boolean;
    readonly hasUnsettledUnits: boolean;
    readonly equalsCustomerCoins: boolean;
  };
  /** What the filing says of its filer's reporting, for the day the next report is due (M1.60). */
  readonly reporting: Reporting;
  readonly calculationArcCount: number;
  /** The project wrote the arcs, not the filer (M1.46). */
  readonly arcsAuthored: boolean;
  readonly mappingHitCount: number;
  readonly hasBlockedConcept: boolean;
  /** The filing's files, a newer filing's, or companyfacts against them are damaged (M1.10b, M1.44c): quality Low. */
  readonly isFilingDamaged: boolean;
  readonly fundamentals: FiledFundamentals;
  /** Loans secured by coins; nothing else here depends on them (M15.70). */
  readonly facilities: Facilities;
  /** What makes up the capital; nothing else here depends on it, nor on a fault of it (M18.80, M18.92). */
  readonly capital: PositionCapital;
  /** The notes of M13.3 that follow from the filing alone, each once, sorted. */
  readonly notes: readonly string[];
};

/** Resolves one issuer from the filing in force, reading nothing filed after `sourceDate` (M10.2). */
export function positionIssuer(
  inputs: IssuerInputs,
  {
    sourceDate,
    prices,
    parameters: general,
  }: { readonly sourceDate: string; readonly prices: PriceBook; readonly parameters: Parameters },
): IssuerPosition {
  const { issuer, filing } = inputs;
  const parameters = { ...general, concepts: conceptsOfIssuer(general.concepts, issuer.primaryAsset) };
  const sheet = factSheet(inputs, sourceDate);
  const supporting = inputs.supporting.filter((fact) => fact.filed <= sourceDate);
  const xbrl = availableFiling(inputs);
  const faults = filingFaults(inputs);
  const figures = figureConcepts(parameters.concepts);
  const contradicted = contradictions(inputs, {
    sourceDate,
    isFigure: (concept) => figures.has(concept) || isStructural(concept),
  });
  const networks = filingNetworks(xbrl, sheet);
  const face = faceOrder({ filing: xbrl, sheet, bounds: parameters.faceOrder });
  const facts =
    xbrl === null ? null : coinFacts(xbrl, { period: filing.period, concepts: parameters.concepts });
  const debtInputs = { sheet, activity: supporting, parameters, networks, face, filing: xbrl };
  const cryptoInputs = { issuer, sheet, supporting, networks, face, facts, prices, parameters, filing: xbrl };
  const currency = foreignCurrency(sheet);
  const [found, coins] =
    currency === null
      ? [debtOf(issuer, debtInputs), resolveCrypto(cryptoInputs)]
      : inForeignCurrency(currency);
  const edge = coinsAtTheEdge({ sheet, filing: xbrl, holdings: coins, concepts: parameters.concepts });
  const assets = sheet.firstAmount(instantConcepts.total_assets);
  const holdings = coinsForTier({ holdings: coins, edge, debt: found, assets, parameters });
  const debt = provenDebt(found, {
    coins: holdings.amount,
    areCoinsProven: holdings.isProven,
    parameters,
  });
  const { period } = filing;
  const { mix, assumed } = coinKinds({ issuer, holdings, filing: xbrl, facts, period, prices, parameters });
  const holder = assumed === null ? issuer : { ...issuer, primaryAsset: assumed };
  const units = cryptoUnits({ issuer: holder, holdings, sheet, facts, prices, parameters });
  const nodes = networks.balanceSheets.flatMap((network) => network.concepts);
  const blockedConcepts = [...new Set([...figures, ...balanceConcepts, ...nodes])].filter(sheet.isBlocked);
  const treasury = { holdings, units, sheet, parameters };
  const fundamentals = filedFundamentals({ sheet, filing, parameters });
  const balance = {
    assets,
    equity: sheet.firstAmount(equityConcepts),
    currentLiabilities: sheet.firstAmount(currentLiabilitiesConcepts),
    cash: sheet.firstAmount(instantConcepts.cash_and_equivalents),
  };
  const yearStart = fiscalYearStart(sheet, parameters);
  const facilities = resolveFacilities({
    filing,
    xbrl,
    debt: debt.method === null ? null : debt.total,
    holdings,
    mix,
    fiscalYearStart: yearStart,
    prices,
    parameters,
  });
  const reporting = filedReporting({ issuer, filing, sheet, stated: xbrl?.reporting ?? null, parameters });
  return {
    issuer,
    filing,
    debt,
    holdings,
    units,
    balance,
    fundamentals,
    liquid: liquidFunds(sheet),
    mix,
    facilities,
    capital: filedOrFault(() =>
      resolveCapital({
        ...{ filing, xbrl, reporting, debt, holdings, mix, facilities, prices, parameters },
        entityFacts: sheet.facts,
        earlier: inputs.earlier ?? [],
        fiscalYearStart: yearStart,
        pledgedReceivable: edge.pledged,
      }),
    ),
    calculation: faceCalculation({ filing: xbrl, networks, face, period: filing.period }),
    treasury: {
      isAnomalous: hasAnomalousCoins(treasury),
      hasUnsettledUnits: hasUnsettledUnits(treasury),
      equalsCustomerCoins: equalsCustomerCoins(treasury),
    },
    reporting,
    calculationArcCount: networks.arcCount,
    arcsAuthored: xbrl?.arcsAuthored === true && networks.arcCount > 0,
    mappingHitCount: mappingHitCount({ sheet, debt, holdings, concepts: parameters.concepts }),
    hasBlockedConcept: blockedConcepts.length > 0,
    isFilingDamaged:
      faults.some(({ state }) => state === 'unusable') ||
      contradicted.length > 0 ||
      filing.passedOver !== undefined,
    notes: positionNotes({
      issuer,
      filing,
      debt,
      holdings,
      kinds: { mix, assumed },
      units,
      sheet,
      networks,
      faults,
      contradicted,
      isCompanyFactsBehind: isCompanyFactsBehind(inputs, xbrl),
      unknownConcepts: unknownCoinConcepts(sheet, parameters.concepts),
      blockedConcepts,
      balance,
      fundamentals: fundamentals.notes,
    }),
  };
}

/** Whether the figures come from the filing's own files alone, since companyfacts know others of the issuer but not it. */
function isCompanyFactsBehind({ filing, facts, supporting }: IssuerInputs, xbrl: XbrlFiling | null): boolean {
  const isOwn = ({ accession }: { readonly accession: string }) => accession === filing.accession;
  return xbrl !== null && xbrl.facts.length > 0 && !facts.some(isOwn) && supporting.length > 0;
}

function debtOf(issuer: Issuer, inputs: DebtInputs): DebtResolution {
  const debt = resolveDebt(inputs);
  return isFinancialInstitution(issuer, inputs) ? institutionDebt(debt) : debt;
}

/** Statements in another currency prove nothing in USD: what notes give in USD is a part of no total (M1.7d). */
function inForeignCurrency(currency: string): [DebtResolution, CryptoHoldings] {
  const reason = `the statements are in ${currency}`;
  const rungs = [{ rung: 'reporting_currency', taken: false, reason }];
  return [
    { ...unresolvedDebt, notes: [`reporting_currency:${currency}`], rungs },
    { ...noHoldings, isProven: false, notes: ['crypto_unproven:0'], rungs },
  ];
}

/**
 * Distinct dictionary concepts and accepted extensions with a USD fact at the period end that is not nil (M1.21);
 * the intangible line counts only where it was read as coins (M2.6).
 */
function mappingHitCount({
  sheet,
  debt,
  holdings,
  concepts: { debt: debtConcepts, coins, intangibleCoins },
}: {
  concepts: Concepts;
  sheet: FactSheet;
  debt: DebtResolution;
  holdings: CryptoHoldings;
}): number {
  const extensions = [...debt.extensionRoots, ...holdings.extensionRoots];
  const concepts = new Set([...debtConcepts.map(({ concept }) => concept), ...coins, ...extensions]);
  const hits = [...concepts].filter((concept) => sheet.reports(concept)).length;
  const isIntangible =
    holdings.roots.some((root) => root.concept === intangibleCoins) &&
    !coins.some((concept) => sheet.reports(concept));
  return hits + (isIntangible ? 1 : 0);
}

function figureConcepts({ debt, coins, intangibleCoins }: Concepts): ReadonlySet<string> {
  return new Set([...debt.map(({ concept }) => concept), ...coins, intangibleCoins]);
}

/** Balance-sheet concepts beside them that the rules read; a contradiction in any of them is noted (M1.8). */
const balanceConcepts: readonly string[] = Object.values(instantConcepts).flat();

const totals: readonly string[] = [...assetsConcepts, ...liabilitiesAndEquityConcepts];

/**
 * The currency of the statements where it is not USD, as its ISO code; null where a total of the balance sheet is filed in
 * USD, a translation among them, or none is filed at all (M1.7d).
 */
function foreignCurrency(sheet: FactSheet): string | null {
  if (totals.some((concept) => sheet.chosen(concept) !== null)) return null;
  const stated = sheet.facts.find(
    (fact) =>
      fact.start === null &&
      fact.end === sheet.period &&
      /^[A-Z]{3}$/.test(fact.unit) &&
      totals.includes(qualifiedName(fact)),
  );
  return stated?.unit ?? null;
}

const mezzanineConcepts = [
  'us-gaap:TemporaryEquityCarryingAmountAttributableToParent',
  'us-gaap:TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests',
];

/** The `data_quality_notes` that follow from a filing alone, sorted, each once (M13.3, I1.18). */
function positionNotes({
  issuer,
  filing,
  debt,
  holdings,
  kinds,
  units,
  sheet,
  networks,
  faults,
  contradicted,
  isCompanyFactsBehind,
  unknownConcepts,
  blockedConcepts,
  balance,
  fundamentals,
}: {
  issuer: Issuer;
  filing: Filing;
  debt: DebtResolution;
  holdings: CryptoHoldings;
  kinds: CoinKinds;
  units: CryptoUnits;
  sheet: FactSheet;
  networks: FilingNetworks;
  faults: readonly FilingFault[];
  /** Facts of companyfacts that the instance contradicts. */
  contradicted: readonly FiledFact[];
  /** Companyfacts have other filings of the issuer and no row of this one (M1.50). */
  isCompanyFactsBehind: boolean;
  /** Elements of coins that a newer taxonomy has (M1.51). */
  unknownConcepts: readonly string[];
  blockedConcepts: readonly string[];
  balance: BalanceFigures;
  /** Notes of the fundamentals. */
  fundamentals: readonly string[];
}): string[] {
  const { equity } = balance;
  const hasDebt = debt.total.sign > 0;
  const isWithoutCoins = holdings.isProven && holdings.amount.sign <= 0;
  const isDebtProven = debt.coverage !== 'low_confidence_missing_debt';
  const isAtCost = holdings.measurement === 'carrying_lower_bound';
  const when = (holds: boolean, ...notes: string[]) => (holds ? notes : []);
  const notes = [
    ...debt.notes,
    ...holdings.notes,
    ...units.notes,
    ...when(
      networks.rejected.some((network) => network.reason === 'cycle'),
      'cyclic_network',
    ),
    ...faults.map(({ part, state }) => `filing_${state}:${part}`),
    ...when(contradicted.length > 0, `companyfacts_contradicted:${contradicted.length}`),
    ...when(isCompanyFactsBehind, 'companyfacts_behind'),
    ...unknownConcepts.map((concept) => `unknown_coin_concept:${concept}`),
    ...when(
      filing.passedOver !== undefined,
      `newer_filing_${filing.isPending === true ? 'pending' : 'unusable'}:${filing.passedOver}`,
    ),
    ...fundamentals,
    ...blockedConcepts.map((concept) => `inconsistent_duplicate:${concept}`),
    ...when(isWithoutCoins && hasDebt && isDebtProven, 'stress_saturated', 'no_crypto_denominator'),
    ...when(isWithoutCoins && !(hasDebt && isDebtProven), 'no_crypto'),
    ...when(!isDebtProven, 'stress_untrusted', 'figures_lower_bound:debt'),
    ...when(!holdings.isProven, 'figures_lower_bound:crypto'),
    ...when(isAtCost, 'live_overlay_on_cost_refused'),
    ...when(holdings.amount.sign > 0 && !isAtCost && areKindsUnknown(kinds.mix), 'coins_not_split'),
    ...(kinds.assumed === null ? [] : [`mix_assumed:${kinds.assumed}`]),
    ...when(equity === null, 'equity_not_reported'),
    ...when(equity !== null && equity.sign < 0 && isZero(debt.coverage), 'negative_equity_nondebt'),
    ...when(
      mezzanineConcepts.some((concept) => sheet.positive(concept) !== null),
      'mezzanine_equity_present',
    ),
    ...when(units.rejected, 'unit_price_mismatch'),
    ...when(filing.acceptanceEstimated, 'acceptance_estimated'),
    ...when(filing.filingDateStatutory === true, 'filing_date_statutory'),
    ...when(filing.accessionStatus === 'placeholder', 'accession_placeholder'),
    ...when(issuer.ticker === null, 'ticker_is_cik'),
  ];
  return [...new Set(notes)].sort(compareText);
}

function isZero(coverage: DebtResolution['coverage']): boolean {
  return coverage === 'legitimate_zero_debt' || coverage === 'resolved_zero';
}

/** Balance-sheet totals as filed at the period end, USD; null when no concept of the member is. Equity is never derived (M10.10). */
type BalanceFigures = {
  readonly assets: ExactDecimal | null;
  readonly equity: ExactDecimal | null;
  readonly currentLiabilities: ExactDecimal | null;
  readonly cash: ExactDecimal | null;
};
