import { localName } from '../../crypto/statedFacts.ts';
import type { Dimension } from '../../filing/xbrlFiling.ts';

/** Axes whose every member is a note, a loan or a line (M18.10). */
const debtAxis =
  /:(DebtInstrumentAxis|LongtermDebtTypeAxis|ShortTermDebtTypeAxis|CreditFacilityAxis|LineOfCreditFacilityAxis|ExtinguishmentOfDebtAxis)$/;

/** Axes that qualify a fact and name no instrument (M18.12). */
const qualifyingAxis =
  /:(StatementClassOfStockAxis|RangeAxis|SubsequentEventTypeAxis|DebtInstrumentRedemptionPeriodAxis|StatementScenarioAxis|ScenarioUnspecifiedAxis|ClassOfWarrantOrRightAxis|CryptoAssetAxis|PledgedStatusAxis|CounterpartyNameAxis|LegalEntityAxis|ConsolidationItemsAxis|ConsolidatedEntitiesAxis|StatementBusinessSegmentsAxis|SegmentsAxis|OwnershipAxis|CollateralAxis|AdjustmentsForNewAccountingPronouncementsAxis|StatementEquityComponentsAxis|MeasurementInputTypeAxis|VariableRateAxis|DisposalGroupClassificationAxis|RestatementAxis|StatementGeographicalAxis|IncomeStatementLocationAxis|BalanceSheetLocationAxis|AwardTypeAxis|OptionIndexedToIssuersEquityTypeAxis|RelatedPart\w*Axis|\w*FairValue\w*Axis|\w*ByMeasurement\w*Axis|Antidilutive\w*Axis)$/;

/** Qualifiers under which a fact says nothing of what is owed: a bound, a forecast, a level, a part (M18.12). */
const withoutAttribute =
  /:(RangeAxis|StatementScenarioAxis|ScenarioUnspecifiedAxis|StatementEquityComponentsAxis|AdjustmentsForNewAccountingPronouncementsAxis|RestatementAxis|DisposalGroupClassificationAxis|MeasurementInputTypeAxis|\w*FairValue\w*Axis)$/;

/** Names of debt on axes of anything (CLSK: `BusinessAcquisitionAxis`). */
const debtName =
  /(Loans?|CreditFacility|CreditLine|CreditAgreement|LineOfCredit|Facility|Financing|Lending|Borrowings?|Notes?|Debentures?|Bonds?|Mortgage|Debt)/;

/** Names that have such a word and are no debt; a fundamental change and a default are conditions (MSTR). */
const otherName =
  /(Lease|Receivable|Warrant|Swap|Securities|PowerPurchase|Level[123]|LetterOfCredit|EquityLine|StandbyEquity|SalesAgreement|FundamentalChange|Events?OfDefault|Sub[Tt]otal)/;

const receivableAxis = /:\w*FinancingReceivable\w*Axis$/;

export function isDebtAxis({ axis }: Dimension): boolean {
  return debtAxis.test(axis);
}

export function isQualifier({ axis }: Dimension): boolean {
  return qualifyingAxis.test(axis);
}

export function isRange({ axis }: Dimension): boolean {
  return axis.endsWith(':RangeAxis');
}

/** True for a member whose facts may be those of one note, loan or line (M18.10). */
export function isDebtMember(dimension: Dimension): boolean {
  if (dimension.typed || !mayBeDebt(dimension)) return false;
  return isDebtAxis(dimension) || debtName.test(localName(dimension.member));
}

/** True unless the axis qualifies or the name says something else. */
export function mayBeDebt(dimension: Dimension): boolean {
  return !dimension.typed && !isQualifier(dimension) && !otherName.test(localName(dimension.member));
}

/** True where a qualifier leaves the fact without a say in what is owed or agreed. */
export function saysNothing(dimensions: readonly Dimension[]): boolean {
  return dimensions.some(({ axis }) => withoutAttribute.test(axis));
}

/** True for a fact of a loan that the filer made. */
export function isOfReceivable(dimensions: readonly Dimension[]): boolean {
  return dimensions.some(({ axis }) => receivableAxis.test(axis));
}
