import type { MinedTransaction } from './chainReader.ts';

/** True when a mined transaction moved exactly this payment to us. */
export function paysClaim(
  mined: MinedTransaction,
  payment: {
    readonly domainContract: string;
    readonly payer: string;
    readonly payTo: string;
    readonly amountMicro: number;
  },
): boolean {
  return (
    mined.succeeded &&
    mined.transfers.some(
      (transfer) =>
        transfer.token === payment.domainContract &&
        transfer.from === payment.payer &&
        transfer.to === payment.payTo &&
        transfer.value === BigInt(payment.amountMicro),
    )
  );
}
