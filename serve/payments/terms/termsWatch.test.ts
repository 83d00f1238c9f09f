import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import { type ChainReplica, chainReplica } from '../../../fixtures/replicas/chainReplica.ts';
import { type PaidRig, paidRig } from '../../../fixtures/rigs/paidRig.ts';
import { chainReader } from '../../evm/chainReader.ts';
import { type JsonClient, jsonClient } from '../../outbound/postJson.ts';
import { type Terms, termsWatch } from './termsWatch.ts';
import { askChain, askSupported } from './watchedRails.ts';

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(71);
const kind = (network: string, x402Version = 2) => ({ x402Version, scheme: 'exact', network });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the terms of a provider', () => {
  it('are asked at once, every ten minutes, sooner while something is wrong, and logged when they change (P2.53)', async () => {
    const waits: { ms: number; task: () => void }[] = [];
    const events: unknown[] = [];
    const after = (ms: number, task: () => void) => {
      waits.push({ ms, task });
      return () => void waits.splice(0);
    };
    const said: Terms['state'][] = ['away', 'away', 'agreed', 'agreed', 'refused'];
    const watch = termsWatch({
      provider: 'x402_exact',
      ask: async () => ({ state: said.shift() ?? 'agreed', detail: null }),
      time: { nowMs: () => 0, after },
      log: ({ level, event }) => void events.push(`${level} ${event}`),
      random: () => 0.5,
    });
    expect(watch.current().state).toBe('unasked');
    const stop = watch.start();
    const allowed: boolean[] = [];
    const waited: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      await turn();
      allowed.push(watch.allows());
      waited.push(waits.at(-1)?.ms ?? 0);
      waits.at(-1)?.task();
    }
    expect(waited).toEqual([30_000, 30_000, 600_000, 600_000, 30_000]);
    expect(allowed).toEqual([true, true, true, true, false]);
    expect(events).toEqual(['warn provider_away', 'info provider_terms', 'error provider_refuses_terms']);
    await turn();
    stop();
    expect(waits).toEqual([]);
  });

  it('spread by a fifth, so that servers that started together do not ask together', async () => {
    const waited: number[] = [];
    for (const random of [() => 0, () => 1]) {
      const after = (ms: number) => {
        waited.push(ms);
        return () => {};
      };
      const ask = async (): Promise<Terms> => ({ state: 'agreed', detail: null });
      termsWatch({ provider: 'mpp', ask, time: { nowMs: () => 0, after }, log: () => {}, random }).start();
      await turn();
    }
    expect(waited).toEqual([480_000, 720_000]);
  });
});

describe('a facilitator that settles on', () => {
  const client = (status: number, json: unknown): Pick<JsonClient, 'call'> => ({
    call: async () => ({ kind: 'answer', status, json }),
  });
  const ask = (status: number, json: unknown, verifyingContract: string | null = null) =>
    askSupported({
      client: client(status, json),
      path: '/supported',
      network: 'eip155:84532',
      verifyingContract,
    });

  it.each([
    ['our network', { kinds: [kind('eip155:8453'), kind('eip155:84532')] }, 'agreed'],
    ['every EVM chain', { kinds: [kind('eip155:*')] }, 'agreed'],
    ['main net alone', { kinds: [kind('eip155:8453')] }, 'refused'],
    [
      'our network in version 1 alone',
      { kinds: [kind('base-sepolia', 1), kind('eip155:84532', 1)] },
      'refused',
    ],
    ['nothing', { kinds: [] }, 'refused'],
    ['what it does not say', { supported: true }, 'unsaid'],
  ])('%s', async (_, json, state) => {
    expect(await ask(200, json)).toMatchObject({ state });
  });

  it('is away when it fails, and says nothing where it has no such page', async () => {
    expect(await ask(502, {})).toMatchObject({ state: 'away' });
    expect(await ask(404, {})).toMatchObject({ state: 'unsaid' });
  });

  it('settles batches for one wallet contract', async () => {
    const json = { kinds: [{ ...kind('eip155:84532'), extra: { verifyingContract: '0xAB' } }] };
    expect(await ask(200, json, '0xab')).toMatchObject({ state: 'agreed' });
    expect(await ask(200, json, '0xcd')).toMatchObject({ state: 'refused' });
    expect(await ask(200, { kinds: [kind('eip155:84532')] }, '0xcd')).toMatchObject({ state: 'agreed' });
  });
});

