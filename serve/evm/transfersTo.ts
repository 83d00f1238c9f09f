import { z } from 'zod';
import type { JsonClient } from '../outbound/postJson.ts';
import { type ChainReader, ChainUnavailable } from './chainReader.ts';
import { hexOfBytes, keccak256 } from './ethereumBytes.ts';

const callMs = 10_000;
const windowBlocks = 2000;
const maxWindows = 1000;
const topic = hexOfBytes(keccak256(Buffer.from('Transfer(address,address,uint256)')));
const hex = z.string().regex(/^0x[0-9a-fA-F]*$/);
const word = z.string().regex(/^0x[0-9a-fA-F]{64}$/);
const answerSchema = z.looseObject({
  result: z.array(z.looseObject({ topics: z.array(hex).min(3), data: word, transactionHash: hex })),
});

/** One transfer of an asset, addresses and hash in lower case. */
export type TransferTo = { readonly txHash: string; readonly from: string; readonly value: bigint };

/**
 * Reads every transfer of an asset to an address since an instant, newest window first (P8.55).
 *
 * @throws ChainUnavailable when the node does not answer, or the window is longer than two million blocks.
 */
export async function transfersTo(input: {
  client: JsonClient;
  chain: Pick<ChainReader, 'block'>;
  asset: string;
  payTo: string;
  sinceSeconds: number;
}): Promise<TransferTo[]> {
  const found: TransferTo[] = [];
  let { number: to, timestamp } = await input.chain.block('latest');
  let blocks = windowBlocks;
  for (let window = 0; timestamp >= input.sinceSeconds; window += 1) {
    if (window === maxWindows) throw new ChainUnavailable('eth_getLogs');
    const from = Math.max(0, to - blocks + 1);
    try {
      found.push(...(await logs({ ...input, from, to })));
    } catch (error) {
      // an answer may be too long for one call: ask for fewer blocks
      if (blocks === 1) throw error;
      blocks = Math.max(1, blocks >> 2);
      continue;
    }
    blocks = Math.min(windowBlocks, blocks * 2);
    if (from === 0) break;
    to = from - 1;
    ({ timestamp } = await input.chain.block(to));
  }
  return found;
}

async function logs({
  client,
  asset,
  payTo,
  from,
  to,
}: {
  client: JsonClient;
  asset: string;
  payTo: string;
  from: number;
  to: number;
}): Promise<TransferTo[]> {
  const filter = {
    address: asset,
    fromBlock: `0x${from.toString(16)}`,
    toBlock: `0x${to.toString(16)}`,
    topics: [topic, null, `0x${payTo.slice(2).toLowerCase().padStart(64, '0')}`],
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] });
  const result = await client.call({ method: 'POST', path: '', body, timeoutMs: callMs });
  const answer =
    result.kind === 'answer' && result.status === 200 ? answerSchema.safeParse(result.json) : null;
  if (answer === null || !answer.success) throw new ChainUnavailable('eth_getLogs');
  return answer.data.result.map((log) => ({
    txHash: log.transactionHash.toLowerCase(),
    from: `0x${(log.topics[1] ?? '').slice(-40).toLowerCase()}`,
    value: BigInt(log.data),
  }));
}
