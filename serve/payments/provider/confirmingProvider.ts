import { type ChainReader, ChainUnavailable } from '../evm/chainReader.ts';
import { paysClaim } from '../recovery/resolveExact.ts';
import type { SettlementProvider } from './settlementProvider.ts';
import type { SettleOutcome } from './settleOutcome.ts';

const lookMs = 500;
/** How long the named transaction may take to appear before the outcome counts as open. */
const appearMs = 10_000;

/**
 * Believes a provider's success only after reading the transfer on the chain ourselves (`II_PAY_CONFIRM=receipt`,
 * P2.41, X14).
 */
export function confirmingProvider(
  provider: SettlementProvider,
  o: { readonly chain: ChainReader; nowMs(): number; pause(ms: number): Promise<void> },
): SettlementProvider {
  async function confirmed(
    transaction: string,
    claim: Parameters<typeof paysClaim>[1],
  ): Promise<SettleOutcome> {
    const untilMs = o.nowMs() + appearMs;
    const open: SettleOutcome = { kind: 'unknown', reason: 'transfer_not_found', transaction };
    while (o.nowMs() < untilMs) {
      try {
        const mined = await o.chain.transaction(transaction);
        if (mined !== null) return paysClaim(mined, claim) ? { kind: 'settled', transaction } : open;
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
      }
      await o.pause(lookMs);
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
