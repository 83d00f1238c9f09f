import { z } from 'zod';
import { type ChainReader, ChainUnavailable } from '../../evm/chainReader.ts';
import type { JsonClient } from '../../outbound/postJson.ts';
import type { Terms } from './termsWatch.ts';

const askMs = 5000;

const supported = z.looseObject({
  kinds: z.array(
    z.looseObject({
      x402Version: z.number(),
      scheme: z.string(),
      network: z.string(),
      extra: z.looseObject({ verifyingContract: z.string().optional() }).nullish(),
    }),
  ),
});
type Kind = z.infer<typeof supported>['kinds'][number];

/**
 * Whether a facilitator or the gateway settles exact payments of version 2 on our network, by its own `/supported`
 * (P2.36). One that has no such page says nothing.
 */
export async function askSupported({
  client,
  path,
  network,
  verifyingContract,
}: {
  client: Pick<JsonClient, 'call'>;
  path: string;
  network: string;
  /** The gateway's wallet, where it matters. */
  verifyingContract: string | null;
}): Promise<Terms> {
  const result = await client.call({ method: 'GET', path, body: null, timeoutMs: askMs });
  if (result.kind !== 'answer' || result.status >= 500)
    return { state: 'away', detail: 'it does not answer' };
  const parsed = supported.safeParse(result.json);
  if (result.status !== 200 || !parsed.success)
    return { state: 'unsaid', detail: 'it does not say what it settles' };
  const kinds = parsed.data.kinds.filter((kind) => settles(kind, network));
  if (kinds.length === 0)
    return { state: 'refused', detail: `it does not settle exact payments on ${network}` };
  const foreign = kinds.every((kind) => isOtherContract(kind, verifyingContract));
  return foreign
    ? { state: 'refused', detail: `its wallet contract on ${network} is another than II_PAY_GATEWAY_WALLET` }
    : { state: 'agreed', detail: null };
}

/** Whether a node is of the chain that payments are made on. */
export async function askChain({
  chain,
  chainId,
}: {
  chain: Pick<ChainReader, 'chainId'>;
  chainId: number;
}): Promise<Terms> {
  try {
    const found = await chain.chainId();
    return found === chainId
      ? { state: 'agreed', detail: null }
      : { state: 'refused', detail: `its node is of chain ${found}, not of ${chainId}` };
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    return { state: 'away', detail: 'its node does not answer' };
  }
}

// a facilitator may name all chains of a kind at once
function settles({ x402Version, scheme, network }: Kind, wanted: string): boolean {
  return x402Version === 2 && scheme === 'exact' && (network === wanted || network === 'eip155:*');
}

function isOtherContract({ extra }: Kind, wanted: string | null): boolean {
  const told = extra?.verifyingContract;
  return wanted !== null && told !== undefined && told.toLowerCase() !== wanted.toLowerCase();
}
