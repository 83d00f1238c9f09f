import { describe, expect, it } from 'vitest';
import type { Ready } from '../../../data/contract/emit/operations.ts';
import { sliceFreshness } from '../../../data/contract/payloads/universe/readiness.ts';
import type { LastRun } from '../../../data/contract/release/releaseFiles.ts';
import type { LedgerFigures } from '../../ledger/port/day.ts';
import type { OperatorView } from '../admin/operatorView.ts';
import { concernsOf } from './operatorAlerts.ts';

const atMs = Date.parse('2026-02-07T03:00:00Z');
const agreedTerms = { state: 'agreed', detail: null } as const;
const ok = { status: 'ok', detail: null } as const;
const checks: Ready['checks'] = {
  artifact_store: ok,
  manifest: ok,
  ledger: ok,
  settlement_x402: ok,
  settlement_mpp: { status: 'disabled', detail: null },
  slice: ok,
};
const quiet: LedgerFigures = {
  receipts: [],
  unresolved: 0,
  openPayments: [],
  queued: { count: 3, micro: 1 },
  undelivered: { count: 0, micro: 0, overdue: 0 },
  jobs: [{ state: 'queued', count: 1 }],
  oldestJobMs: atMs - 59_000,
  endingBudgets: [],
};

function view(
  input: {
    checks?: Partial<Ready['checks']>;
    figures?: Partial<LedgerFigures>;
    health?: Partial<Extract<OperatorView['health'], { ok: true }>['value']>;
    breakers?: OperatorView['breakers'];
    remote?: OperatorView['remote'];
  } = {},
): OperatorView {
  const ready = { ready: true, checks: { ...checks, ...input.checks } } as Ready;
  const health = { status: 'ok', reason: null, waiting: 0, slow: false, ...input.health } as const;
  return {
    atMs,
    readMs: atMs,
    ready: { ok: true, value: ready },
    releases: { ok: false, why: 'not asked' },
    freshness: { ok: true, value: freshnessAt(0) },
    lastRun: { ok: true, value: null },
    audit: { ok: true, value: null },
    health: { ok: true, value: health },
    figures: { ok: true, value: { ...quiet, ...input.figures } },
    ledger: { address: 'nowhere', freeBytes: null },
    breakers: input.breakers ?? [{ provider: 'x402_exact', state: 'closed', terms: agreedTerms }],
    remote: input.remote ?? null,
    signatures: null,
  };
}

/** A slice of this age under the window of 36 hours. */
const freshnessAt = (ageMs: number) =>
  sliceFreshness(
    { latest_computed_at_utc: new Date(atMs - ageMs).toISOString(), freshness_window_hours: 36 },
    atMs,
  );

const payment = (receiptId: string, ageMs: number) =>
  ({
    receiptId,
    provider: 'x402_exact',
    phase: 'unknown',
    amountMicro: 40_000,
    refusal: null,
    checks: 9,
    createdMs: atMs - ageMs,
  }) as const;

