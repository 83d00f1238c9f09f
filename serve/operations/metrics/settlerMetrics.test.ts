import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { JobRow } from '../../ledger/port/job.ts';
import { RpcFailure, type SettlerChain } from '../../settler/settlerChain.ts';
import { watchSettler } from '../../settler/watchSettler.ts';
import { readMetricsFile, settlerMetricsPath, writeMetricsFile } from './metricsFile.ts';

const directory = mkdtempSync(join(tmpdir(), 'settler-metrics-'));
afterAll(() => rmSync(directory, { recursive: true }));

let nextNonce = 7;
const chain: SettlerChain = {
  signer: '0x0000000000000000000000000000000000000001',
  simulate: async () => Promise.reject(new RpcFailure('away')),
  fees: async () => null,
  balance: async () => 2_000_000_000_000_000_000n,
  allocateNonce: async () => nextNonce++,
  resetNonces: () => {},
  sign: async () => ({ rawTx: new Uint8Array(1), txHash: '0x00' }),
  send: async () => 'sent',
  mined: async () => null,
};
const transfer = {} as never;
const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
const end = { owner: 'settler', transition: null, atMs: 0 } as const;

describe('the watched settler (P9.14)', () => {
  it('counts gas, waits, replacements and calls without answer, and shows balance and nonce gap', async () => {
    let nowMs = 10_000;
    const jobs = {
      take: async () => [{ jobId: 1, notBeforeMs: 9000 } as JobRow],
      finish: async () => 'finished' as const,
    };
    const watched = watchSettler({ chain, jobs: jobs as never, nowMs: () => nowMs });
    const shown = async () => (await watched.text()).split('\n');
    await watched.jobs.take({ owner: 'settler', leaseMs: 1, limit: 1 });
    await expect(watched.chain.simulate(transfer)).rejects.toThrow('away');
    await watched.chain.balance();
    const accountNonce = await watched.chain.allocateNonce();
    expect(await shown()).toContain('settler_nonce_gap 1');
    const first = await watched.chain.sign({ transfer, accountNonce, gas: 1n, fees });
    await watched.chain.send(first.rawTx);
    expect(await shown()).toContain('settler_nonce_gap 0');
    expect(await shown()).toContain('settler_replacements_total 0');
    await watched.chain.sign({ transfer, accountNonce, gas: 1n, fees });
    nowMs = 12_500;
    const outcomeJson = JSON.stringify({ gas_used: '60000', gas_price_wei: '1000000' });
    await watched.jobs.finish({ jobId: 1, outcome: 'settled', outcomeJson, ...end });
    await watched.jobs.finish({ jobId: 2, outcome: 'refused', outcomeJson: '{"reason":"x"}', ...end });
    watched.alert('settler_blocked');
    const lines = await shown();
    expect(lines).toContain('settler_alerts_total{event="settler_blocked"} 1');
    expect(lines).toContain('settler_rpc_errors_total{kind="simulate"} 1');
    expect(lines).toContain('settler_signer_balance_wei 2000000000000000000');
    expect(lines).toContain('settler_replacements_total 1');
    expect(lines).toContain('settler_gas_wei_total 60000000000');
    // due at 9 s, done at 12.5 s; the second job was taken by another process
    expect(lines).toContain('settler_wait_seconds_sum 3.5');
    expect(lines).toContain('settler_wait_seconds_count 1');
  });

  it('shows no balance before it has been asked for', async () => {
    const watched = watchSettler({ chain, jobs: {} as never, nowMs: () => 0 });
    expect(await watched.text()).not.toMatch(/^settler_signer_balance_wei /m);
    await watched.chain.balance();
    expect(await watched.text()).toMatch(/^settler_signer_balance_wei 2000000000000000000$/m);
  });

  it('a reset closes the gap: the nonces are counted from the node again', async () => {
    const watched = watchSettler({ chain, jobs: {} as never, nowMs: () => 0 });
    await watched.chain.allocateNonce();
    watched.chain.resetNonces();
    expect(await watched.text()).toContain('settler_nonce_gap 0\n');
  });
});

describe('the file of the settlement process', () => {
  const path = settlerMetricsPath(directory);

  it('is written at once, every ten seconds, and when stopped; a reader takes it while it is fresh', async () => {
    const turns: (() => void)[] = [];
    const waits: number[] = [];
    let written = 0;
    const text = async () => `settler_nonce_gap ${++written}\n`;
    const time = {
      nowMs: () => 0,
      after: (ms: number, turn: () => void) => {
        waits.push(ms);
        turns.push(turn);
        return () => {};
      },
    };
    const file = writeMetricsFile({ path, text, time, log: () => {} });
    turns[0]?.();
    await file.stop();
    expect(waits).toEqual([10_000, 10_000]);
    expect(readFileSync(path, 'utf8')).toMatch(/^settler_nonce_gap [123]\n$/);
    utimesSync(path, 1000, 1000);
    expect(await readMetricsFile({ path, nowMs: 1_060_000 })).toContain('settler_nonce_gap');
    expect(await readMetricsFile({ path, nowMs: 1_060_001 })).toBe('');
  });

  it('that is missing or too large is no text', async () => {
    expect(await readMetricsFile({ path: join(directory, 'nothing'), nowMs: 0 })).toBe('');
    const large = join(directory, 'large');
    writeFileSync(large, 'x'.repeat(256 * 1024 + 1));
    expect(await readMetricsFile({ path: large, nowMs: 0 })).toBe('');
  });

  it('that cannot be written is said once and stops nothing', async () => {
    const events: string[] = [];
    const blocked = join(directory, 'large', 'below-a-file', 'settler.prom');
    const file = writeMetricsFile({
      path: blocked,
      text: async () => '',
      time: { nowMs: () => 0, after: () => () => {} },
      log: ({ event }) => void events.push(event),
    });
    await file.stop();
    expect(events).toEqual(['metrics_file_unwritable']);
  });
});
