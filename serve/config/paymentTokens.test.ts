import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const demo = join(import.meta.dirname, '../demo.env');
const read = (environment: Record<string, string>) =>
  readConfig({ environment: { II_PAY_GATEWAY: 'off', ...environment }, envFile: demo });
const refusal = (environment: Record<string, string>) => {
  try {
    read(environment);
  } catch (error) {
    return error;
  }
  return null;
};
const ofMainNet = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const stranger = `0x${'5'.repeat(40)}`;
const facts = {
  II_PAY_ASSET: stranger,
  II_PAY_ASSET_NAME: 'Any Dollar',
  II_PAY_ASSET_VERSION: '1',
  II_PAY_ASSET_DECIMALS: '6',
};

describe('the token of the x402 rail (P0.8)', () => {
  it('is that of the network: the test chain never offers the USDC of main net', () => {
    expect(read({ II_PAY_NETWORK: 'eip155:84532' }).deployment.x402).toMatchObject({
      network: 'eip155:84532',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      assetName: 'USDC',
      assetVersion: '2',
    });
    expect(read({}).deployment.x402).toMatchObject({ asset: ofMainNet, assetName: 'USD Coin' });
  });

  it('is shown with its facts by check-config, wherever they come from', () => {
    expect(read({ II_PAY_NETWORK: 'eip155:84532' }).effective).toMatchObject({
      II_PAY_ASSET: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      II_PAY_ASSET_NAME: 'USDC',
      II_PAY_ASSET_DECIMALS: '6',
    });
  });

  it('may be written out, in any case, where it agrees with the list', () => {
    const written = { II_PAY_ASSET: ofMainNet.toLowerCase(), II_PAY_ASSET_NAME: 'USD Coin' };
    expect(read(written).deployment.x402).toMatchObject({ asset: ofMainNet, assetVersion: '2' });
  });

  it.each([
    [
      'of main net on the test chain',
      { II_PAY_NETWORK: 'eip155:84532', II_PAY_ASSET: ofMainNet },
      'II_PAY_ASSET',
    ],
    [
      'of main net on the test chain, with every fact',
      { ...facts, II_PAY_NETWORK: 'eip155:84532', II_PAY_ASSET: ofMainNet },
      'II_PAY_ASSET',
    ],
    [
      'under the name it has on main net',
      { II_PAY_NETWORK: 'eip155:84532', II_PAY_ASSET_NAME: 'USD Coin' },
      'II_PAY_ASSET_NAME',
    ],
    ['under another version', { II_PAY_ASSET_VERSION: '1' }, 'II_PAY_ASSET_VERSION'],
    ['of eighteen decimals', { ...facts, II_PAY_ASSET_DECIMALS: '18' }, 'II_PAY_ASSET_DECIMALS'],
    ['of a network nobody knows, not named', { II_PAY_NETWORK: 'eip155:5042' }, 'II_PAY_ASSET'],
    ['a stranger without a name', { ...facts, II_PAY_ASSET_NAME: '' }, 'II_PAY_ASSET_NAME'],
    ['a stranger without a version', { ...facts, II_PAY_ASSET_VERSION: '' }, 'II_PAY_ASSET_VERSION'],
    ['a stranger without decimals', { ...facts, II_PAY_ASSET_DECIMALS: '' }, 'II_PAY_ASSET_DECIMALS'],
  ])('is refused %s', (_, environment, variable) => {
    expect(refusal(environment)).toMatchObject({ code: 'configuration', details: { variable } });
  });

  it('may be a stranger, on a known network and on another, with every fact written out', () => {
    for (const network of ['eip155:8453', 'eip155:5042'])
      expect(read({ ...facts, II_PAY_NETWORK: network }).deployment.x402).toMatchObject({
        network,
        asset: stranger,
        assetName: 'Any Dollar',
        assetVersion: '1',
      });
  });
});

describe('the addresses beside it (P0.8)', () => {
  const [main, test] = [
    '0x77777777Dcc4d5A8B6E418Fd04D8997ef11000eE',
    '0x0077777d7EBA4688BDeF3E311b846F25870A19B9',
  ];

  it('hold the gateway wallet of the kind of network', () => {
    const gateway = (network: string, wallet: string) =>
      refusal({ II_PAY_GATEWAY: 'on', II_PAY_NETWORK: network, II_PAY_GATEWAY_WALLET: wallet });
    expect(gateway('eip155:8453', main)).toBeNull();
    expect(gateway('eip155:84532', test)).toBeNull();
    expect(gateway('eip155:8453', stranger)).toBeNull();
    expect(gateway('eip155:84532', main)).toMatchObject({
      details: { variable: 'II_PAY_GATEWAY_WALLET' },
      hint: `There it is ${test}.`,
    });
    expect(gateway('eip155:8453', test)).toMatchObject({ hint: `There it is ${main}.` });
  });

  it('hold an MPP currency of its chain, or one whose decimals are written out', () => {
    const usdcOfTempo = '0x20C000000000000000000000b9537d11c60E8b50';
    const mpp = (chainId: string, currency: string, decimals = '') =>
      refusal({
        II_PAY_MPP_CHAIN_ID: chainId,
        II_PAY_MPP_CURRENCY: currency,
        II_PAY_MPP_CURRENCY_DECIMALS: decimals,
      });
    expect(mpp('4217', usdcOfTempo)).toBeNull();
    expect(mpp('42431', usdcOfTempo)).toMatchObject({ details: { variable: 'II_PAY_MPP_CURRENCY' } });
    expect(mpp('42431', stranger)).toMatchObject({
      details: { variable: 'II_PAY_MPP_CURRENCY_DECIMALS' },
    });
    expect(mpp('42431', stranger, '6')).toBeNull();
    expect(mpp('42431', stranger, '18')).toMatchObject({
      details: { variable: 'II_PAY_MPP_CURRENCY_DECIMALS' },
    });
  });
});
