import { describe, expect, it } from 'vitest';
import { openStore } from './openStore.ts';
import { s3Endpoint } from './s3/s3Endpoint.ts';
import { storeAddress } from './storeAddress.ts';

const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

describe('the address of a store', () => {
  it('is a directory, or a bucket with a prefix', () => {
    expect(storeAddress('/srv/issuer/artifacts')).toEqual({
      kind: 'directory',
      root: '/srv/issuer/artifacts',
    });
    expect(storeAddress('s3://figures')).toEqual({ kind: 's3', bucket: 'figures', prefix: '' });
    expect(storeAddress('s3://figures/a/b=1/')).toEqual({ kind: 's3', bucket: 'figures', prefix: 'a/b=1/' });
  });

  it.each([
    's3://',
    's3://Figures',
    's3:///prefix',
    's3://figures/../other',
    's3://figures/a b',
    's3://figures//a',
    'https://figures.s3.amazonaws.com',
    'gs://figures',
    '',
  ])('refuses %j', (address) => {
    expect(() => storeAddress(address)).toThrow(expect.objectContaining({ code: 'configuration' }));
  });

  it('is not repeated where it holds a password', () => {
    expect(() => storeAddress('s3://id:secret@figures/a')).toThrow(/^((?!secret).)*$/);
  });
});

describe('where a bucket is asked for', () => {
  const at = (environment: Readonly<Record<string, string>>, bucket = 'figures') =>
    s3Endpoint({ bucket, environment });

  it('follows the usual variables', () => {
    expect(at({ AWS_REGION: 'eu-west-3' })).toEqual({
      url: 'https://figures.s3.eu-west-3.amazonaws.com',
      region: 'eu-west-3',
    });
    expect(at({ AWS_DEFAULT_REGION: 'eu-west-3' }, 'figures.example').url).toBe(
      'https://s3.eu-west-3.amazonaws.com/figures.example',
    );
    expect(at({ AWS_ENDPOINT_URL: 'http://127.0.0.1:9000/' })).toEqual({
      url: 'http://127.0.0.1:9000/figures',
      region: 'us-east-1',
    });
    const both = { AWS_ENDPOINT_URL: 'http://other', AWS_ENDPOINT_URL_S3: 'https://objects.example/base' };
    expect(at(both).url).toBe('https://objects.example/base/figures');
  });

  it('names the variable that is missing or wrong', () => {
    expect(() => at({})).toThrow('Neither AWS_REGION nor AWS_ENDPOINT_URL is set');
    expect(() => at({ AWS_REGION: 'eu west' })).toThrow('AWS_REGION');
    expect(() => at({ AWS_ENDPOINT_URL: 'objects.example:9000' })).toThrow('AWS_ENDPOINT_URL');
    expect(() => at({ AWS_ENDPOINT_URL: 'https://me@objects.example' })).toThrow('AWS_ENDPOINT_URL');
  });

  it('says which credentials are missing', async () => {
    const environment = { AWS_REGION: 'us-east-1', AWS_SHARED_CREDENTIALS_FILE: '/nowhere/credentials' };
    const store = openStore({ address: 's3://figures', environment });
    await expect(store.read('current')).rejects.toMatchObject({
      code: 'configuration',
      hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write both for profile [default] into /nowhere/credentials.',
    });
    store.close();
    expect(openStore({ address: 's3://figures/a/b', environment: { ...keys, ...environment } }).address).toBe(
      's3://figures/a/b',
    );
  });
});