describe('a node', () => {
  let node: ChainReplica;
  beforeEach(async () => {
    node = await chainReplica({ nowMs: () => 0 });
  });

  it('is of the chain payments are made on, of another, or away', async () => {
    const client = jsonClient({ baseUrl: node.url, nowMs: () => 0 });
    const chain = chainReader({ client, nowMs: () => 0 });
    expect(await askChain({ chain, chainId: 8453 })).toMatchObject({ state: 'agreed' });
    expect(await askChain({ chain, chainId: 84532 })).toEqual({
      state: 'refused',
      detail: 'its node is of chain 8453, not of 84532',
    });
    await node.close();
    expect(await askChain({ chain, chainId: 8453 })).toMatchObject({ state: 'away' });
    await client.close();
  });
});

describe('a server whose facilitator', () => {
  let rig: PaidRig;
  beforeEach(async () => {
    rig = await paidRig({ clock: { nowMs: Date.now() } });
    const release = rig.release({ sourceDate: '2026-02-07' });
    rig.promote(release, { '2026-02-07': release });
  });
  afterEach(() => rig.close());
  const paid = async () => rig.ask(path, { headers: { 'payment-signature': await rig.pay(wallet, path) } });
  const x402 = async () => (await rig.deps.free.ready()).checks.settlement_x402;
  const lineOf = () => rig.payments.breakers()[0]?.terms.state;

  it('settles nothing on the network says so in /ready; only paid calls are 503, and nobody is charged (I4.F10.2)', async () => {
    rig.facilitator.always('/supported', {
      kind: 'lie',
      members: { kinds: [kind('eip155:84532')] },
    });
    rig.payments.watchTerms();
    await expect.poll(lineOf).toBe('refused');
    expect(await x402()).toEqual({
      status: 'failing',
      detail: 'x402_exact: it does not settle exact payments on eip155:8453',
    });
    expect((await rig.deps.free.ready()).ready).toBe(true);
    expect((await rig.ask(path)).status).toBe(402);
    const refused = await paid();
    expect(refused.status).toBe(503);
    expect(refused.json()).toMatchObject({ code: 'settlement_unavailable', rail: 'x402' });
    expect(rig.facilitator.calls('/verify')).toEqual([]);
    expect((await rig.ledger.check()).receipts).toBe(0);
    // it comes to its senses: asked again within a minute, never by the requests in between
    expect(rig.facilitator.calls('/supported')).toHaveLength(1);
    rig.facilitator.always('/supported', { kind: 'answer' });
    rig.facilitator.balances.set(wallet.address, 1_000_000n);
    rig.advance(36_000);
    await expect.poll(lineOf).toBe('agreed');
    expect((await x402()).status).toBe('ok');
    expect((await paid()).status).toBe(200);
  });

  it('is away at start serves the unpaid and stops nothing but paid calls (P1.16)', async () => {
    for (const one of ['/supported', '/verify', '/settle']) rig.facilitator.always(one, { kind: 'drop' });
    rig.payments.watchTerms();
    await expect.poll(lineOf).toBe('away');
    expect(await x402()).toEqual({ status: 'failing', detail: 'x402_exact: it does not answer' });
    expect((await rig.ask(path)).status).toBe(402);
    expect((await paid()).json()).toMatchObject({ code: 'settlement_unavailable' });
    expect(rig.facilitator.calls('/supported')).toHaveLength(1);
  });
});
