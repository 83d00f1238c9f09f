import { IssuerError } from '../../contract/errors/issuerError.ts';
import { type ChainReader, ChainUnavailable } from '../evm/chainReader.ts';
import type { LedgerLog } from '../ledger/port/ledger.ts';

/**
 * Compares the configured name and version of the token with what the token says: a wrong one makes every signature
 * fail (P2.4). A node that does not answer stops nothing.
 *
 * @throws IssuerError `configuration`
 */
export async function checkTokenDomain(
  x402: { readonly asset: string; readonly assetName: string; readonly assetVersion: string },
  { chain, log }: { readonly chain: ChainReader; readonly log: LedgerLog },
): Promise<void> {
  try {
    const { name, version } = await chain.tokenDomain(x402.asset);
    if (name !== x402.assetName) throw differs('II_PAY_ASSET_NAME', name);
    if (version !== x402.assetVersion) throw differs('II_PAY_ASSET_VERSION', version);
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    log({ level: 'warn', event: 'token_not_checked' });
  }
}

function differs(variable: string, onChain: string): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `${variable} is not what the token says.`,
    hint: `The token says ${JSON.stringify(onChain)}.`,
    details: { variable },
  });
}
