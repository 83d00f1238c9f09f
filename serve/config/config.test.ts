import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { railStates } from '../payments/railStates.ts';
import { readConfig } from './config.ts';

const demo = join(import.meta.dirname, '../demo.env');
const read = (environment: Record<string, string>, envFile: string | null = demo) =>
  readConfig({ environment, envFile });

const checkout = {
  II_PAY_CHECKOUT_PROVIDER: 'stripe',
  II_PAY_CHECKOUT_SECRET_KEY: 'sk_test_1',
  II_PAY_CHECKOUT_WEBHOOK_SECRET: 'whsec_1',
  II_PAY_CHECKOUT_API_BASE: 'https://api.example.com',
  II_PAY_CHECKOUT_SUCCESS_URL: 'https://example.com/paid',
  II_PAY_CHECKOUT_CANCEL_URL: 'https://example.com/left',
  II_PAY_CHECKOUT_LIVE: 'false',
} as const;

/** The variables a start stops at. */
function blamed(environment: Record<string, string>, envFile: string | null = demo): unknown {
  try {
    read(environment, envFile);
  } catch (error) {
    if (!(error instanceof IssuerError) || error.code !== 'configuration') throw error;
    return error.details['variables'] ?? [error.details['variable']];
  }
  return [];
}

describe('the configuration', () => {
  it('of the demo binds to loopback, needs no secret and shows complete challenges (P0.7)', () => {
    const config = read({});
    expect(config.listen).toEqual({ host: '127.0.0.1', port: 8402, loopback: true });
    expect(config.challengeOnly).toBe(true);
    expect(config.deployment.x402).toMatchObject({
      network: 'eip155:8453',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      gateway: { verifyingContract: '0x77777777Dcc4d5A8B6E418Fd04D8997ef11000eE', timeoutSeconds: 604_900 },
    });
    expect(config.rateLimits).toMatchObject({ ip: 120, key: 600, payer: 600, grant: 120 });
  });

  it('reads artifacts from the data directory, another one, or a bucket with a replica (STORE ST15)', () => {
    expect(read({ II_DATA: '/srv/issuer' }).store).toEqual({
      kind: 'directory',
      root: '/srv/issuer/artifacts',
    });
    const elsewhere = read({ II_DATA: '/srv/issuer', II_STORE: '/mnt/artifacts' });
    expect([elsewhere.store, elsewhere.artifactsRoot]).toEqual([
      { kind: 'directory', root: '/mnt/artifacts' },
      '/mnt/artifacts',
    ]);
    const environment = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id' };
    const bucket = read({ II_DATA: '/srv/issuer', II_STORE: 's3://bucket/prefix', ...environment });
    expect(bucket.store).toEqual({
      kind: 's3',
      address: 's3://bucket/prefix',
      environment,
      replicaRoot: '/srv/issuer/replica',
      replicaBytes: 8 * 2 ** 30,
    });
    expect(blamed({ II_STORE: 's3://bucket/prefix' })).toEqual(['II_STORE']);
    expect(blamed({ II_STORE: 's3://Not A Bucket' })).toEqual(['II_STORE']);
    expect(blamed({ II_STORE_CACHE_BYTES: '1000' })).toEqual(['II_STORE_CACHE_BYTES']);
  });

  it('prefers the environment to the file', () => {
    expect(read({ II_LISTEN: '127.0.0.1:9', II_RATE_KEY: '7' })).toMatchObject({
      listen: { port: 9 },
      rateLimits: { key: 7 },
    });
  });

  it('shows secrets as set or unset and nothing else of them (P0.6)', () => {
    const secret = 's'.repeat(40);
    const { effective } = read({
      II_PAY_MPP_SECRET: secret,
      II_PAY_RPC_URL: `https://node.example/${secret}`,
      II_PAY_MPP_RPC_URL: 'http://127.0.0.1:1',
      II_PAY_MPP_RECIPIENT: `0x${'1'.repeat(40)}`,
      II_PAY_MPP_CURRENCY: `0x${'2'.repeat(40)}`,
      II_PAY_MPP_CURRENCY_DECIMALS: '6',
      II_PAY_MPP_CHAIN_ID: '42431',
    });
    expect(effective['II_PAY_MPP_SECRET']).toBe('set');
    expect(effective['II_PAY_RPC_URL']).toBe('set');
    expect(effective['II_PAY_GRANT_SECRETS']).toBe('unset');
    expect(JSON.stringify(effective)).not.toContain(secret);
  });

  it('chooses the ledger by II_LEDGER or DATABASE_URL (P0.6, P8.1)', () => {
    const connection = 'postgres://ledger:secret@db.example:5432/ledger';
    expect(read({ II_LEDGER: 'sqlite:/var/ledger.db' }).ledger).toEqual({
      kind: 'sqlite',
      path: '/var/ledger.db',
    });
    for (const name of ['II_LEDGER', 'DATABASE_URL']) {
      const config = read({ [name]: connection, II_DATA: '/var/data' });
      const markPath = '/var/data/ledger/postgres.mark';
      expect(config.ledger).toEqual({ kind: 'postgres', connection, markPath });
      expect(config.effective[name]).toBe('set');
    }
  });

  it.each([
    [{ II_LISTN: 'x' }, 'II_LISTN'],
    [{ II_LISTEN: 'nowhere' }, 'II_LISTEN'],
    [{ II_LISTEN: '127.0.0.1:70000' }, 'II_LISTEN'],
    [{ II_BASE_URL: 'https://api.example.com/path' }, 'II_BASE_URL'],
    [{ II_BASE_URL: 'ftp://api.example.com' }, 'II_BASE_URL'],
    [{ II_PAY_TO: '0x12' }, 'II_PAY_TO'],
    [{ II_RATE_IP: '0' }, 'II_RATE_IP'],
    [{ II_RATE_IP: '-1' }, 'II_RATE_IP'],
    [{ II_PAY_SETTLE_WAIT_MS: '20000' }, 'II_PAY_SETTLE_WAIT_MS'],
    [{ II_PAY_MPP_CURRENCY: '' }, 'II_PAY_MPP_CURRENCY'],
    [{ II_PAY_MPP_METHOD: 'other' }, 'II_PAY_MPP_METHOD'],
    [{ II_PAY_MPP_SECRET: 'short' }, 'II_PAY_MPP_SECRET'],
    [{ II_PAY_MPP_SECRET_PREVIOUS: 'x'.repeat(32) }, 'II_PAY_MPP_SECRET'],
    [{ II_PAY_MPP_RPC_URL: 'http://rpc.example' }, 'II_PAY_MPP_RPC_URL'],
    [{ II_PAY_CHECKOUT_PROVIDER: 'stripe' }, 'II_PAY_CHECKOUT_SECRET_KEY'],
    [{ ...checkout, II_PAY_CHECKOUT_API_BASE: '' }, 'II_PAY_CHECKOUT_API_BASE'],
    [{ ...checkout, II_PAY_CHECKOUT_LIVE: '' }, 'II_PAY_CHECKOUT_LIVE'],
    [{ ...checkout, II_PAY_CHECKOUT_API_BASE: 'http://api.example.com' }, 'II_PAY_CHECKOUT_API_BASE'],
    [{ ...checkout, II_PAY_CHECKOUT_LIVE: 'true' }, 'II_PAY_CHECKOUT_SECRET_KEY'],
    [{ ...checkout, II_PAY_CHECKOUT_SECRET_KEY: 'sk_live_1' }, 'II_PAY_CHECKOUT_SECRET_KEY'],
    [{ ...checkout, II_PAY_CHECKOUT_SECRET_KEY: 'secret' }, 'II_PAY_CHECKOUT_SECRET_KEY'],
    [
      {
        ...checkout,
        II_PAY_CHALLENGE_ONLY: 'off',
        II_PAY_GATEWAY: 'off',
        II_PAY_FACILITATOR_URL: 'https://f',
        II_PAY_MPP_RECIPIENT: '',
        II_PAY_MPP_CURRENCY: '',
        II_PAY_MPP_CHAIN_ID: '',
      },
      'II_PAY_GRANT_SECRETS',
    ],
    [{ II_PAY_GRANT_SECRETS: '{"k1":"short"}' }, 'II_PAY_GRANT_SECRETS'],
    [{ II_PAY_CHALLENGE_ONLY: 'off' }, 'II_PAY_GATEWAY_URL'],
    [{ II_PAY_CHALLENGE_ONLY: 'off', II_PAY_GATEWAY: 'off' }, 'II_PAY_FACILITATOR_URL'],
    [{ NODE_ENV: 'production' }, 'II_PAY_CHALLENGE_ONLY'],
    [{ NODE_ENV: 'production', II_PAY_CHALLENGE_ONLY: 'off', II_PAY_SHADOW: 'on' }, 'II_PAY_SHADOW'],
    [{ II_PAY_FACILITATOR_URL: 'http://pay.example' }, 'II_PAY_FACILITATOR_URL'],
    [{ II_PAY_GATEWAY_URL: 'http://gateway.example' }, 'II_PAY_GATEWAY_URL'],
    [{ II_PAY_RPC_URL: 'http://node.example' }, 'II_PAY_RPC_URL'],
    [{ II_PAY_V1_COMPAT: 'on', II_PAY_NETWORK: 'eip155:10' }, 'II_PAY_V1_COMPAT'],
    [{ II_PAY_GATEWAY_MAX_QUEUED_MICRO: '100' }, 'II_PAY_GATEWAY_MAX_QUEUED_MICRO'],
    [{ II_PAY_GATEWAY_TIMEOUT_S: '604799' }, 'II_PAY_GATEWAY_TIMEOUT_S'],
    [{ II_PAY_CHALLENGE_ONLY: 'off', II_PAY_GATEWAY: 'off', II_PAY_EXACT: 'self' }, 'II_PAY_RPC_URL'],
    [{ II_LEDGER: 'mysql://a:b@c/d' }, 'II_LEDGER'],
    [{ II_LEDGER: 'sqlite:/a', DATABASE_URL: 'postgres://b' }, 'DATABASE_URL'],
    [{ II_LISTEN: '0.0.0.0:80', II_RATE_KEY: 'off' }, 'II_RATE_KEY'],
    [{ II_TRUSTED_PROXIES: '10.0.0.0/99' }, 'II_TRUSTED_PROXIES'],
  ] as const)('stops at %j and names the variable', (environment, variable) => {
    expect(blamed(environment)).toContain(variable);
  });

  // a spelling is judged alone where the token is a stranger with all its facts (P0.8)
  const factsOfUnknownTokens = {
    II_PAY_NETWORK: 'eip155:5042',
    II_PAY_ASSET: `0x${'1'.repeat(40)}`,
    II_PAY_ASSET_NAME: 'Any Dollar',
    II_PAY_ASSET_VERSION: '1',
    II_PAY_ASSET_DECIMALS: '6',
    II_PAY_MPP_CURRENCY_DECIMALS: '6',
  };
  describe.each([
    'II_PAY_ASSET',
    'II_PAY_TO',
    'II_PAY_GATEWAY_WALLET',
    'II_PAY_MPP_RECIPIENT',
    'II_PAY_MPP_CURRENCY',
  ])('the address in %s', (variable) => {
    // the first one of EIP-55 itself
    const spelled = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const refusal = (value: string) => {
      try {
        read({ ...factsOfUnknownTokens, [variable]: value });
      } catch (error) {
        return error;
      }
      return null;
    };

    it('is not the zero address (P0.6)', () => {
      expect(refusal(`0x${'0'.repeat(40)}`)).toMatchObject({
        code: 'configuration',
        details: { variable },
        hint: 'It takes an address other than the zero address.',
      });
    });

    it('has a right checksum or none (P0.6)', () => {
      expect(refusal(spelled.replace('5aA', '5AA'))).toMatchObject({
        code: 'configuration',
        details: { variable },
        hint: expect.stringContaining('EIP-55'),
      });
      // one wrong digit
      expect(refusal(spelled.replace('5aA', '6aA'))).toMatchObject({ details: { variable } });
      const upper = `0x${spelled.slice(2).toUpperCase()}`;
      for (const value of [spelled, spelled.toLowerCase(), upper]) expect(refusal(value)).toBeNull();
    });
  });

  it('tells every problem at once, each with its step, and none twice', () => {
    const wrongs = {
      II_LISTN: 'x',
      II_PAY_TO: '0x12',
      II_RATE_IP: '0',
      II_LEDGER: 'mysql://a',
      II_PAY_GATEWAY: 'on',
      II_PAY_GATEWAY_WALLET: '0x77777777Dcc4d5A8B6E418Fd04D8997ef11000eE',
      II_ADMIN_LISTEN: '8.8.8.8:1',
      II_PAY_RPC_URL: 'http://node.example',
    };
    // the gateway wants an address to pay to as well: there is one, and it is named for what is wrong with it
    expect(blamed(wrongs, null)).toEqual([
      'II_LISTN',
      'II_BASE_URL',
      'II_PAY_TO',
      'II_RATE_IP',
      'II_PAY_GATEWAY_URL',
      'II_PAY_RPC_URL',
      'II_LEDGER',
      'II_ADMIN_LISTEN',
    ]);
    expect(() => read(wrongs, null)).toThrow('8 variables stand in the way.');
    expect(() => read(wrongs, null)).toThrow(
      expect.objectContaining({
        hint: expect.stringContaining('II_LEDGER names no ledger. Use sqlite:<path> or postgres://'),
      }),
    );
  });

  it('needs a base URL and says how to start without one', () => {
    expect(() => read({}, null)).toThrow('II_BASE_URL is required');
  });

  it('stops at an unknown name in the file and at a file that is not there', () => {
    const file = join(tmpdir(), `issuer-config-${process.pid}.env`);
    writeFileSync(file, 'II_BASE_URL=http://127.0.0.1:1\nII_PAY_GATEWAI=on\n');
    expect(() => read({}, file)).toThrow('II_PAY_GATEWAI');
    expect(() => read({}, '/nowhere/x.env')).toThrow(expect.objectContaining({ code: 'input_missing' }));
  });

  it('says which rails it switches on and who settles them (P0.6, P2.23)', () => {
    expect(railStates(read({}))).toMatchObject({
      x402_exact: 'challenge_only',
      gateway_batched: 'challenge_only',
      x402_version_1: 'off',
      mpp: 'challenge_only',
      checkout: 'off',
    });
    const settling = {
      II_PAY_CHALLENGE_ONLY: 'off',
      II_PAY_FACILITATOR_URL: 'https://pay.example',
      II_PAY_GATEWAY_URL: 'https://gateway.example',
      II_PAY_MPP_SECRET: 'm'.repeat(32),
      II_PAY_MPP_RPC_URL: 'https://rpc.example',
    };
    expect(railStates(read({ ...settling, II_PAY_V1_COMPAT: 'on' }))).toMatchObject({
      x402_exact: 'facilitator',
      gateway_batched: 'on',
      x402_version_1: 'on',
      mpp: 'on',
    });
    const self = { ...settling, II_PAY_EXACT: 'self', II_PAY_RPC_URL: 'http://127.0.0.1:8545' };
    expect(railStates(read(self))).toMatchObject({ x402_exact: 'self' });
    expect(railStates(read({ ...settling, II_PAY_EXACT: 'off' }))).toMatchObject({ x402_exact: 'off' });
    expect(railStates(read({ ...settling, II_PAY_SHADOW: 'on' }))).toMatchObject({ x402_exact: 'shadow' });
  });

  it('shows nothing of the facilitator’s token, nor of the key file’s content (S16)', () => {
    const { effective } = read({ II_PAY_FACILITATOR_AUTH: 'top-secret', II_PAY_SIGNER_KEY_FILE: '/etc/key' });
    expect(effective['II_PAY_FACILITATOR_AUTH']).toBe('set');
    expect(effective['II_PAY_SIGNER_KEY_FILE']).toBe('/etc/key');
  });
});
