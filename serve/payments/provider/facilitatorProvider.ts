import type { Breaker } from './breaker.ts';
import type { Facilitator } from './facilitatorClient.ts';
import { type CheckedPayment, providerPayment, type SettlementProvider } from './settlementProvider.ts';
import { isTransportFailure } from './settleOutcome.ts';

/** Exact payments settled by a facilitator (P2.36–P2.44). */
export function facilitatorProvider(o: {
  facilitator: Facilitator;
  breaker: Breaker;
  /** Whether check 8 is a call of its own (`II_PAY_EXACT_VERIFY`). */
  verifies: boolean;
}): SettlementProvider {
  const verify = async (payment: CheckedPayment) => {
    const outcome = await o.facilitator.verify(providerPayment(payment));
    o.breaker.note({ transport: outcome.kind === 'unavailable' });
    return outcome;
  };
  // what nobody has vouched for may make a facilitator fail over itself: that says nothing of other payments
  const verifyAlways = async (payment: CheckedPayment) => {
    const outcome = await o.facilitator.verify(providerPayment(payment));
    const answered = outcome.kind !== 'unavailable';
    if (answered || !outcome.reason.startsWith('http_')) o.breaker.note({ transport: !answered });
    return outcome;
  };
  return {
    allows: o.breaker.allows,
    verify: o.verifies ? verify : null,
    verifyAlways,
    job: () => null,
    async settle({ payment, noteTransaction }) {
      const { requirement, payload } = payment;
      const outcome = await o.facilitator.settle({
        payment: providerPayment(payment),
        expected: {
          network: requirement.network,
          payer: payload.authorization.from,
          amount: requirement.amount,
        },
        noteTransaction,
      });
      o.breaker.note({ transport: isTransportFailure(outcome) });
      return outcome;
    },
  };
}
