import type { Breaker } from '../../outbound/breaker.ts';
import { isTransportFailure } from '../settle/settleOutcome.ts';
import { type CheckedPayment, providerPayment, type SettlementProvider } from '../x402/settlementProvider.ts';
import type { Facilitator } from './facilitatorClient.ts';

/** Exact payments settled by a facilitator (P2.36–P2.44). */
export function facilitatorProvider({
  facilitator,
  breaker,
  verifies,
}: {
  facilitator: Facilitator;
  breaker: Breaker;
  /** Whether check 8 is a call of its own (`II_PAY_EXACT_VERIFY`). */
  verifies: boolean;
}): SettlementProvider {
  const verify = async (payment: CheckedPayment) => {
    const outcome = await facilitator.verify(providerPayment(payment));
    breaker.note({ transport: outcome.kind === 'unavailable' });
    return outcome;
  };
  // an unverified payment may make the facilitator itself fail, which says nothing about other payments
  const verifyAlways = async (payment: CheckedPayment) => {
    const outcome = await facilitator.verify(providerPayment(payment));
    const answered = outcome.kind !== 'unavailable';
    if (answered || !outcome.reason.startsWith('http_')) breaker.note({ transport: !answered });
    return outcome;
  };
  return {
    allows: breaker.allows,
    verify: verifies ? verify : null,
    verifyAlways,
    job: () => null,
    async settle({ payment, noteTransaction }) {
      const { requirement, payload } = payment;
      const outcome = await facilitator.settle({
        payment: providerPayment(payment),
        expected: {
          network: requirement.network,
          payer: payload.authorization.from,
          amount: requirement.amount,
        },
        noteTransaction,
      });
      breaker.note({ transport: isTransportFailure(outcome) });
      return outcome;
    },
  };
}
