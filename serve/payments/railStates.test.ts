import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChainReplica, chainReplica } from '../../fixtures/replicas/chainReplica.ts';
import { chainReader } from '../evm/chainReader.ts';
import { type JsonClient, jsonClient } from '../outbound/postJson.ts';
import { checkTokenDomain } from './railStates.ts';

const right = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USD Coin',
  assetVersion: '2',
};
const nowMs = () => 1_770_458_400_000;
let node: ChainReplica;
let client: JsonClient;
let events: string[];
beforeEach(async () => {
  events = [];
  node = await chainReplica({ nowMs });
  client = jsonClient({ baseUrl: node.url, nowMs });
});
afterEach(async () => {
  await client.close();
  await node.close();
});

const check = (x402: typeof right) =>
  checkTokenDomain(x402, {
    chain: chainReader({ client, nowMs }),
    log: ({ event }) => void events.push(event),
  });

describe('the facts of the token', () => {
  it('are compared with what the token says (P2.4)', async () => {
    await check(right);
    await expect(check({ ...right, assetName: 'USDC' })).rejects.toMatchObject({
      code: 'configuration',
      details: { variable: 'II_PAY_ASSET_NAME' },
      hint: 'The token says "USD Coin".',
    });
    await expect(check({ ...right, assetVersion: '1' })).rejects.toMatchObject({
      details: { variable: 'II_PAY_ASSET_VERSION' },
    });
  });

  it('are not read from a node of another chain', async () => {
    await expect(check({ ...right, network: 'eip155:84532' })).rejects.toMatchObject({
      code: 'configuration',
      details: { variable: 'II_PAY_RPC_URL' },
      hint: 'The node says eip155:8453.',
    });
  });

  it('hold six decimals, or every price would be another amount (P0.2)', async () => {
    node.decimals = 18;
    await expect(check(right)).rejects.toMatchObject({ details: { variable: 'II_PAY_ASSET_DECIMALS' } });
  });

  it('are not known while the node is away, which stops nothing', async () => {
    await node.close();
    await check({ ...right, assetName: 'USDC' });
    expect(events).toEqual(['token_not_checked']);
  });
});