describe('what an operator should look at', () => {
  it('is nothing while payments are on their way and batches wait', () => {
    expect(concernsOf(view())).toEqual([]);
    expect(
      concernsOf(view({ figures: { unresolved: 1, openPayments: [payment('rcpt_1', 3_599_999)] } })),
    ).toEqual([]);
  });

  it('is a night that published with less than it should', () => {
    const finding = 'edgar/companyfacts.zip is not in the inputs, and no earlier night read it';
    const run = { source_date: '2026-02-06', status: 'ok', degraded: [finding] } as unknown as LastRun;
    expect(concernsOf({ ...view(), lastRun: { ok: true, value: run } })).toEqual([
      {
        weight: 'warn',
        what: `The night of 2026-02-06 published with less than it should: ${finding}`,
        next: 'Every finding is under Night and audit. Put back what is missing, then run the night again.',
        command: 'issuer nightly',
      },
    ]);
  });

  it('is a slice older than the freshness window, and not one as old as it (I2.46)', () => {
    const aged = (ageMs: number): OperatorView => ({
      ...view(),
      freshness: { ok: true, value: freshnessAt(ageMs) },
    });
    expect(concernsOf(aged(36 * 3_600_000))).toEqual([]);
    expect(concernsOf(aged(36 * 3_600_000 + 1))).toEqual([
      {
        weight: 'bad',
        what: 'The slice that is sold is 1 d 12 h old; /v1/readiness calls it stale after 1 d 12 h',
        next: 'Night and audit says how the last night ended. Where none ran, look whether its timer runs; then run the night.',
        command: "systemctl list-timers 'issuer-*'; issuer nightly",
      },
    ]);
  });

  it('puts an old slice after what refuses buyers and before open money', () => {
    const busy = view({
      breakers: [{ provider: 'mpp', state: 'open', terms: agreedTerms }],
      figures: { unresolved: 1, openPayments: [payment('rcpt_old', 3_600_000)] },
    });
    const found = concernsOf({ ...busy, freshness: { ok: true, value: freshnessAt(75 * 3_600_000) } });
    expect(found.map(({ what }) => what)).toEqual([
      'mpp does not answer: its new payments are 503, nothing is charged',
      'The slice that is sold is 3 d 3 h old; /v1/readiness calls it stale after 1 d 12 h',
      '1 of 1 open payment without an outcome for over an hour',
    ]);
  });

  it('is no old slice where none is promoted or its age cannot be read', () => {
    expect(concernsOf({ ...view(), freshness: { ok: true, value: null } })).toEqual([]);
    expect(concernsOf({ ...view(), freshness: { ok: false, why: 'damaged' } })).toEqual([]);
  });

  it('is a file of the release that cannot be served', () => {
    const detail = 'Artifact readiness/2026-02-07.json cannot be served: its length is wrong.';
    expect(concernsOf(view({ checks: { artifact_store: { status: 'degraded', detail } } }))).toEqual([
      {
        weight: 'bad',
        what: `Part of the current release is damaged; calls for it are 503, nothing is charged: ${detail}`,
        next: 'Verify names every damaged file; the next night publishes the slice anew.',
        command: 'issuer release verify; issuer nightly',
      },
    ]);
  });

  it('is an object store that does not answer, a release that waits and a replica that keeps nothing (STORE ST15)', () => {
    const artifact_store = { status: 'degraded', detail: 'the same' } as const;
    const remote = {
      away: { sinceMs: 0, why: 'status 503' },
      behind: '2026-02-08.1: its manifest is missing',
      unkept: 'the disk is full',
      replicaBytes: 0,
      reads: { kept: 0, fetched: 0, failed: 0 },
    };
    const concerns = concernsOf(view({ checks: { artifact_store }, remote }));
    expect(concerns.map(({ weight, what }) => [weight, what])).toEqual([
      [
        'bad',
        'The object store does not answer (status 503): what is kept here is served, the rest is 503 and not charged',
      ],
      [
        'bad',
        'A promoted release is not taken up, the one before it is served: 2026-02-08.1: its manifest is missing',
      ],
      ['warn', 'The local replica keeps nothing more: the disk is full'],
    ]);
    const well = { ...remote, away: null, behind: null, unkept: null };
    expect(concernsOf(view({ remote: well }))).toEqual([]);
  });

  it('is a payment without an outcome for an hour: it is looked up, not refunded (P8.42)', () => {
    const openPayments = [payment('rcpt_old', 3_600_000), payment('rcpt_new', 5000)];
    const [concern] = concernsOf(view({ figures: { unresolved: 2, openPayments } }));
    expect(concern).toMatchObject({
      weight: 'bad',
      what: '1 of 2 open payments without an outcome for over an hour',
      next: expect.stringContaining('do not refund'),
      command: 'issuer-serve ledger recover; issuer-serve ledger show rcpt_old',
    });
  });

  it('names the urgent before what can wait, each with a next step', () => {
    const found = concernsOf(
      view({
        checks: {
          ledger: { status: 'failing', detail: 'restored_copy' },
          settlement_x402: { status: 'ok', detail: "clock_skew: this clock is 30 s ahead of a provider's" },
        },
        health: { status: 'failing', reason: 'restored_copy', slow: true },
        breakers: [{ provider: 'mpp', state: 'open', terms: agreedTerms }],
        figures: {
          undelivered: { count: 2, micro: 80_000, overdue: 1 },
          jobs: [{ state: 'dead', count: 1 }],
          oldestJobMs: atMs - 120_000,
        },
      }),
    );
    expect(found.map(({ weight, what }) => `${weight} ${what}`)).toEqual([
      'bad The ledger is failing (restored_copy): payments and grants are 503',
      'bad mpp does not answer: its new payments are 503, nothing is charged',
      "bad clock_skew: this clock is 30 s ahead of a provider's",
      'bad The oldest settlement job waits for 2 min',
      'warn 1 settlement job died',
      'warn 2 answers charged and never delivered, $0.08; 1 for over a day',
      'warn The ledger is slow: a write waited over two seconds',
    ]);
    for (const { next } of found) expect(next).toMatch(/\.$/);
    expect(found[0]?.command).toBe('issuer-serve ledger check --chain');
  });

  it('is the first night where nothing was promoted, and the release where one was', () => {
    const failing = { status: 'failing', detail: 'no slice is promoted' } as const;
    const broken = view({ checks: { slice: failing } });
    expect(concernsOf(broken)[0]).toMatchObject({ command: 'issuer release verify' });
    const fresh = {
      ...broken,
      releases: { ok: true, value: { dates: 0, newest: [], current: null, withdrawn: [] } },
    } as const;
    expect(concernsOf(fresh)).toMatchObject([
      { weight: 'bad', what: 'Nothing is promoted yet: paid calls are 503', command: 'issuer nightly' },
    ]);
  });

  it('is the log when readiness itself cannot be told', () => {
    const blind = { ...view(), ready: { ok: false, why: 'away' } } as const;
    expect(concernsOf(blind)[0]).toMatchObject({ weight: 'bad', what: 'Readiness cannot be told' });
  });
});
