import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { checksumAddress } from '../evm/checksumAddress.ts';

/**
 * Lower-case address of a wallet that may sign: in mixed case it is a valid EIP-55 checksum, and not zero (I4.F04.1).
 *
 * @throws IssuerError `invalid_parameter`
 */
export function checkedWallet(text: string): string {
  const wallet = text.toLowerCase();
  if (!/^0x[0-9a-f]{40}$/.test(wallet)) throw badWallet('pattern', 'It is 0x and 40 hex digits.');
  if (/^0x0{40}$/.test(wallet)) throw badWallet('zero_address', 'The zero address cannot sign.');
  const digits = text.slice(2);
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!oneCase && text !== checksumAddress(wallet))
    throw badWallet('checksum', 'Its letter case is no EIP-55 checksum; send it in lower case.');
  return wallet;
}

function badWallet(reason: string, hint: string): IssuerError {
  return new IssuerError({
    code: 'invalid_parameter',
    message: 'wallet is not valid.',
    hint,
    details: { parameter: 'wallet', reason },
  });
}
