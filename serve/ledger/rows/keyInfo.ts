import type { ApiKeyInfo, ApiKeyRecord } from '../port/key.ts';

/** What may be shown of a key. */
export function keyInfo(record: ApiKeyRecord): ApiKeyInfo {
  const { salt: _salt, secretHash: _hash, ...info } = record;
  return info;
}
