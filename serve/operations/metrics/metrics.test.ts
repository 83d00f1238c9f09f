import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemCodes } from '../../../data/contract/errors/errorCodes.ts';
import { routes } from '../../../data/contract/routes/routes.ts';
import { blindView } from '../../../fixtures/rigs/blindView.ts';
import {
  exampleClaim,
  exampleGrant,
  exampleHold,
  exampleSession,
  exampleShadow,
  exampleTransition,
  operator,
} from '../../../fixtures/rigs/ledgerConformance/examples.ts';
import type { Delivery } from '../../exchange.ts';
import { systemTime } from '../../ledger/openLedger.ts';
import type { Ledger } from '../../ledger/port/ledger.ts';
import { sqliteLedger } from '../../ledger/sqlite/sqliteLedger.ts';
import type { ExchangeEvent } from '../../listen.ts';
import type { OperatorView } from '../admin/operatorView.ts';
import { watchRails } from './paymentMetrics.ts';
import { exchangeOutcome, exchangeOutcomes, serverMetrics } from './serverMetrics.ts';
import { watchLedger, watchLog } from './watchLedger.ts';

async function samples(metrics: ReturnType<typeof serverMetrics>): Promise<string[]> {
  const text = await metrics.text(blindView);
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

function event({
  status,
  route = 'R11',
  code = null,
  delivery = 'delivered',
}: {
  status: number;
  route?: string | null;
  code?: string | null;
  delivery?: Delivery;
}): ExchangeEvent {
  return {
    outgoing: {
      status,
      headers: [],
      body: [],
      record: { requestId: 'req_1', route, code, receiptId: 'rcpt_1', apiKeyId: 'AAAAABBBBB' },
      done: () => {},
    },
    method: 'GET',
    delivery,
    latencyMs: 3,
  };
}

describe('requests by route and outcome', () => {
  it.each([
    [200, null, 'served'],
    [204, null, 'served'],
    [304, null, 'not_modified'],
    [402, 'payment_required', 'challenged'],
    [402, 'payment_mismatch', 'payment_refused'],
    [404, 'not_found', 'refused'],
    [429, 'rate_limited', 'limited'],
    [503, 'settlement_pending', 'failed'],
  ] as const)('%i %s is %s', (status, code, outcome) => {
    expect(exchangeOutcome(status, code)).toBe(outcome);
  });

  it('counts each finished exchange once, with its problem and its lost answer', async () => {
    const metrics = serverMetrics({ runtime: false });
    for (let i = 0; i < 3; i += 1) metrics.exchange(event({ status: 200 }));
    metrics.exchange(event({ status: 402, code: 'payment_required' }));
    metrics.exchange(event({ status: 404, route: null, code: 'route_not_found' }));
    metrics.exchange(event({ status: 200, delivery: 'partial' }));
    const lines = await samples(metrics);
    expect(lines).toContain('http_requests_total{route="R11",outcome="served"} 4');
    expect(lines).toContain('http_requests_total{route="R11",outcome="challenged"} 1');
    expect(lines).toContain('http_requests_total{route="none",outcome="refused"} 1');
    expect(lines).toContain('http_problems_total{code="route_not_found"} 1');
    expect(lines).toContain('http_lost_answers_total{delivery="partial"} 1');
    expect(lines).toContain('http_request_seconds_count 6');
    expect(lines).toContain('http_request_seconds_bucket{le="0.0025"} 0');
    expect(lines).toContain('http_request_seconds_bucket{le="0.005"} 6');
  });

  it('has at most one series a route and outcome, and one a problem code', async () => {
    const metrics = serverMetrics({ runtime: false });
    const codes = Object.keys(problemCodes);
    for (const route of [null, ...routes.map(({ id }) => id)])
      for (const status of [200, 304, 402, 404, 429, 503])
        for (const code of [null, ...codes]) metrics.exchange(event({ status, route, code }));
    const lines = await samples(metrics);
    const series = (name: string) => lines.filter((line) => line.startsWith(`${name}{`)).length;
    expect(series('http_requests_total')).toBe((routes.length + 1) * exchangeOutcomes.length);
    expect(series('http_problems_total')).toBe(codes.length);
  });
});

describe('a store behind the network (STORE ST15)', () => {
  it('shows whether it answers, what waits and how reads went; a directory has no such sample', async () => {
    const metrics = serverMetrics({ runtime: false });
    const ofStore = async (remote: OperatorView['remote']) =>
      (await metrics.text({ ...blindView, remote })).split('\n').filter((line) => line.startsWith('store_'));
    const state = {
      away: { sinceMs: 0, why: 'status 503' },
      behind: null,
      unkept: null,
      replicaBytes: 8192,
      reads: { kept: 3, fetched: 2, failed: 1 },
    };
    const shown = [
      'store_away 1',
      'store_release_behind 0',
      'store_replica_unkept 0',
      'store_replica_bytes 8192',
      'store_reads_total{outcome="kept"} 3',
      'store_reads_total{outcome="fetched"} 2',
      'store_reads_total{outcome="failed"} 1',
    ];
    expect(await ofStore(state)).toEqual(shown);
    expect(await ofStore(state)).toEqual(shown);
    expect(await ofStore(null)).toEqual([]);
  });
});

describe('a watched ledger (P9.14)', () => {
  const directory = mkdtempSync(join(tmpdir(), 'metrics-'));
  const metrics = serverMetrics({ runtime: false });
  let nowMs = 0;
  const plain = sqliteLedger({
    path: join(directory, 'ledger.db'),
    time: systemTime,
    log: () => {},
    onFatal: (error) => {
      throw error;
    },
    onCommit: metrics.payments.commit,
  });
  const ledger: Ledger = watchLedger(plain, {
    metrics: metrics.payments,
    commits: false,
    monotonicMs: () => nowMs,
  });
  let lines: string[];

  beforeAll(async () => {
    await ledger.open();
    const grant = exampleGrant(1);
    // settled after 3 s; refused; unknown and then settled by the worker after 40 s
    for (const n of [1, 2, 3]) await ledger.claim(exampleClaim(n));
    nowMs = 3000;
    await ledger.transition(exampleTransition(1, 'settled'));
    await ledger.transition(exampleTransition(2, 'failed'));
    const at = { nextCheckMs: Date.now(), atMs: Date.now() };
    await ledger.noteUnknown({ claimKey: exampleClaim(3).claimKey, txHash: null, refusal: null, ...at });
    nowMs = 40_000;
    await ledger.transition(exampleTransition(3, 'settled', { actor: 'recovery' }));
    // the same payment again, and a step somebody else has taken
    await ledger.claim(exampleClaim(1));
    await ledger.transition(exampleTransition(1, 'settled'));
    // a batch, complete later: its money's outcome is counted once
    await ledger.claim(exampleClaim(4, { provider: 'gateway_batched' }));
    await ledger.transition(
      exampleTransition(4, 'queued_for_batch', { from: 'authorized', set: { gatewayTransferId: 't' } }),
    );
    await ledger.transition(
      exampleTransition(4, 'settled', { from: 'queued_for_batch', actor: 'reconciler', set: {} }),
    );
    // settled by another process: seen when the row is read here
    await ledger.claim(exampleClaim(5));
    await plain.transition(exampleTransition(5, 'settled'));
    await ledger.findReceipt(exampleClaim(5).receipt.receiptId);
    await ledger.findReceipt(exampleClaim(5).receipt.receiptId);
    await ledger.grants.create({ grant, as: operator, atMs: Date.now() });
    await ledger.grants.mintSession({ session: exampleSession(grant), nonce: null });
    await ledger.hold(exampleHold(6, grant.grantId));
    await ledger.endHold(exampleHold(6, grant.grantId).debitId, 'debited');
    await ledger.hold(exampleHold(7, grant.grantId, { amountMicro: 90_000 }));
    ledger.noteNotCharged(exampleShadow(8));
    // the rail of a transition without a known claim is looked up beside it
    while ((await samples(metrics)).every((line) => !line.includes('gateway_batched",state="settled"')))
      await new Promise((resolve) => setImmediate(resolve));
    lines = await samples(metrics);
  });
  afterAll(async () => {
    await ledger.close();
    rmSync(directory, { recursive: true });
  });

  it('counts claims by provider and result', () => {
    expect(lines.filter((line) => line.startsWith('pay_claims_total'))).toEqual([
      'pay_claims_total{provider="x402_exact",result="won"} 4',
      'pay_claims_total{provider="x402_exact",result="taken"} 1',
      'pay_claims_total{provider="gateway_batched",result="won"} 1',
    ]);
  });

  it('counts the outcome of each payment once, an unknown one apart', () => {
    expect(lines.filter((line) => line.startsWith('pay_outcomes_total')).sort()).toEqual([
      'pay_outcomes_total{provider="gateway_batched",outcome="settled"} 1',
      'pay_outcomes_total{provider="x402_exact",outcome="refused"} 1',
      'pay_outcomes_total{provider="x402_exact",outcome="settled"} 3',
      'pay_outcomes_total{provider="x402_exact",outcome="unknown"} 1',
    ]);
  });

  it('counts what recovery and reconciliation moved on (P8.41)', () => {
    expect(lines.filter((line) => line.startsWith('pay_recovered_total')).sort()).toEqual([
      'pay_recovered_total{provider="gateway_batched",state="settled"} 1',
      'pay_recovered_total{provider="x402_exact",state="settled"} 1',
    ]);
  });

  it('times settlements from the claim', () => {
    expect(lines).toContain('pay_settle_seconds_count{provider="x402_exact"} 4');
    // 3 s, 3 s, 40 s, and 0 s of the one the other process settled
    expect(lines).toContain('pay_settle_seconds_sum{provider="x402_exact"} 46');
    expect(lines).toContain('pay_settle_seconds_bucket{le="4",provider="x402_exact"} 3');
  });

  it('counts charges by rail and state', () => {
    expect(lines.filter((line) => line.startsWith('charges_total')).sort()).toEqual([
      'charges_total{rail="gateway_batched",state="authorized"} 1',
      'charges_total{rail="gateway_batched",state="queued_for_batch"} 1',
      'charges_total{rail="gateway_batched",state="settled"} 1',
      'charges_total{rail="grant_covered",state="debited"} 1',
      'charges_total{rail="grant_covered",state="held"} 1',
      'charges_total{rail="grant_covered",state="refused"} 1',
      'charges_total{rail="shadow_unsettled",state="not_charged"} 1',
      'charges_total{rail="x402_direct",state="failed"} 1',
      'charges_total{rail="x402_direct",state="settled"} 3',
      'charges_total{rail="x402_direct",state="submitted"} 4',
    ]);
  });

  it('shows commits and their sizes', () => {
    const count = (name: string) => Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]);
    expect(count('ledger_commit_seconds_count')).toBeGreaterThan(0);
    expect(count('ledger_batch_ops_count')).toBe(count('ledger_commit_seconds_count'));
    expect(count('ledger_batch_ops_sum')).toBeGreaterThanOrEqual(count('ledger_batch_ops_count'));
  });

  it('no label carries an address, a hash, a key or an id (P9.14, S16)', () => {
    const values = lines.flatMap((line) => [...line.matchAll(/="([^"]*)"/g)].map((match) => match[1] ?? ''));
    expect(values.length).toBeGreaterThan(50);
    for (const value of values) expect(value).toMatch(/^([a-z][a-z0-9_]{1,24}|\+Inf|[0-9.]+|R\d\d)$/);
  });
});

