import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { priceDecimals } from '../config/knownNetworks.ts';
import { type ChainReader, ChainUnavailable } from '../evm/chainReader.ts';
import type { LedgerLog } from '../ledger/port/ledger.ts';

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
