import { usd } from '../../body/servableBody.ts';
import { type ChainReader, ChainUnavailable } from '../../evm/chainReader.ts';

// what the providers and the chain call a purse that holds too little
const emptyPurse = /insufficient_?(funds|balance)/i;
/** Refusals that name another fault than an empty purse. */
const otherFault =
  /signature|nonce|used|valid_?(after|before)|expired|mismatch|recipient|network|transaction$/i;

/** Where the money of a payment lies. */
export type PurseKind = 'wallet' | 'deposit';

/** Who would pay what. */
export type Purse = {
  readonly kind: PurseKind;
  /** null: not known. */
  readonly payer: string | null;
  readonly amountMicro: number;
};

/** The next step after a refused payment: a purse that is empty is to be filled, everything else signed again (P2.56). */
export function nextStep(reason: string, o: { readonly purse: Purse; readonly otherwise: string }): string {
  if (!emptyPurse.test(reason)) return o.otherwise;
  const { kind, payer, amountMicro } = o.purse;
  const whose = payer === null ? '' : ` of ${payer}`;
  const then = 'Then send the same request with a new payment; signing again before changes nothing.';
  const holds = `holds less than ${usd(amountMicro)} USD of the token`;
  return kind === 'wallet'
    ? `The wallet${whose} ${holds}: fund it, or pay from another one. ${then}`
    : `The deposit${whose} at the gateway ${holds}: add to it, or pay the first entry of accepts from the wallet. ${then}`;
}

/** Members of a problem that name an empty purse, which no new signature cures (I7.2); none for another fault. */
export function purseMembers(
  reason: string,
  { payer, amountMicro }: Purse,
): Readonly<Record<string, unknown>> {
  if (!emptyPurse.test(reason)) return {};
  return { retryable: false, ...(payer === null ? {} : { payer, required_usd: amountMicro / 1e6 }) };
}

/**
 * The reason of a refusal that names none: a provider may say no more than that the transfer failed, where the chain says
 * what the wallet holds. Without a chain, or an answer of it, the reason stays.
 */
export async function reasonFromPurse(
  reason: string,
  { chain, asset, purse }: { chain: Pick<ChainReader, 'balanceOf'> | null; asset: string; purse: Purse },
): Promise<string> {
  const { kind, payer, amountMicro } = purse;
  if (chain === null || payer === null || kind === 'deposit') return reason;
  if (emptyPurse.test(reason) || otherFault.test(reason)) return reason;
  try {
    const balance = await chain.balanceOf({ asset, owner: payer });
    return balance < BigInt(amountMicro) ? 'insufficient_funds' : reason;
  } catch (error) {
    if (error instanceof ChainUnavailable) return reason;
    throw error;
  }
}
