import { z } from 'zod';
import { type ChainReader, ChainUnavailable, paysClaim } from '../../evm/chainReader.ts';
import type { Breaker } from '../../outbound/breaker.ts';
import type { CallResult, JsonClient } from '../../outbound/postJson.ts';
import {
  cleanReason,
  type Expected,
  isTransportFailure,
  type SettleOutcome,
  settleOutcome,
} from '../settle/settleOutcome.ts';
import {
  type CheckedPayment,
  type ProviderPayment,
  providerPayment,
  type SettlementProvider,
  type VerifyOutcome,
} from '../x402/settlementProvider.ts';

export type Facilitator = {
  verify(payment: ProviderPayment): Promise<VerifyOutcome>;
  /** `noteTransaction` stores a hash the provider names before the one repeat (P2.39). */
  settle(deps: {
    payment: ProviderPayment;
    expected: Omit<Expected, 'transaction'>;
    noteTransaction(transaction: string): Promise<void>;
  }): Promise<SettleOutcome>;
};

const verifyMs = 5000;
const unreachableAttempts = 3;
const unreachableWithinMs = 2000;
const repeatAfterMs = 1000;
const transactionHash = /^0x[0-9a-fA-F]{64}$/;

const verifyAnswer = z.looseObject({
  isValid: z.boolean(),
  invalidReason: z.string().nullish(),
  invalidMessage: z.string().nullish(),
  payer: z.string().nullish(),
});

/** Speaks to an x402 facilitator: `POST /verify` and `POST /settle` (P2.36). */
export function facilitator(deps: {
  client: JsonClient;
  settleCallMs: number;
  nowMs(): number;
  pause(ms: number): Promise<void>;
}): Facilitator {
  const post = (path: string, payment: ProviderPayment, timeoutMs: number): Promise<CallResult> =>
    deps.client.call({
      method: 'POST',
      path,
      body: JSON.stringify({ x402Version: 2, ...payment }),
      timeoutMs,
    });

  return {
    async verify(payment) {
      let result = await post('/verify', payment, verifyMs);
      // nothing can be settled by it, so one more try is harmless (P2.39)
      if (result.kind === 'unreachable') result = await post('/verify', payment, verifyMs);
      return verifyOutcome(result);
    },
    async settle({ payment, expected, noteTransaction }) {
      const wanted = { ...expected, transaction: transactionHash };
      const deadlineMs = deps.nowMs() + deps.settleCallMs;
      const left = (): number => Math.max(1, deadlineMs - deps.nowMs());
      const result = await postReachable(() => post('/settle', payment, left()), deps);
      const outcome = settleOutcome(result, wanted);
      const pending =
        outcome.kind === 'unknown' && outcome.reason === 'settlement_pending' && outcome.transaction !== null;
      if (!pending || outcome.transaction === null) return outcome;
      await noteTransaction(outcome.transaction);
      await deps.pause(repeatAfterMs);
      const repeated = settleOutcome(await post('/settle', payment, left()), wanted);
      // the first call may have moved the money: a refusal of the second settles nothing
      return repeated.kind === 'settled' ? repeated : outcome;
    },
  };
}

/** Up to three attempts within 2 s while no byte has left (P2.39). */
export async function postReachable(
  call: () => Promise<CallResult>,
  { nowMs, pause }: { nowMs(): number; pause(ms: number): Promise<void> },
): Promise<CallResult> {
  const startedMs = nowMs();
  let result = await call();
  for (let attempt = 1; attempt < unreachableAttempts; attempt += 1) {
    const waitMs = 250 * attempt;
    if (result.kind !== 'unreachable' || nowMs() - startedMs + waitMs > unreachableWithinMs) break;
    await pause(waitMs);
    result = await call();
  }
  return result;
}

function verifyOutcome(result: CallResult): VerifyOutcome {
  if (result.kind !== 'answer')
    return { kind: 'unavailable', reason: result.reason, reached: result.kind === 'broken' };
  const parsed = verifyAnswer.safeParse(result.json);
  if (!parsed.success) return { kind: 'unavailable', reason: `http_${result.status}`, reached: true };
  // some facilitators answer an invalid payment with 400 and the same body
  if (result.status !== 200 && !(result.status === 400 && !parsed.data.isValid)) {
    return { kind: 'unavailable', reason: `http_${result.status}`, reached: true };
  }
  if (parsed.data.isValid) return { kind: 'valid' };
  const reason = parsed.data.invalidReason ?? parsed.data.invalidMessage ?? '';
  return { kind: 'invalid', reason: cleanReason(reason) };
}

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
    if (answered || !outcome.reached) breaker.note({ transport: !answered });
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
