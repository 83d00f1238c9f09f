import { readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { wrong } from '../config/configProblem.ts';

const othersMayRead = 0o077;

/** A setting that names the file of a private key. */
export type PrivateFile = {
  /** Its name in the environment. */
  readonly variable: string;
  readonly path: string;
};

/**
 * Reads a file that only its owner may read (P9.1).
 *
 * @throws IssuerError `configuration`, which names variable, path and account, and never says what is in the file
 */
export function readPrivateFile({ variable, path }: PrivateFile): string {
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & othersMayRead) !== 0)
      throw wrong(variable, 'names a file others may read', `Run chmod 600 ${path}.`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof IssuerError) throw error;
    throw unread(variable, path, (error as NodeJS.ErrnoException).code);
  }
}

function unread(variable: string, path: string, errno: string | undefined): IssuerError {
  if (errno === 'ENOENT')
    return wrong(
      variable,
      `names ${path}, which is not there`,
      'Write the key there, or unset the variable.',
    );
  const { username } = userInfo();
  return wrong(
    variable,
    `names ${path}, which the account ${username} may not read (${errno ?? 'unknown'})`,
    `Run chown ${username} ${path} and chmod 600 ${path}; it needs to enter the directories above, too.`,
  );
}

/** Reads the signing key of the settler (P9.1, S27): `0x` and 64 hex digits. @throws IssuerError `configuration` */
export function readSignerKey(path: string | null): `0x${string}` {
  const variable = 'II_PAY_SIGNER_KEY_FILE';
  if (path === null) throw wrong(variable, 'is missing', 'Give the path of a file with the signing key.');
  const text = readPrivateFile({ variable, path }).trim();
  if (!/^0x[0-9a-fA-F]{64}$/.test(text))
    throw wrong(variable, 'names a file without a key', 'Write 0x and 64 hex digits.');
  return text as `0x${string}`;
}
