import type { QualityFlag } from '../contract/enums.ts';
import type { ExactDecimal } from '../contract/exactDecimal.ts';
import { daysBetween } from './civilDate.ts';
import { coinFacts } from './crypto/coinFacts.ts';
import { cryptoDictionary, intangibleCoins } from './crypto/cryptoDictionary.ts';
import type { CryptoHoldings } from './crypto/cryptoHoldings.ts';
import { type CryptoUnits, cryptoUnits, holdingsMix } from './crypto/cryptoUnits.ts';
import { resolveCrypto } from './crypto/resolveCrypto.ts';
import { debtDictionary } from './debt/debtDictionary.ts';
import type { DebtResolution } from './debt/debtResolution.ts';
import { resolveDebt } from './debt/resolveDebt.ts';
import { type FactSheet, factSheet } from './factSheet.ts';
import { equityConcepts, instantConcepts } from './fundamentals/conceptPrecedence.ts';
import { filingAtHand } from './instance/filingAtHand.ts';
import { type FilingNetworks, filingNetworks } from './network/filingNetworks.ts';
import type { Parameters } from './parameters.ts';
import type { PriceBook } from './priceBook.ts';
import { type FaceCalculation, faceCalculation } from './quality/faceCalculation.ts';
import { qualityFlag } from './quality/qualityFlag.ts';
import { equalsCustomerCoins, hasAnomalousCoins, hasUnsettledUnits } from './quality/treasuryStatus.ts';
import type { Filing, Issuer, IssuerInputs } from './rows.ts';
import type { CoinMix } from './stress/coinMix.ts';

/** What one filing says about an issuer's debt and coins, and how far it can be trusted. */
export type ResolvedIssuer = {
  readonly issuer: Issuer;
  readonly filing: Filing;
  readonly sheet: FactSheet;
  readonly debt: DebtResolution;
  readonly holdings: CryptoHoldings;
  readonly units: CryptoUnits;
  readonly mix: CoinMix;
  readonly networks: FilingNetworks;
  readonly calculation: FaceCalculation;
  /** As filed; null when no equity concept is (M10.10). */
  readonly equity: ExactDecimal | null;
  readonly quality: QualityFlag;
  /** An override of M3.10 holds. */
  readonly isUnclassified: boolean;
  readonly blockedConcepts: readonly string[];
};

const untieredTypes: readonly Issuer['issuerType'][] = ['etf_trust', 'fund_vehicle', 'product'];

/** Resolves one issuer from the filing in force, reading nothing filed after `date` (M10.2). */
export function resolveIssuer(
  inputs: IssuerInputs,
  o: { date: string; prices: PriceBook; parameters: Parameters },
): ResolvedIssuer {
  const { issuer, filing } = inputs;
  const { parameters, prices } = o;
  const sheet = factSheet(inputs, o.date);
  const supporting = inputs.supporting.filter((fact) => fact.filed <= o.date);
  const xbrl = filingAtHand(inputs);
  const networks = filingNetworks(xbrl, sheet);
  const calculation = faceCalculation({ filing: xbrl, networks, period: filing.period });
  const facts = xbrl === null ? null : coinFacts(xbrl, filing.period);
  const debt = resolveDebt({ sheet, activity: supporting, parameters, networks, filing: xbrl });
  const holdings = resolveCrypto({ issuer, sheet, supporting, networks, facts, prices, parameters });
  const units = cryptoUnits({ issuer, holdings, sheet, facts, prices, parameters });
  const equity = firstFiled(sheet, equityConcepts);
  const nodes = networks.balanceSheets.flatMap((network) => network.concepts);
  const blockedConcepts = [...new Set([...conceptsRead, ...nodes])].filter(sheet.isBlocked);
  const ageDays = daysBetween(filing.period, o.date);
  const treasury = { holdings, units, sheet, parameters };
  const isAnomalous = hasAnomalousCoins(treasury);
  const quality = qualityFlag(
    {
      ...{ debt, holdings, ageDays, isAnomalous, calculation: calculation.result },
      hasBlockedConcept: blockedConcepts.length > 0,
      isPlaceholder: filing.accessionStatus === 'placeholder',
      equalsCustomerCoins: equalsCustomerCoins(treasury),
      hasEquity: equity !== null,
    },
    parameters,
  );
  return {
    issuer,
    filing,
    sheet,
    debt,
    holdings,
    units,
    mix: holdingsMix({ issuer, holdings, facts, parameters }),
    networks,
    calculation,
    equity,
    quality,
    isUnclassified:
      holdings.amount.sign <= 0 ||
      debt.coverage === 'low_confidence_missing_debt' ||
      untieredTypes.includes(issuer.issuerType) ||
      (quality === 'Low' && (isAnomalous || hasUnsettledUnits(treasury))) ||
      ageDays > parameters.filingAgeDays.unclassified,
    blockedConcepts,
  };
}

/**
 * Distinct dictionary concepts and accepted extensions with a USD fact at the period end that is not nil (M1.21);
 * the intangible line counts only where it was read as coins (M2.6).
 */
export function mappingHitCount({ sheet, debt, holdings }: ResolvedIssuer): number {
  const extensions = [...debt.extensionRoots, ...holdings.extensionRoots];
  const concepts = new Set([...debtDictionary.map((row) => row.concept), ...cryptoDictionary, ...extensions]);
  const hits = [...concepts].filter((concept) => sheet.reports(concept)).length;
  const isIntangible =
    holdings.roots.some((root) => root.concept === intangibleCoins) &&
    !cryptoDictionary.some((concept) => sheet.reports(concept));
  return hits + (isIntangible ? 1 : 0);
}

/** Balance-sheet concepts the rules look at; a contradiction in any of them is noted (M1.8). */
const conceptsRead: readonly string[] = [
  ...debtDictionary.map((row) => row.concept),
  ...cryptoDictionary,
  intangibleCoins,
  ...Object.values(instantConcepts).flat(),
];

function firstFiled(sheet: FactSheet, concepts: readonly string[]): ExactDecimal | null {
  for (const concept of concepts) {
    const amount = sheet.amount(concept);
    if (amount !== null) return amount;
  }
  return null;
}
