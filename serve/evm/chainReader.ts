import { z } from 'zod';
import type { JsonClient } from '../outbound/postJson.ts';
import { hexOfBytes, keccak256 } from './ethereumBytes.ts';

/** A node that does not answer, or not in the way of JSON-RPC; nothing is concluded from it. */
export class ChainUnavailable extends Error {}

export type ChainBlock = { readonly number: number; readonly timestamp: number };

/** A mined transaction: success, place, and the transfers of the asset it logged. */
export type MinedTransaction = {
  readonly succeeded: boolean;
  readonly blockNumber: number;
  readonly transfers: readonly {
    readonly token: string;
    readonly from: string;
    readonly to: string;
    readonly value: bigint;
  }[];
};

/** How an authorization ended on chain. */
export type AuthorizationUse = { readonly event: 'used' | 'canceled'; readonly transaction: string };

/** What the server reads from the x402 chain; it never sends a transaction. Addresses and hashes are lower case. */
export type ChainReader = {
  chainId(): Promise<number>;
  /** Whether an address holds code, remembered for 60 s (P2.31). */
  hasCode(address: string): Promise<'contract' | 'none'>;
  /** What an address holds of a token, in its smallest unit. */
  balanceOf(input: { asset: string; owner: string }): Promise<bigint>;
  authorizationUsed(input: { asset: string; payer: string; nonce: string }): Promise<boolean>;
  /** Looks back from the newest block to `sinceSeconds`, in windows of 2000 blocks (P8.52). */
  findAuthorizationUse(input: {
    asset: string;
    payer: string;
    nonce: string;
    sinceSeconds: number;
  }): Promise<AuthorizationUse | null>;
  transaction(hash: string): Promise<MinedTransaction | null>;
  block(tag: 'latest' | 'safe' | number): Promise<ChainBlock>;
  /** `name()`, `version()` and `decimals()` of the token (P2.4). */
  tokenFacts(
    asset: string,
  ): Promise<{ readonly name: string; readonly version: string; readonly decimals: number }>;
};

const callMs = 5000;
const rememberCodeMs = 60_000;
const windowBlocks = 2000;
const maxWindows = 200;
const maxRemembered = 10_000;

const quantity = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/);
const data = z.string().regex(/^0x([0-9a-fA-F]{2})*$/);
/** A number of blocks, seconds or so on: what a ledger cannot hold is no answer. */
const small = quantity.transform(Number).pipe(z.int().min(0));
const blockSchema = z.looseObject({ number: small, timestamp: small });
const logSchema = z.looseObject({
  address: data,
  topics: z.array(data),
  data,
  transactionHash: data,
});
const receiptSchema = z.looseObject({
  status: quantity,
  blockNumber: small,
  logs: z.array(z.looseObject({ address: data, topics: z.array(data), data })),
});
const answerSchema = z.looseObject({ result: z.unknown().optional(), error: z.unknown().optional() });

const topicOf = (signature: string): string => hexOfBytes(keccak256(Buffer.from(signature)));
const selectorOf = (signature: string): string => topicOf(signature).slice(0, 10);
export const transferTopic = topicOf('Transfer(address,address,uint256)');
const usedTopic = topicOf('AuthorizationUsed(address,bytes32)');
const canceledTopic = topicOf('AuthorizationCanceled(address,bytes32)');
const stateSelector = selectorOf('authorizationState(address,bytes32)');
const balanceSelector = selectorOf('balanceOf(address)');
const nameSelector = selectorOf('name()');
const versionSelector = selectorOf('version()');
const decimalsSelector = selectorOf('decimals()');

/** Asks a node once over JSON-RPC. @throws ChainUnavailable when it does not answer in that form */
export async function askNode<T>(
  client: JsonClient,
  asked: { schema: z.ZodType<T>; method: string; params: readonly unknown[]; timeoutMs: number },
): Promise<T> {
  const { schema, method, params, timeoutMs } = asked;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const result = await client.call({ method: 'POST', path: '', body, timeoutMs });
  if (result.kind !== 'answer' || result.status !== 200) throw new ChainUnavailable(method);
  const answer = answerSchema.safeParse(result.json);
  if (!answer.success || answer.data.error !== undefined) throw new ChainUnavailable(method);
  const parsed = schema.safeParse(answer.data.result);
  if (!parsed.success) throw new ChainUnavailable(method);
  return parsed.data;
}

