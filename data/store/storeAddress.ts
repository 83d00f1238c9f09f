import { IssuerError } from '../contract/errors/issuerError.ts';

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
