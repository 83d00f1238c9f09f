import type { X402Rail } from '../../data/contract/emit/deployment.ts';
import type { Config } from '../config/config.ts';
import { wrong } from '../config/configProblem.ts';
import { priceDecimals } from '../config/knownNetworks.ts';
import { type ChainReader, ChainUnavailable } from '../evm/chainReader.ts';
import { loadSignatureBackend } from '../evm/recoverSigner.ts';
import type { LedgerLog } from '../ledger/port/ledger.ts';

/** Which rails a configuration switches on and who settles them, as `check-config` prints it (P0.6, P2.23). */
export function railStates({ deployment, payments }: Config) {
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
    /** In shadow mode it shows challenges and takes no payment. */
    mpp: state(deployment.mpp !== null, 'on'),
    checkout: deployment.checkoutEnabled ? 'on' : 'off',
    /** Who recovers signatures; `noble` is about twenty times slower. */
    signatures: loadSignatureBackend().name,
  } as const;
}

/**
 * Compares the configured network with that of the node, and name, version and decimals of the token with what the
 * token says: a wrong one makes every signature fail, or every price another (P2.4). A node that does not answer stops
 * nothing.
 *
 * @throws IssuerError `configuration`
 */
export async function checkTokenDomain(
  x402: Pick<X402Rail, 'network' | 'asset' | 'assetName' | 'assetVersion'>,
  { chain, log }: { readonly chain: ChainReader; readonly log: LedgerLog },
): Promise<void> {
  const differs = (variable: string, onChain: string) =>
    wrong(variable, 'is not what the token says', `The token says ${JSON.stringify(onChain)}.`);
  try {
    const network = `eip155:${await chain.chainId()}`;
    if (network !== x402.network)
      throw wrong('II_PAY_RPC_URL', 'is not a node of II_PAY_NETWORK', `The node says ${network}.`);
    const { name, version, decimals } = await chain.tokenFacts(x402.asset);
    if (name !== x402.assetName) throw differs('II_PAY_ASSET_NAME', name);
    if (version !== x402.assetVersion) throw differs('II_PAY_ASSET_VERSION', version);
    if (String(decimals) !== priceDecimals) throw differs('II_PAY_ASSET_DECIMALS', String(decimals));
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    log({ level: 'warn', event: 'token_not_checked' });
  }
}
