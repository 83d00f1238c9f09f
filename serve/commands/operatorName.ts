import { IssuerError } from '../../data/contract/errors/issuerError.ts';

const operatorPattern = /^[A-Za-z0-9._@-]{1,64}$/;

/**
 * The actor an operator's change is journalled under (I5.51).
 *
 * @throws IssuerError `usage` for anything that is no name, a pasted key included.
 */
export function operatorName(name: string): `operator:${string}` {
  if (operatorPattern.test(name) && !/iik_/i.test(name)) return `operator:${name}`;
  throw new IssuerError({
    code: 'usage',
    message: '--as is not a name of 1 to 64 letters, digits or . _ @ -.',
    hint: 'Write for example --as ada.',
  });
}
