import type { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { wrong } from './configProblem.ts';

/** One secret that signs tokens; `kid` names it inside them (P7.7). */
export type GrantSecret = { readonly kid: string; readonly secret: Buffer };

/** The secrets of a deployment that has grants, newest first. */
export type GrantSecrets = readonly [GrantSecret, ...GrantSecret[]];

/** How this deployment signs grant tokens. */
export type GrantsConfig = {
  /** Newest first; none: grants are off. Never printed (S16). */
  readonly secrets: readonly GrantSecret[];
};

const kidPattern = /^[A-Za-z0-9_-]{1,32}$/;
const leastBytes = 32;

/**
 * Reads `II_PAY_GRANT_SECRETS`: a JSON object of base64 secrets by kid, newest first (P0.6).
 *
 * @throws IssuerError `configuration`; the value itself is never repeated.
 */
export function grantsConfig(value: string | undefined): GrantsConfig {
  if (value === undefined) return { secrets: [] };
  const entries = entriesOf(value);
  if (entries.length === 0) throw notSecrets('holds no secret');
  return {
    secrets: entries.map(([kid, encoded]) => {
      if (!kidPattern.test(kid)) throw notSecrets('has a kid that is not 1 to 32 letters, digits, _ or -');
      const secret =
        typeof encoded === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(encoded)
          ? Buffer.from(encoded, 'base64')
          : null;
      if (secret === null || secret.length < leastBytes)
        throw notSecrets(`has a secret that is not base64 of ${leastBytes} bytes or more`);
      return { kid, secret };
    }),
  };
}

// JSON.parse sorts names that are array indexes to the front: the order of such kids would be lost
function entriesOf(value: string): [string, unknown][] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw notSecrets('is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw notSecrets('is not a JSON object');
  const entries = Object.entries(parsed);
  if (entries.some(([kid]) => /^\d+$/.test(kid))) throw notSecrets('has a kid of digits only');
  return entries;
}

function notSecrets(what: string): IssuerError {
  const hint = 'It takes {"<kid>": "<base64 of 32 random bytes>"}, the newest first.';
  return wrong('II_PAY_GRANT_SECRETS', what, hint);
}