/** Reads one chain over JSON-RPC. Its methods throw `ChainUnavailable`. */
export function chainReader({ client, nowMs }: { client: JsonClient; nowMs(): number }): ChainReader {
  const codes = new Map<string, { readonly atMs: number; readonly code: 'contract' | 'none' }>();

  const read = <T>(schema: z.ZodType<T>, method: string, params: readonly unknown[]): Promise<T> =>
    askNode(client, { schema, method, params, timeoutMs: callMs });

  const callContract = (to: string, input: string): Promise<string> =>
    read(data, 'eth_call', [{ to, data: input }, 'latest']);

  async function block(tag: 'latest' | 'safe' | number): Promise<ChainBlock> {
    const name = typeof tag === 'number' ? hexNumber(tag) : tag;
    const found = await read(blockSchema, 'eth_getBlockByNumber', [name, false]);
    return { number: found.number, timestamp: found.timestamp };
  }

  return {
    block,
    chainId: () => read(small, 'eth_chainId', []),
    async hasCode(address) {
      const known = codes.get(address);
      if (known !== undefined && nowMs() - known.atMs < rememberCodeMs) return known.code;
      const code = (await read(data, 'eth_getCode', [address, 'latest'])) === '0x' ? 'none' : 'contract';
      if (codes.size >= maxRemembered) codes.clear();
      codes.set(address, { atMs: nowMs(), code });
      return code;
    },
    async balanceOf({ asset, owner }) {
      const answer = await callContract(asset, `${balanceSelector}${word(owner)}`);
      if (answer.length !== 2 + 64) throw new ChainUnavailable('balanceOf');
      return BigInt(answer);
    },
    async authorizationUsed({ asset, payer, nonce }) {
      const answer = await callContract(asset, `${stateSelector}${word(payer)}${nonce.slice(2)}`);
      if (answer.length !== 2 + 64) throw new ChainUnavailable('authorizationState');
      return BigInt(answer) !== 0n;
    },
    async findAuthorizationUse({ asset, payer, nonce, sinceSeconds }) {
      let { number: to, timestamp } = await block('latest');
      for (let window = 0; window < maxWindows && timestamp >= sinceSeconds; window += 1) {
        const from = Math.max(0, to - windowBlocks + 1);
        const logs = await read(z.array(logSchema), 'eth_getLogs', [
          {
            address: asset,
            fromBlock: hexNumber(from),
            toBlock: hexNumber(to),
            topics: [[usedTopic, canceledTopic], `0x${word(payer)}`, nonce],
          },
        ]);
        const [log] = logs;
        if (log !== undefined) {
          const event = log.topics[0]?.toLowerCase() === usedTopic ? 'used' : 'canceled';
          return { event, transaction: log.transactionHash.toLowerCase() };
        }
        if (from === 0) return null;
        to = from - 1;
        ({ timestamp } = await block(to));
      }
      return null;
    },
    async transaction(hash) {
      const found = await read(receiptSchema.nullable(), 'eth_getTransactionReceipt', [hash]);
      if (found === null) return null;
      return {
        succeeded: Number(found.status) === 1,
        blockNumber: found.blockNumber,
        transfers: found.logs.flatMap((log) => transferOf(log)),
      };
    },
    async tokenFacts(asset) {
      const [name, version, decimals] = [
        await callContract(asset, nameSelector),
        await callContract(asset, versionSelector),
        await callContract(asset, decimalsSelector),
      ];
      if (decimals.length !== 2 + 64) throw new ChainUnavailable('decimals');
      return { name: abiText(name), version: abiText(version), decimals: Number(decimals) };
    },
  };
}

function transferOf(log: { address: string; topics: string[]; data: string }): MinedTransaction['transfers'] {
  const [topic, from, to] = log.topics;
  if (topic?.toLowerCase() !== transferTopic || from === undefined || to === undefined) return [];
  if (log.data.length !== 2 + 64) return [];
  return [
    {
      token: log.address.toLowerCase(),
      from: `0x${from.slice(-40).toLowerCase()}`,
      to: `0x${to.slice(-40).toLowerCase()}`,
      value: BigInt(log.data),
    },
  ];
}

// one dynamic string: offset, length, bytes
function abiText(hex: string): string {
  const bytes = Buffer.from(hex.slice(2), 'hex');
  if (bytes.length < 64) return '';
  return bytes.subarray(64, 64 + Number(bytes.readBigUInt64BE(56))).toString('utf8');
}

function word(address: string): string {
  return address.slice(2).padStart(64, '0');
}

function hexNumber(number: number): string {
  return `0x${number.toString(16)}`;
}

/** True when a mined transaction moved exactly this payment to us. */
export function paysClaim(
  mined: MinedTransaction,
  payment: {
    readonly domainContract: string;
    readonly payer: string;
    readonly payTo: string;
    readonly amountMicro: number;
  },
): boolean {
  return (
    mined.succeeded &&
    mined.transfers.some(
      (transfer) =>
        transfer.token === payment.domainContract &&
        transfer.from === payment.payer &&
        transfer.to === payment.payTo &&
        transfer.value === BigInt(payment.amountMicro),
    )
  );
}
