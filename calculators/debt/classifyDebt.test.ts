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
])('%s reads as debt: %s (M1.22)', (concept, isDebt) => {
  expect(readsAsDebt(conceptWords(concept), registryParameters.concepts)).toBe(isDebt);
});
