import { expect, test } from 'vitest';
import type { JsonCall, JsonClient } from '../outbound/postJson.ts';
import { ChainUnavailable } from './chainReader.ts';
import { transfersTo } from './transfersTo.ts';

const asset = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const payTo = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const payer = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;

type Filter = { fromBlock: string; toBlock: string; address: string; topics: (string | null)[] };

/** A chain of one block a second; `longest` is how many blocks one answer may cover. */
function chainOf({
  newest,
  paid,
  longest,
  dead,
}: {
  newest: number;
  paid: readonly number[];
  longest?: number;
  dead?: boolean;
}) {
  const asked: [number, number][] = [];
  const client: JsonClient = {
    call: async ({ body }: JsonCall) => {
      if (dead === true) return { kind: 'unreachable', reason: 'refused' };
      const [filter] = (JSON.parse(body ?? '') as { params: [Filter] }).params;
      const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)];
      expect(filter.topics.slice(1)).toEqual([null, word(payTo)]);
      if (to - from + 1 > (longest ?? 2000)) return { kind: 'broken', reason: 'too long' };
      asked.push([from, to]);
      const result = paid
        .filter((block) => block >= from && block <= to)
        .map((block) => ({
          topics: [filter.topics[0], word(payer), word(payTo)],
          data: `0x${(40_000).toString(16).padStart(64, '0')}`,
          transactionHash: `0xAB${block}`,
        }));
      return { kind: 'answer', status: 200, json: { result } };
    },
    clockSkewMs: () => null,
    close: async () => {},
  };
  const block = async (tag: 'latest' | 'safe' | number) => {
    const number = typeof tag === 'number' ? tag : newest;
    return { number, timestamp: number };
  };
  return { client, chain: { block }, asked };
}

async function read(input: Parameters<typeof chainOf>[0] & { since: number }) {
  const chain = chainOf(input);
  const found = await transfersTo({ ...chain, asset, payTo, sinceSeconds: input.since });
  return { found, asked: chain.asked };
}

test('an empty amount in a log is an answer that cannot be read, not a crash', async () => {
  const chain = chainOf({ newest: 100, paid: [] });
  const json = { result: [{ topics: ['0x1', '0x2', '0x3'], data: '0x', transactionHash: '0xab' }] };
  const client: JsonClient = { ...chain.client, call: async () => ({ kind: 'answer', status: 200, json }) };
  await expect(
    transfersTo({ client, chain: chain.chain, asset, payTo, sinceSeconds: 0 }),
  ).rejects.toBeInstanceOf(ChainUnavailable);
});

test('reads windows of 2000 blocks back to the instant asked for, each block once', async () => {
  const { found, asked } = await read({ newest: 9999, paid: [4500, 7000, 9999], since: 4100 });
  expect(asked).toEqual([
    [8000, 9999],
    [6000, 7999],
    [4000, 5999],
  ]);
  expect(found.map((t) => t.txHash)).toEqual(['0xab9999', '0xab7000', '0xab4500']);
  expect(found[0]).toEqual({ txHash: '0xab9999', from: payer, value: 40_000n });
});

test('asks for fewer blocks when an answer is too long, and misses none', async () => {
  const { found, asked } = await read({ newest: 5000, paid: [1, 2, 2500, 5000], since: 0, longest: 300 });
  expect(found).toHaveLength(4);
  expect(asked.reduce((sum, [from, to]) => sum + to - from + 1, 0)).toBe(5001);
});

test('a node that does not answer is said to be unavailable', async () => {
  await expect(read({ newest: 10, paid: [], since: 0, dead: true })).rejects.toThrow(ChainUnavailable);
});
