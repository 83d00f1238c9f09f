import { expect, it } from 'vitest';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { conceptWords } from '../network/conceptNames.ts';
import { readsAsDebt } from './classifyDebt.ts';

// names of the filers' own concepts on balance sheets, and of customers' money beside them
it.each([
  ['kutg:PrepaidAdvanceLiabilityNetOfDiscountCurrent', true],
  ['kutg:PrepaidAdvanceLiabilityNetOfDiscountNonCurrentPortion', true],
  ['kutg:LongTermNotesPayables', true],
  ['dfdv:DigitalAssetFinancingArrangements', true],
  ['x:LinesOfCreditCurrent', true],
  ['x:RevolvingCreditFacilitiesNoncurrent', true],
  ['x:SeniorSecuredNotesNet', true],
  ['x:ExchangeableNotesNet', true],
  ['game:LinesOfCreditCurrentReceivable', false],
  ['x:SecuredNotesReceivable', false],
  ['x:CustomerAdvancesPrepaid', false],
  ['x:PrepaidAdvancesToSuppliers', false],
  ['kutg:AccruedIssuableEquityForServicesCurrent', false],
  ['x:OtherLiabilitiesExcludingDebt', false],
  ['x:AccountsPayableOtherThanNotesPayable', false],
  ['x:NotesPayableExcludingCurrentMaturities', true],
  // debt under other names, or with what is owed or sold beside it
  ['x:NotesPayableAndAccruedInterest', true],
  ['x:GovernmentLoanInterestBearing', true],
  ['x:CurrentMaturitiesOfTermLoans', true],
  ['x:FailedSaleLeasebackFinancingObligation', true],
  ['x:EquipmentFinancingPayable', true],
  ['x:RevolverNoncurrentNet', true],
  ['x:PromissoryNoteWithWarrantsNet', true],
  ['x:VendorTakeBackNote', true],
  ['x:NotesNetCurrent', true],
  ['x:DigitalAssetsSoldUnderAgreementToRepurchase', true],
  ['x:MasterRepurchaseAgreementObligation', true],
  ['x:DigitalAssetsBorrowed', true],
  ['x:CryptoAssetsPayableToLenders', true],
  ['x:PrimeBrokerMarginPayable', true],
  // and what is none beside such words
  ['x:CommonStockRepurchaseAgreementObligation', false],
  ['x:VariationMarginPayable', false],
  ['x:SubordinatedVotingShares', false],
  ['x:BorrowedElectricityBalance', false],
  ['x:AccruedLoanCostsAndInterest', false],
  ['x:MaturitiesOfLongTermDebtInYearTwo', false],
  ['x:FinanceLeaseBorrowings', false],
  ['x:ConvertibleNotesEmbeddedDerivativeLiability', false],
  ['x:ConversionOptionOfConvertibleNotes', false],
  ['x:ConvertiblePreferredStockLiability', false],
  ['x:SharesIssuableOnConversionOfNotesPayable', false],
  ['x:LoanCommitmentLiability', false],
  ['x:ReserveForLoansOfOthers', false],
  ['x:CollateralReceivedFromLoanCustomers', false],
  ['x:LoanServicingEscrowLiability', false],
  ['x:SuretyBondObligation', false],
  ['x:LoanGuaranteeLiability', false],
  ['x:GuaranteedNotesPayable', true],
  ['x:CreditFacilityFeesPayable', false],
  ['x:TokenBondingCurveLiability', false],
])('%s reads as debt: %s (M1.22)', (concept, isDebt) => {
  expect(readsAsDebt(conceptWords(concept), registryParameters.concepts)).toBe(isDebt);
});
