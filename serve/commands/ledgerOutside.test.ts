import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TempoBuyer, tempoBuyer } from '../../fixtures/builders/tempoBuyer.ts';
import { type TempoReplica, tempoReplica } from '../../fixtures/replicas/tempoReplica.ts';
import { type PaidRig, paidRig, payTo } from '../../fixtures/rigs/paidRig.ts';
import { readConfig } from '../config/config.ts';
import type { Ledger } from '../ledger/port/ledger.ts';
import { checkChain } from './ledgerOutside.ts';

const path = '/mpp/v1/readiness';
const clock = { nowMs: Date.now() };
let rig: PaidRig;
let node: TempoReplica;
let buyer: TempoBuyer;
let environment: Record<string, string>;

beforeEach(async () => {
  node = await tempoReplica({ nowMs: () => clock.nowMs });
  environment = {
    II_PAY_MPP_RECIPIENT: payTo,
    II_PAY_MPP_CURRENCY: '0x20c0000000000000000000000000000000000000',
    II_PAY_MPP_CHAIN_ID: '1337',
    II_PAY_MPP_RPC_URL: node.url,
    II_PAY_MPP_SECRET: 'the secret of the test deployment',
  };
  rig = await paidRig({ clock, environment });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  buyer = tempoBuyer(301, node.url);
  node.balances.set(buyer.address, 1_000_000n);
});
afterEach(async () => {
  await rig.close();
  await node.close();
});

async function buy(): Promise<void> {
  const authorization = await buyer.sign((await rig.ask(path)).headers.get('www-authenticate') ?? '');
  expect((await rig.ask(path, { headers: { authorization } })).status).toBe(200);
}

/** The command of a deployment that settles MPP, and x402 where `change` says so. */
function checked(change: Record<string, string> = {}, ledger: Pick<Ledger, 'export'> = rig.ledger) {
  const config = readConfig({
    envFile: null,
    environment: { II_DATA: rig.root, II_BASE_URL: 'http://127.0.0.1:8402', ...environment, ...change },
  });
  const time = { nowMs: () => clock.nowMs, after: () => () => {} };
  const window = { fromMs: clock.nowMs - 86_400_000, toMs: clock.nowMs + 1000 };
  return checkChain({ config, ledger: ledger as Ledger, time, log: () => {}, ...window });
}

it('finds every MPP payment on its chain, and says where one side lacks the other (P8.55)', async () => {
  await buy();
  const chains = [{ rail: 'mpp', network: 'eip155:1337', transfers: 1 }];
  expect(await checked()).toEqual({ chains, problems: [] });
  // a ledger that has forgotten the payment
  const forgetful = { export: async function* () {} };
  const { problems } = await checked({}, forgetful);
  expect(problems.map(({ rule }) => rule)).toEqual(['transfer_has_receipt']);
  expect(problems[0]?.detail).toBe(`${buyer.address.toLowerCase()} 40000`);
  // a chain that has forgotten it
  const other = await tempoReplica({ nowMs: () => clock.nowMs });
  const lost = await checked({ II_PAY_MPP_RPC_URL: other.url });
  expect(lost.problems.map(({ rule }) => rule)).toEqual(['receipt_has_transfer']);
  await other.close();
});

it('has nothing to compare where nothing is settled, so that a restored ledger can be accepted there (S38)', async () => {
  expect(await checked({ II_PAY_CHALLENGE_ONLY: 'on' })).toEqual({ chains: [], problems: [] });
});

it('refuses to compare half of what is settled, and names the node that is missing or away', async () => {
  const facilitator = { II_PAY_TO: payTo, II_PAY_FACILITATOR_URL: rig.facilitator.url };
  await expect(checked(facilitator)).rejects.toMatchObject({
    code: 'configuration',
    details: { variable: 'II_PAY_RPC_URL' },
  });
  node.misbehave('eth_getBlockByNumber', 'drop');
  await expect(checked()).rejects.toMatchObject({
    code: 'source_refused',
    message: expect.stringContaining('eip155:1337'),
  });
});
