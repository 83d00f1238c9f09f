import { resolve } from 'node:path';
import { directoryStore } from './directoryStore.ts';
import type { S3Input } from './s3/s3Client.ts';
import { s3Credentials } from './s3/s3Credentials.ts';
import { s3Endpoint } from './s3/s3Endpoint.ts';
import { s3Store } from './s3/s3Store.ts';
import { storeAddress } from './storeAddress.ts';
import type { Store } from './storePort.ts';

/**
 * Opens a store by its address: a directory, or `s3://bucket/prefix` with the usual `AWS_*` variables. Nothing is read
 * or connected yet.
 *
 * @param keepOpen files of a directory that stay open between reads of ranges
 * @param patience how long is waited for a bucket, and how often it is tried
 * @param signal stops what runs, and every later call
 * @throws IssuerError `configuration` when the address or the variables make no sense
 */
export function openStore({
  address,
  environment,
  keepOpen = 0,
  ...client
}: {
  address: string;
  environment: Readonly<Record<string, string | undefined>>;
  keepOpen?: number;
} & Pick<S3Input, 'patience' | 'signal'>): Store {
  const known = storeAddress(address);
  if (known.kind === 'directory') return directoryStore({ root: resolve(known.root), keepOpen });
  const endpoint = s3Endpoint({ bucket: known.bucket, environment });
  return s3Store({ ...known, ...client, endpoint, credentials: s3Credentials(environment) });
}
