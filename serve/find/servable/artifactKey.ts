import type { AnyRowStore, AnySingle } from '../../../data/contract/payloads/stored.ts';
import { variantOf } from '../../../data/contract/payloads/variantOf.ts';
import type { Params } from '../../routing/readParams.ts';

/** What an artifact key is built from: slice, subject, and parameters by their names, all validated before (I4.33). */
export type KeyParts = Readonly<Record<string, string>>;

/** The key of a stored artifact or row store for one request. */
export function artifactKey(stored: AnySingle | AnyRowStore, params: Params, subject: KeyParts): string {
  const variants = 'variants' in stored ? stored.variants : undefined;
  const variant =
    variants === undefined ? '' : variantOf({ variants }, (flag) => params.values.get(flag) === true);
  const asked = [...params.values].map(([name, value]) => [name, String(value)]);
  const parts: KeyParts = { ...Object.fromEntries(asked), ...subject, variant };
  // every definition takes its own choice of these
  return stored.key(parts as never);
}
