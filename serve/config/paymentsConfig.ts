import type { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { wrong } from './configProblem.ts';
import type { Variables } from './configVariables.ts';
import {
  currencyOn,
  type KnownToken,
  knownNetwork,
  misplacedGatewayWallet,
  networkOfToken,
  priceDecimals,
  sameAddress,
  v1NetworkOf,
} from './knownNetworks.ts';

/** How this deployment settles payments (PAYMENTS 0). */
export type PaymentsConfig = ReturnType<typeof paymentsConfig>;

/** What the MPP rail needs beside its public terms; null where it is not set. */
export type MppConfig = PaymentsConfig['mpp'];

/** The payment settings of validated variables. */
export function paymentsConfig(v: Variables) {
  const [perPayer = 0, total = 0] = v.II_PAY_GATEWAY_MAX_QUEUED_MICRO.split(',').map(Number);
  return {
    challengeOnly: v.II_PAY_CHALLENGE_ONLY === 'on',
    exact: v.II_PAY_TO === undefined ? 'off' : v.II_PAY_EXACT,
    facilitatorUrl: v.II_PAY_FACILITATOR_URL ?? null,
    /** Never printed (S16). */
    facilitatorAuth: v.II_PAY_FACILITATOR_AUTH ?? null,
    verifySeparately: v.II_PAY_EXACT_VERIFY === 'facilitator',
    contractWallets: v.II_PAY_CONTRACT_WALLETS,
    confirmReceipt: v.II_PAY_CONFIRM === 'receipt',
    rpcUrl: v.II_PAY_RPC_URL ?? null,
    gatewayUrl: v.II_PAY_GATEWAY === 'on' ? (v.II_PAY_GATEWAY_URL ?? null) : null,
    /** Read by the settlement process alone (P9.1). */
    signerKeyFile: v.II_PAY_SIGNER_KEY_FILE ?? null,
    /** Signs offers and receipts; null: they are not signed (P2.57). */
    proofKeyFile: v.II_PAY_PROOF_KEY_FILE ?? null,
    /** Above this base fee the settler waits (P9.10). */
    maxFeeGwei: v.II_PAY_MAX_FEE_GWEI,
    /** Network name for version 1 clients; null while they are not served (P2.49). */
    v1Network: v.II_PAY_V1_COMPAT === 'on' ? v1NetworkOf(v.II_PAY_NETWORK) : null,
    bazaar: v.II_PAY_BAZAAR === 'on',
    doubleGuard: v.II_PAY_DOUBLE_GUARD === 'on',
    shadow: v.II_PAY_SHADOW === 'on',
    settleWaitMs: v.II_PAY_SETTLE_WAIT_MS,
    settleCallMs: v.II_PAY_SETTLE_CALL_MS,
    maxQueuedPerPayerMicro: perPayer,
    maxQueuedTotalMicro: total,
    mpp: {
      /** Never printed (S16). */
      secret: v.II_PAY_MPP_SECRET ?? null,
      /** Verifies for a while after a rotation (P4.19). */
      previousSecret: v.II_PAY_MPP_SECRET_PREVIOUS ?? null,
      rpcUrl: v.II_PAY_MPP_RPC_URL ?? null,
    },
  } as const;
}

/**
 * The token the x402 rail is paid in: that of the network, unless another is configured with every fact its
 * signatures need (P0.8).
 *
 * @throws IssuerError `configuration` for a token of another chain, one without its facts, or facts that are not its
 */
export function paymentToken(v: Variables): KnownToken {
  const { II_PAY_NETWORK: network, II_PAY_ASSET: asset } = v;
  const known = knownNetwork(network);
  if (known !== null && (asset === undefined || sameAddress(asset, known.usdc.address)))
    return confirmed(v, known.usdc, `USDC on ${known.title}`);
  if (asset === undefined)
    throw wrong(
      'II_PAY_ASSET',
      `is missing although ${network} is no network this program knows`,
      'Set II_PAY_ASSET, II_PAY_ASSET_NAME, II_PAY_ASSET_VERSION and II_PAY_ASSET_DECIMALS, or correct II_PAY_NETWORK.',
    );
  const elsewhere = networkOfToken(asset);
  if (elsewhere !== null)
    throw wrong(
      'II_PAY_ASSET',
      `is the token of ${elsewhere}, not of ${network}`,
      known === null ? 'Give the token of that chain.' : `Leave it out: it is ${known.usdc.address} there.`,
    );
  const { II_PAY_ASSET_NAME: name, II_PAY_ASSET_VERSION: version, II_PAY_ASSET_DECIMALS: digits } = v;
  if (name === undefined) throw factMissing('II_PAY_ASSET_NAME');
  if (version === undefined) throw factMissing('II_PAY_ASSET_VERSION');
  if (digits === undefined) throw factMissing('II_PAY_ASSET_DECIMALS');
  return { address: asset, name, version };
}

/**
 * Refuses a gateway wallet of the other kind of network, and an MPP currency that is known on another chain or, without
 * its decimals, on none (P0.8).
 *
 * @throws IssuerError `configuration`
 */
export function refuseMisplacedAddresses(v: Variables): void {
  const { II_PAY_GATEWAY_WALLET: wallet, II_PAY_NETWORK: network } = v;
  const right =
    wallet === undefined || v.II_PAY_GATEWAY === 'off' ? null : misplacedGatewayWallet(network, wallet);
  if (right !== null)
    throw wrong(
      'II_PAY_GATEWAY_WALLET',
      `is no gateway wallet of ${network}: test networks have one of their own`,
      `There it is ${right}.`,
    );
  const { II_PAY_MPP_CURRENCY: currency, II_PAY_MPP_CHAIN_ID: chainId } = v;
  if (currency === undefined || chainId === undefined) return;
  const place = currencyOn(chainId, currency);
  if (place === 'elsewhere')
    throw wrong(
      'II_PAY_MPP_CURRENCY',
      `is a currency of another chain than ${chainId}`,
      'Give one of that chain, or correct II_PAY_MPP_CHAIN_ID.',
    );
  if (place === 'unknown' && v.II_PAY_MPP_CURRENCY_DECIMALS === undefined)
    throw wrong(
      'II_PAY_MPP_CURRENCY_DECIMALS',
      `is missing although the program does not know that currency on chain ${chainId}`,
      `Set it to ${priceDecimals} when the currency says so, or correct II_PAY_MPP_CURRENCY and II_PAY_MPP_CHAIN_ID.`,
    );
}

function factMissing(variable: string): IssuerError {
  return wrong(
    variable,
    'is missing although II_PAY_ASSET is a token this program does not know on II_PAY_NETWORK',
    'Set what the token itself answers, or leave II_PAY_ASSET out.',
  );
}

function confirmed(v: Variables, token: KnownToken, title: string): KnownToken {
  const given = [
    ['II_PAY_ASSET_NAME', v.II_PAY_ASSET_NAME, token.name],
    ['II_PAY_ASSET_VERSION', v.II_PAY_ASSET_VERSION, token.version],
    ['II_PAY_ASSET_DECIMALS', v.II_PAY_ASSET_DECIMALS, priceDecimals],
  ] as const;
  for (const [variable, value, right] of given)
    if (value !== undefined && value !== right)
      throw wrong(
        variable,
        `is not that of ${title}, so every signature would fail`,
        `Leave it out: it is ${JSON.stringify(right)}.`,
      );
  return token;
}
