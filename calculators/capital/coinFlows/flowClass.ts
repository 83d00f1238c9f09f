import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { localName } from '../../crypto/statedFacts.ts';
import { absolute } from '../../exact/decimals.ts';
import type { FlowClass } from '../parts.ts';

/** What the name of a coin flow says of it, and which sign it has in the sum (M18.70). */
export type ClassifiedFlow = {
  readonly kind: FlowClass;
  /** `in` and `out` override the filed sign, `loss` is a gain below zero, `filed` is as filed. */
  readonly sign: 'in' | 'out' | 'filed' | 'loss';
  /** Named as a line of the income or cash flow statement: such a line often repeats a row of the table in other words. */
  readonly isOfStatement: boolean;
};

/** Figures about coins that are no flow: prices, ratios, balances on a duration, costs, what is managed for others. */
const noFlow =
  /(Per(Bitcoin|Ether|Coin|Token|Unit|CryptoAsset|Share)|Prices?|Percent|Ratio|Rate$|(Beginning|Opening|Ending|Closing)\w*Balance|Cost(Basis)?Of|Cost(Basis)?$|Managed|Capacity|HashRate|Lease|Payable|Prepa(id|yment)|Unsettled|Safeguard|Notional|HeldAsCollateral|Delegated|Gain\w*Collateral|Loss\w*Collateral)/;
/** Machines, bought and sold for money: no coins (`PurchaseOfBitcoinMiners`). */
const machines =
  /(Purchases?Of|PaymentsFor|PaymentsToAcquire|DepositsOn|Depreciation|Sales?Of|Disposals?Of)\w*(Miners?(?!ed)|Mining(Equipment|Machines?|Hardware)|Machines?|Rigs?|Hardware)(?!\w*With)/;
const ofStatement =
  /(^|[a-z])(Proceeds|Non[Cc]ash|Revenues?|Supplemental|PaymentsToAcquire|PaymentToAcquire)|(?<!Period)IncreaseDecrease|^Increase(To|In)|^PaymentForAcquisition/;
const balanceOf = /^CryptoAssets?FairValue(?=[A-Z])/;

type Pattern = { readonly pattern: RegExp; readonly kind: FlowClass; readonly sign: ClassifiedFlow['sign'] };

/** First that matches. A verb that leads the name decides before words inside it (BTBT `PaymentOfBTCForServiceChargesFromMining…`). */
const patterns: readonly Pattern[] = [
  // GAME files `FeesAndOther` of one coin as received
  { pattern: /AndOther|^Other|Net$/, kind: 'other', sign: 'filed' },
  { pattern: /^(?!.*Gain).*(Loss|Impairment)/, kind: 'gain', sign: 'loss' },
  {
    pattern:
      /Gain|CumulativeEffect|Remeasur|Revaluation|Chang\w*FairValue|FairValue\w*(Chang|Adjust)|PeriodIncreaseDecrease/,
    kind: 'gain',
    sign: 'filed',
  },
  // something else, paid for with coins (CLSK miners, GAME non-fungible tokens, NAKA an acquisition)
  { pattern: /IssuanceOf(Digital|Crypto|Bitcoin|Ether)\w*For/, kind: 'paid', sign: 'out' },
  {
    pattern: /Purchase\w*With(?!Cash|Proceeds|Dollars|Fiat)|Purchase\w*NonFungible/,
    kind: 'paid',
    sign: 'out',
  },
  { pattern: /^(Sales?|Disposals?)(Of|$)/, kind: 'sold', sign: 'out' },
  { pattern: /^(Payments?|Exchanges?)Of/, kind: 'paid', sign: 'out' },
  { pattern: /^Receipts?(Of|$)/, kind: 'received', sign: 'in' },
  {
    pattern: /Purchase|PaymentForAcquisition|Payments?ToAcquire|Acqui(red|sition)/,
    kind: 'bought',
    sign: 'in',
  },
  { pattern: /Mining|Mined/, kind: 'mined', sign: 'in' },
  { pattern: /Addition|Reward|Staking|Earned|Received|Receipt/, kind: 'received', sign: 'in' },
  { pattern: /Sale|Sold|Disposal/, kind: 'sold', sign: 'out' },
  {
    pattern: /Disposition|IssuedFor|Exchange|Distribution|Payment|Paid|Fees/,
    kind: 'paid',
    sign: 'out',
  },
  { pattern: /TransferredTo(?!From)/, kind: 'transferred', sign: 'out' },
  { pattern: /TransferredFrom/, kind: 'transferred', sign: 'in' },
  {
    pattern: /Collateral|Transfer|Contribution|Redemption|Loan|InvestmentOf/,
    kind: 'transferred',
    sign: 'filed',
  },
];

/** Classifies a flow of coins by its name; null for a figure that is no flow (M18.70). */
export function flowClass(concept: string): ClassifiedFlow | null {
  const filed = localName(concept);
  if (noFlow.test(filed) || machines.test(filed)) return null;
  const isOfStatement = ofStatement.test(filed);
  const name = filed.replace(balanceOf, '');
  const found = patterns.find(({ pattern }) => pattern.test(name));
  if (found === undefined) return { kind: 'other', sign: 'filed', isOfStatement };
  return { kind: found.kind, sign: found.sign, isOfStatement };
}

/** A filed amount as it enters the sum: additions positive and disposals negative for either filed sign (M18.70). */
export function signedAmount(value: ExactDecimal, sign: ClassifiedFlow['sign']): ExactDecimal {
  if (sign === 'in') return absolute(value);
  if (sign === 'out' || sign === 'loss') return absolute(value).negated();
  return value;
}
