import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { manualTime } from '../../fixtures/rigs/ledger/ledgerManualTime.ts';
import {
  type SettlingRig,
  settledPath,
  settlingPayer,
  settlingRig,
  settlingSigner,
  turnUntilDone,
} from '../../fixtures/rigs/settlingRig.ts';
import { wakeCaller, wakePath } from '../payments/settle/settlementHints.ts';
import { wakeListener } from './wakeListener.ts';

// settlers beside each other and beside a server: accounts, the queue, the socket (P9.5, P9.9, P9.11, P9.15)

const path = settledPath;
const wallet = settlingPayer;
const signer = settlingSigner;
const until = turnUntilDone;
let on: SettlingRig;
let rig: SettlingRig['rig'];
let node: SettlingRig['node'];
let clock: SettlingRig['clock'];
let { settlerOf, paid, queued, signerLeased, charged } = {} as SettlingRig;

async function start(input: Parameters<typeof settlingRig>[0] = {}): Promise<void> {
  on = await settlingRig(input);
  ({ rig, node, clock, settlerOf, paid, queued, signerLeased, charged } = on);
}
beforeEach(() => start());
afterEach(() => on.close());

describe('two settlers', () => {
  it('with one account: the second waits, and every payment is settled once (X46, P9.5)', async () => {
    const [one, two] = [settlerOf('one'), settlerOf('two')];
    await one.turn();
    const answer = paid(await rig.pay(wallet, path));
    await queued(1);
    expect(await two.turn()).toBe(0);
    expect(node.sent).toEqual([]);
    await until(one);
    expect((await answer).status).toBe(200);
    expect(node.sent).toHaveLength(1);
    expect(await charged()).toBe(100_000);
  });

  it('with two accounts share the queue, one job each (P9.9)', async () => {
    const other = testWallet(63);
    node.ether.set(other.address, 10n ** 18n);
    const answers = [paid(await rig.pay(wallet, path))];
    await queued(1);
    const [one, two] = [settlerOf('one'), settlerOf('two', { privateKey: other.privateKey })];
    await Promise.all([until(one), until(two)]);
    expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual([200]);
    expect(node.sent).toHaveLength(1);
    expect(await charged()).toBe(100_000);
  });
});

describe('a settler and a server on the socket beside the ledger', () => {
  it('need no clock between the claim and the broadcast, and the server is told of the outcome (P9.11)', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'wake-'));
    const place = wakePath(join(directory, 'ledger.db'));
    const [here, there] = [manualTime(clock.nowMs), manualTime(clock.nowMs)];
    const called = wakeCaller({ path: place, time: there });
    const heard = await wakeListener({ path: place, time: here, log: () => {} });
    const answered = Promise.withResolvers<void>();
    called.onTouch(answered.resolve);
    await on.close();
    await start({ hints: called });
    const ended = Promise.withResolvers<void>();
    const running = settlerOf('one', { time: here, hints: heard }).run(ended.promise);
    await signerLeased();
    const answer = paid(await rig.pay(wallet, path));
    while (node.sent.length === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    // blocks are looked for by the clock
    here.advance(250);
    await answered.promise;
    expect((await answer).status).toBe(200);
    expect(await charged()).toBe(100_000);
    ended.resolve();
    here.advance(250);
    await running;
    await heard.close();
    rmSync(directory, { recursive: true });
  });
});

describe('the end of a settler', () => {
  it('gives the account back (P9.15)', async () => {
    await settlerOf('one').run(Promise.resolve());
    const lease = await rig.ledger.jobs.leaseSigner({ signer: signer.address, owner: 'next', leaseMs: 1000 });
    expect(lease?.owner).toBe('next');
  });
});
