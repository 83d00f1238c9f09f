import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Config } from '../config/config.ts';
import { priceDecimals } from '../config/knownNetworks.ts';
import { type ChainReader, ChainUnavailable } from '../evm/chainReader.ts';
import { loadSignatureBackend } from '../evm/recoverSigner.ts';
import type { LedgerLog } from '../ledger/port/ledger.ts';

/** Which rails a configuration switches on and who settles them, as `check-config` prints it (P0.6, P2.23). */
export type RailStates = {
  readonly x402_exact: 'facilitator' | 'self' | 'challenge_only' | 'shadow' | 'off';
  readonly gateway_batched: 'on' | 'challenge_only' | 'shadow' | 'off';
  readonly x402_version_1: 'on' | 'off';
  /** In shadow mode it shows challenges and takes no payment. */
  readonly mpp: 'on' | 'challenge_only' | 'shadow' | 'off';
  readonly checkout: 'on' | 'off';
  /** Who recovers signatures; `noble` is about twenty times slower. */
  readonly signatures: 'native' | 'noble';
};

/** The rails of one configuration. */
export function railStates({ deployment, payments }: Config): RailStates {
  const { payTo, gateway } = deployment.x402;
  const state = <S extends string>(on: boolean, settled: S) => {
    if (!on) return 'off';
    if (payments.challengeOnly) return 'challenge_only';
    return payments.shadow ? 'shadow' : settled;
  };
  const exact = payments.exact === 'off' ? 'facilitator' : payments.exact;
  return {
    x402_exact: state(payTo !== null && payments.exact !== 'off', exact),
    gateway_batched: state(payTo !== null && gateway !== null, 'on'),
    x402_version_1: payments.v1Network === null ? 'off' : 'on',
    mpp: state(deployment.mpp !== null, 'on'),
    checkout: deployment.checkoutEnabled ? 'on' : 'off',
    signatures: loadSignatureBackend().name,
  };
}

/**
 * Compares the configured network with that of the node, and name, version and decimals of the token with what the
 * token says: a wrong one makes every signature fail, or every price another (P2.4). A node that does not answer stops
 * nothing.
 *
 * @throws IssuerError `configuration`
 */
export async function checkTokenDomain(
  x402: {
    readonly network: string;
    readonly asset: string;
    readonly assetName: string;
    readonly assetVersion: string;
  },
  { chain, log }: { readonly chain: ChainReader; readonly log: LedgerLog },
): Promise<void> {
  try {
    const network = `eip155:${await chain.chainId()}`;
    if (network !== x402.network) throw nodeOfAnotherChain(network);
    const { name, version, decimals } = await chain.tokenFacts(x402.asset);
    if (name !== x402.assetName) throw differs('II_PAY_ASSET_NAME', name);
    if (version !== x402.assetVersion) throw differs('II_PAY_ASSET_VERSION', version);
    if (String(decimals) !== priceDecimals) throw differs('II_PAY_ASSET_DECIMALS', String(decimals));
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    log({ level: 'warn', event: 'token_not_checked' });
  }
}

function nodeOfAnotherChain(network: string): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: 'II_PAY_RPC_URL is not a node of II_PAY_NETWORK.',
    hint: `The node says ${network}.`,
    details: { variable: 'II_PAY_RPC_URL' },
  });
}

function differs(variable: string, onChain: string): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `${variable} is not what the token says.`,
    hint: `The token says ${JSON.stringify(onChain)}.`,
    details: { variable },
  });
}
