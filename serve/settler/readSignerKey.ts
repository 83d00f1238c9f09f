import { readFileSync, statSync } from 'node:fs';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';

const othersMayRead = 0o077;

/**
 * Reads the signing key of the settler from a file only its owner may read (P9.1, S27): `0x` and 64 hex digits.
 *
 * @throws IssuerError `configuration`, which never says what is in the file.
 */
export function readSignerKey(path: string | null): `0x${string}` {
  if (path === null) throw wrong('is missing', 'Give the path of a file with the signing key.');
  let text: string;
  try {
    const { mode } = statSync(path);
    if (process.platform !== 'win32' && (mode & othersMayRead) !== 0)
      throw wrong('names a file others may read', `Run chmod 600 ${path}.`);
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error instanceof IssuerError) throw error;
    throw wrong('names a file that cannot be read', 'Check path and owner of the file.');
  }
  if (!/^0x[0-9a-fA-F]{64}$/.test(text))
    throw wrong('names a file without a key', 'Write 0x and 64 hex digits.');
  return text as `0x${string}`;
}

function wrong(what: string, hint: string): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `II_PAY_SIGNER_KEY_FILE ${what}.`,
    hint,
    details: { variable: 'II_PAY_SIGNER_KEY_FILE' },
  });
}
