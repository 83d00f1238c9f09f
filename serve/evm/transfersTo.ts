import { z } from 'zod';
import type { JsonClient } from '../outbound/postJson.ts';
import { askNode, type ChainReader, ChainUnavailable, transferTopic } from './chainReader.ts';

const callMs = 10_000;
const windowBlocks = 2000;
const maxWindows = 1000;
const hex = z.string().regex(/^0x[0-9a-fA-F]*$/);
const word = z.string().regex(/^0x[0-9a-fA-F]{64}$/);
const logsSchema = z.array(z.looseObject({ topics: z.array(hex).min(3), data: word, transactionHash: hex }));

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
    topics: [transferTopic, null, `0x${payTo.slice(2).toLowerCase().padStart(64, '0')}`],
  };
  const asked = { schema: logsSchema, method: 'eth_getLogs', params: [filter], timeoutMs: callMs };
  return (await askNode(client, asked)).map((log) => ({
    txHash: log.transactionHash.toLowerCase(),
    from: `0x${(log.topics[1] ?? '').slice(-40).toLowerCase()}`,
    value: BigInt(log.data),
  }));
}