it('times how long a request waits for its settlement, failures included', async () => {
  const metrics = serverMetrics({ runtime: false });
  let nowMs = 0;
  const settle = async (): Promise<never> => {
    nowMs += 2500;
    throw new Error('the provider is away');
  };
  const [rail] = watchRails(
    [
      {
        name: 'x402',
        presented: () => true,
        check: async () => ({ kind: 'payable', claim: async () => ({ kind: 'claimed', settle }) }),
      },
    ],
    { metrics: metrics.payments, monotonicMs: () => nowMs },
  );
  const checked = await rail?.check({} as never);
  if (checked?.kind !== 'payable') throw new Error('not payable');
  const claimed = await checked.claim();
  if (claimed.kind !== 'claimed') throw new Error('not claimed');
  await expect(claimed.settle()).rejects.toThrow('the provider is away');
  expect(await samples(metrics)).toContain('pay_wait_seconds_sum{rail="x402"} 2.5');
});

it('counts warnings and errors of the log by event, and what the provider sent by outcome (X52, P5.7)', async () => {
  const metrics = serverMetrics({ runtime: false });
  const written: string[] = [];
  const log = watchLog((line) => void written.push(line.event), metrics.alerts.alert);
  log({ level: 'error', event: 'clock_skew', fields: { seconds: 30 } });
  log({ level: 'warn', event: 'reconcile_failed' });
  log({ level: 'warn', event: 'reconcile_failed' });
  log({ level: 'info', event: 'webhook_credited', fields: { event_id: 'evt_1' } });
  metrics.alerts.webhook('wrong_signature');
  metrics.alerts.webhook('credited');
  expect(written).toHaveLength(4);
  expect((await samples(metrics)).filter((line) => /^(alerts|checkout)_/.test(line))).toEqual([
    'alerts_total{event="clock_skew"} 1',
    'alerts_total{event="reconcile_failed"} 2',
    'checkout_webhooks_total{outcome="wrong_signature"} 1',
    'checkout_webhooks_total{outcome="credited"} 1',
  ]);
});
