import { resolve } from 'node:path';
import { IssuerError } from '../contract/errors/issuerError.ts';
import { directoryStore } from './directoryStore.ts';
import type { S3Patience } from './s3/s3Client.ts';
import { s3Credentials } from './s3/s3Credentials.ts';
import { s3Endpoint } from './s3/s3Endpoint.ts';
import { s3Store } from './s3/s3Store.ts';
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
  patience,
  signal,
}: {
  address: string;
  environment: Readonly<Record<string, string | undefined>>;
  keepOpen?: number;
  patience?: S3Patience;
  signal?: AbortSignal;
}): Store {
  const known = storeAddress(address);
  if (known.kind === 'directory') return directoryStore({ root: resolve(known.root), keepOpen });
  const { bucket, prefix } = known;
  const endpoint = s3Endpoint({ bucket, environment });
  return s3Store({
    bucket,
    prefix,
    endpoint,
    credentials: s3Credentials(environment),
    ...(patience === undefined ? {} : { patience }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Where a store is. `prefix` is empty, or ends in a slash. */
export type StoreAddress =
  | { readonly kind: 'directory'; readonly root: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixPattern = /^([A-Za-z0-9_=.-]+\/)*$/;

/** Reads the address of a store: `s3://bucket/prefix`, or a directory. @throws IssuerError `configuration` */
export function storeAddress(text: string): StoreAddress {
  if (!/^[a-z0-9+.-]+:\/\//i.test(text) && text !== '') return { kind: 'directory', root: text };
  const rest = /^s3:\/\/(.*)$/.exec(text)?.[1];
  const slash = rest?.indexOf('/') ?? -1;
  const bucket = slash < 0 ? (rest ?? '') : (rest ?? '').slice(0, slash);
  const path = slash < 0 ? '' : (rest ?? '').slice(slash + 1).replace(/\/+$/, '');
  const prefix = path === '' ? '' : `${path}/`;
  const isDotted = prefix.split('/').some((part) => part === '.' || part === '..');
  if (rest === undefined || !bucketPattern.test(bucket) || !prefixPattern.test(prefix) || isDotted) {
    throw new IssuerError({
      code: 'configuration',
      // an address may hold what was meant for another variable
      message: `The address of the store is no directory and no bucket${text.includes('@') ? '' : ` ("${text.slice(0, 200)}")`}.`,
      hint: 'Give a directory, or s3://<bucket>/<prefix> of letters, digits, "-", "_", "." and "="; credentials come from AWS_* variables.',
    });
  }
  return { kind: 's3', bucket, prefix };
}
