import {
  BaseError,
  type Chain,
  createPublicClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  HttpRequestError,
  http,
  keccak256,
  nonceManager,
  parseAbi,
  TimeoutError,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  type Fees,
  RpcFailure,
  type SettlerChain,
  type SignedTransfer,
  type Simulation,
} from './settlerChain.ts';

// the one file that loads viem; the server never does (P9.2, P12.2)

const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);
const callMs = 10_000;

/** Revert texts of the token and the reasons they stand for (P9.6 b). */
const revertReasons: readonly (readonly [RegExp, string])[] = [
  [/exceeds balance|insufficient balance/i, 'insufficient_funds'],
  [/authorization is expired/i, 'valid_before'],
  [/not yet valid/i, 'valid_after'],
  [/invalid signature/i, 'invalid_signature'],
];

/** The settler's node and account over viem. */
export function viemChain(input: {
  rpcUrl: string;
  /** `eip155:8453` */
  network: string;
  asset: string;
  privateKey: Hex;
  maxFeeWei: bigint;
}): SettlerChain {
  const chain: Chain = defineChain({
    id: Number(input.network.slice('eip155:'.length)),
    name: input.network,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [input.rpcUrl] } },
  });
  const client = createPublicClient({
    chain,
    transport: http(input.rpcUrl, { timeout: callMs, retryCount: 0 }),
  });
  const account = privateKeyToAccount(input.privateKey, { nonceManager });
  const place = { address: account.address, chainId: chain.id };
  const asset = input.asset as Hex;

  return {
    signer: account.address.toLowerCase(),
    async simulate(transfer) {
      try {
        const gas = await client.estimateContractGas({
          address: asset,
          abi,
          functionName: 'transferWithAuthorization',
          args: argsOf(transfer),
          account: account.address,
        });
        return { kind: 'ok', gas };
      } catch (error) {
        return simulationOf(error);
      }
    },
    fees: () => answered(() => feesNow(client, input.maxFeeWei)),
    balance: () => answered(() => client.getBalance({ address: account.address })),
    allocateNonce: () => answered(() => nonceManager.consume({ ...place, client })),
    resetNonces: () => nonceManager.reset(place),
    async sign({ transfer, accountNonce, gas, fees }) {
      const data = encodeFunctionData({
        abi,
        functionName: 'transferWithAuthorization',
        args: argsOf(transfer),
      });
      const raw = await account.signTransaction({
        type: 'eip1559',
        chainId: chain.id,
        nonce: accountNonce,
        to: asset,
        data,
        gas,
        ...fees,
      });
      return { rawTx: Buffer.from(raw.slice(2), 'hex'), txHash: keccak256(raw) };
    },
    async send(rawTx) {
      try {
        await client.sendRawTransaction({
          serializedTransaction: `0x${Buffer.from(rawTx).toString('hex')}`,
        });
        return 'sent';
      } catch (error) {
        const text = error instanceof Error ? error.message : '';
        if (/already known|already imported|nonce too low|underpriced|exists/i.test(text)) return 'known';
        if (/insufficient funds/i.test(text)) return 'no_funds';
        throw new RpcFailure('eth_sendRawTransaction', { cause: error });
      }
    },
    mined: (txHash) =>
      answered(async () => {
        const found = await client.request({ method: 'eth_getTransactionReceipt', params: [txHash as Hex] });
        if (found === null) return null;
        return {
          transaction: txHash,
          succeeded: found.status === '0x1',
          blockNumber: Number(found.blockNumber),
          gasUsed: BigInt(found.gasUsed),
          effectiveGasPrice: BigInt(found.effectiveGasPrice),
        };
      }),
  };
}

type Client = ReturnType<typeof createPublicClient>;

async function feesNow(client: Client, maxFeeWei: bigint): Promise<Fees | null> {
  const [{ baseFeePerGas }, { maxFeePerGas, maxPriorityFeePerGas }] = await Promise.all([
    client.getBlock({ blockTag: 'latest' }),
    client.estimateFeesPerGas(),
  ]);
  if (baseFeePerGas !== null && baseFeePerGas > maxFeeWei) return null;
  const capped = maxFeePerGas > maxFeeWei ? maxFeeWei : maxFeePerGas;
  const tip = maxPriorityFeePerGas > capped ? capped : maxPriorityFeePerGas;
  return { maxFeePerGas: capped, maxPriorityFeePerGas: tip };
}

function argsOf({ authorization, signature }: SignedTransfer) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const r = `0x${signature.slice(2, 66)}` as const;
  const s = `0x${signature.slice(66, 130)}` as const;
  const v = Number.parseInt(signature.slice(130), 16);
  return [from as Hex, to as Hex, value, validAfter, validBefore, nonce as Hex, v, r, s] as const;
}

function simulationOf(error: unknown): Simulation {
  const transport =
    error instanceof BaseError &&
    error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null;
  const text = error instanceof Error ? error.message : '';
  if (transport || !/revert/i.test(text)) throw new RpcFailure('eth_estimateGas', { cause: error });
  if (/used or canceled|authorization is used/i.test(text)) return { kind: 'nonce_used' };
  const known = revertReasons.find(([pattern]) => pattern.test(text));
  return { kind: 'reverted', reason: known?.[1] ?? 'simulation_failed' };
}

async function answered<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new RpcFailure('rpc', { cause });
  }
}
