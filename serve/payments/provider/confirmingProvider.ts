import { type ChainReader, ChainUnavailable } from '../../evm/chainReader.ts';
import { paysClaim } from '../../evm/paysClaim.ts';
import type { SettleOutcome } from '../settle/settleOutcome.ts';
import type { SettlementProvider } from '../x402/settlementProvider.ts';

const pollMs = 500;
/** How long the named transaction may take to appear before the outcome counts as open. */
const appearMs = 10_000;

/**
 * Believes a provider's success only after reading the transfer on the chain ourselves (`II_PAY_CONFIRM=receipt`,
 * P2.41, X14).
 */
export function confirmingProvider(
  provider: SettlementProvider,
  { chain, nowMs, pause }: { readonly chain: ChainReader; nowMs(): number; pause(ms: number): Promise<void> },
): SettlementProvider {
  async function confirmed(
    transaction: string,
    claim: Parameters<typeof paysClaim>[1],
  ): Promise<SettleOutcome> {
    const untilMs = nowMs() + appearMs;
    const open: SettleOutcome = { kind: 'unknown', reason: 'transfer_not_found', transaction };
    while (nowMs() < untilMs) {
      try {
        const mined = await chain.transaction(transaction);
        if (mined !== null) return paysClaim(mined, claim) ? { kind: 'settled', transaction } : open;
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
      }
      await pause(pollMs);
    }
    return open;
  }

  return {
    ...provider,
    async settle(call) {
      const outcome = await provider.settle(call);
      if (outcome.kind !== 'settled') return outcome;
      const { requirement, payload } = call.payment;
      return confirmed(outcome.transaction, {
        domainContract: requirement.asset.toLowerCase(),
        payer: payload.authorization.from,
        payTo: requirement.payTo.toLowerCase(),
        amountMicro: Number(requirement.amount),
      });
    },
  };
}
