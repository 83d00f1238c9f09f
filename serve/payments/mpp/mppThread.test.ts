import { afterEach, describe, expect, it } from 'vitest';
import { scriptedThread } from '../../../fixtures/rigs/scriptedThread.ts';
import { mppThread } from './mppThread.ts';

const call = {
  challenge: { id: '', realm: '', method: '', intent: '', request: '', expires: '', opaque: '' },
  transaction: '0x76',
  fingerprint: 'ab',
  amountMicro: 40_000,
};
const txHash = `0x${'1'.repeat(64)}`;
const terms = {
  realm: 'api.example.com',
  method: 'tempo',
  intent: 'charge',
  network: 'eip155:1337',
  chainId: 1337,
  currency: '0x20c0000000000000000000000000000000000000',
  recipient: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
} as const;
let close = async (): Promise<void> => {};
afterEach(() => close());

/** A thread that runs this text instead of the library. */
function thread(source: string) {
  const script = scriptedThread(source);
  const library = mppThread({
    settings: { terms, secrets: [], rpcUrl: 'http://127.0.0.1:9', callMs: 60_000 },
    ...script,
  });
  close = library.close;
  return { ...script, ...library };
}

describe('the thread of the payment library', () => {
  it('takes no payment with it when it dies: validation is unavailable, a broadcast unknown', async () => {
    const library = thread(`parentPort.on('message', () => process.exit(1))`);
    expect(await library.validate(call)).toEqual({
      kind: 'unavailable',
      reason: 'worker_dead',
      transport: true,
    });
    expect(await library.broadcast({ ...call, txHash })).toEqual({
      kind: 'unknown',
      reason: 'call_worker_dead',
      transaction: txHash,
    });
    expect(library.waits).toEqual([]);
  });

  it('is started anew after it has died', async () => {
    const library = thread(
      `parentPort.on('message', ({ id }) => id === 1 ? process.exit(1) : parentPort.postMessage({ id, kind: 'validate', answer: { kind: 'invalid', reason: 'x', sender: null } }))`,
    );
    expect(await library.validate(call)).toMatchObject({ kind: 'unavailable' });
    expect(await library.validate(call)).toEqual({ kind: 'invalid', reason: 'x', sender: null });
  });

  it('is told of in the log when it cannot be loaded', async () => {
    const library = thread(`throw new Error('no library')`);
    expect(await library.validate(call)).toMatchObject({ kind: 'unavailable' });
    expect(library.events).toEqual(['mpp_worker_failed']);
  });

  it('is waited for: 5 s for a validation, the settle call’s time for a broadcast (I8.8)', async () => {
    const library = thread(`parentPort.on('message', () => {})`);
    const validation = library.validate(call);
    const broadcast = library.broadcast({ ...call, txHash });
    expect(library.waits.map((wait) => wait.ms)).toEqual([5000, 60_000]);
    for (const wait of [...library.waits]) wait.task();
    expect(await validation).toEqual({ kind: 'unavailable', reason: 'timeout', transport: true });
    expect(await broadcast).toMatchObject({ kind: 'unknown', reason: 'call_timeout' });
  });
});
