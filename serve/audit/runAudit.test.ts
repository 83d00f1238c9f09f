import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { auditOperations, auditRun } from '../../data/contract/payloads/audit/auditRun.ts';
import { auditStatus } from '../../data/contract/payloads/audit/auditStatus.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { perpRankings } from '../../data/contract/payloads/market/perpRankings.ts';
import { only, stored, storeOf } from '../../fixtures/rigs/auditedStore.ts';
import { naka } from '../../fixtures/rigs/auditSamples.ts';
import type { Ask, AuditAnswer } from './auditClient.ts';
import { auditHealth, auditStatusOf } from './auditStatusOf.ts';
import { runAudit } from './runAudit.ts';

const nowMs = Date.parse('2026-02-07T10:00:00Z');

describe('runAudit (M13.7–M13.10)', () => {
  const listing = (data: readonly CovenantStress[]) => ({
    data,
    meta: { total: data.length, limit: 100, offset: 0, count: data.length, filters: {} },
  });

  /** A server of one covered issuer and one without a filing; `change` replaces answers by path. */
  function server(change: Readonly<Record<string, AuditAnswer>> = {}): Ask {
    const answers: Record<string, AuditAnswer> = {
      '/companies': ok({
        ...discovery,
        companies: [company(naka.cik, 'covered'), company('0009000001', 'not_covered')],
      }),
      '/v1/covenant-stress': ok(listing([naka])),
      [`/v1/covenant-stress/${naka.cik}`]: withLength(naka),
      ...change,
    };
    return async (target) => answers[target.split('?')[0] ?? ''] ?? problem(404, 'not_found');
  }

  const audit = ({
    ask,
    source,
    served,
    inputs,
    holds = [],
  }: {
    ask?: Ask;
    holds?: readonly string[];
    source?: string;
    served?: readonly string[];
    inputs?: Readonly<Record<string, string>>;
  } = {}) =>
    runAudit({
      ask: ask ?? server(),
      store: storeOf(naka, source ?? 'fixtures', { inputs, holds }),
      routes: only(served ?? ['R11', 'R12']),
      sourceDate: null,
      nowMs: () => nowMs,
    });

  it('counts nine operations an issuer; pending routes are skipped, an issuer without filing is not applicable', async () => {
    const run = await audit();
    expect(run).toMatchObject({
      issuer_count: 2,
      operation_count: 18,
      ok_count: 2,
      failed_count: 0,
      skipped_count: 7,
      not_applicable_count: 9,
      reasons: { no_filing_in_inputs: 9, route_pending: 7 },
      composite_operation_count: 12,
      composite_failed_count: 0,
      historical_operation_count: 1,
      historical_failed_count: 0,
      failures: [],
    });
    expect(run.counts_by_operation.field_map).toBe(2);
  });

  it('takes a missing filing for a failure when the source holds every filing (M13.7)', async () => {
    expect(await audit({ source: 'edgar' })).toMatchObject({ failed_count: 9, not_applicable_count: 0 });
  });

  it('takes an issuer that was left out of the slice for a failure, whatever the source (I3.26)', async () => {
    const run = await audit({ inputs: { left_out: '0009000001' } });
    expect(run).toMatchObject({ source: 'fixtures', failed_count: 9, not_applicable_count: 0 });
    expect(run.failures).toHaveLength(9);
    expect(run.failures[0]).toEqual({
      cik: '0009000001',
      operation: auditOperations[0],
      reason: 'left_out_of_slice',
    });
    expect(await audit({ inputs: { left_out: '0009000002 0009000003' } })).toMatchObject({
      failed_count: 0,
      reasons: { no_filing_in_inputs: 9 },
    });
  });

  it('is degraded by an artifact that the release was published without (M6.6c)', async () => {
    const run = await audit({ inputs: { left_out_artifacts: 'daily-brief/2026-02-07.json' } });
    expect(run.failures).toEqual([
      { cik: null, operation: 'every_route', reason: 'left_out_artifacts: daily-brief/2026-02-07.json' },
    ]);
    expect(auditHealth(run, nowMs).status).toBe('degraded');
    expect(auditHealth(await audit(), nowMs).status).toBe('healthy');
  });

  it('fails the operation whose answer contradicts itself, and the row that is gone', async () => {
    const path = `/v1/covenant-stress/${naka.cik}`;
    const wrong = await audit({ ask: server({ [path]: withLength({ ...naka, risk_tier: 'LOW' }) }) });
    expect(wrong.failures).toEqual([
      { cik: naka.cik, operation: 'covenant_stress', reason: 'risk_tier is LOW, not HIGH' },
      {
        cik: naka.cik,
        operation: 'replay of 2026-02-07',
        reason: 'the replayed row has other bytes than the stored one',
      },
    ]);
    expect(wrong.historical_failed_count).toBe(1);
    const gone = await audit({ ask: server({ [path]: problem(404, 'not_found') }) });
    expect(gone.failures[0]).toEqual({
      cik: naka.cik,
      operation: 'covenant_stress',
      reason: 'status 404 not_found',
    });
  });

  it('fails a slice that lists an issuer twice, and pages that end early', async () => {
    const twice = await audit({ ask: server({ '/v1/covenant-stress': ok(listing([naka, naka])) }) });
    expect(twice.failures.map((f) => f.reason)).toContain('2 rows in the slice');
    const short = { ...listing([]), meta: { ...listing([]).meta, total: 5 } };
    const early = await audit({ ask: server({ '/v1/covenant-stress': ok(short) }) });
    expect(early.failures.map((f) => f.reason)).toContain('no row in the slice');
  });

  it('refuses an answer that is no payload of the contract, and garbage, without stopping', async () => {
    const path = `/v1/covenant-stress/${naka.cik}`;
    const { cik: _, ...incomplete } = naka;
    const shapeless = await audit({ ask: server({ [path]: ok(incomplete) }) });
    expect(shapeless.failures[0]?.reason).toContain('schema: cik');
    const garbage = await audit({ ask: server({ [path]: { ...ok({}), bytes: Buffer.from('<html>') } }) });
    expect(garbage.failures[0]?.reason).toBe('the answer is not JSON');
  });

  it('does not pass what the route table serves and the server does not answer', async () => {
    const run = await audit({ served: ['R01', 'R11', 'R12', 'R17', 'R23'] });
    expect(run.failures_by_operation).toMatchObject({ core_history: 1, field_map: 1 });
    const refused = run.composite.filter(({ outcome }) => outcome === 'failed');
    expect(refused).toEqual([
      { operation: 'readiness', outcome: 'failed', reason: 'status 404 not_found' },
      { operation: 'every_route', outcome: 'failed', reason: 'getReadiness: status 404 not_found' },
    ]);
  });

  it('asks for a past date by source_date, and takes an issuer without a row that day for not applicable', async () => {
    const asked: string[] = [];
    const ask: Ask = async (target) => {
      asked.push(target);
      return target.startsWith('/companies') ? server()(target) : ok(listing([]));
    };
    const run = await runAudit({
      ask,
      store: storeOf(naka, 'edgar', { current: '2026-02-08.1' }),
      routes: only(['R01', 'R11', 'R12']),
      sourceDate: '2026-02-07',
      nowMs: () => nowMs,
    });
    expect(run).toMatchObject({ source_date: '2026-02-07', failed_count: 0, not_applicable_count: 18 });
    expect(run.reasons).toEqual({ no_row_on_that_date: 18 });
    expect(run.composite[0]).toMatchObject({ operation: 'readiness', reason: 'route_without_source_date' });
    expect(asked).toContain('/v1/covenant-stress?limit=100&offset=0&source_date=2026-02-07');
  });

  it('takes a refusal for right where a backfilled slice holds nothing, and for a failure elsewhere (I4.36)', async () => {
    const notHeld = problem(404, 'not_found', { reason_code: 'no_artifact_for_source_date' });
    const refusing = server({
      [`/v1/spectra-field-map/${naka.cik}`]: notHeld,
      '/v1/alpha-opportunities/audit': notHeld,
      [`/v1/alpha-signals/${naka.cik}`]: notHeld,
    });
    const past = (input: { rowStoresOnly: boolean }) =>
      runAudit({
        ask: refusing,
        store: storeOf(naka, 'fixtures', { current: '2026-02-08.1', ...input }),
        routes: only(['R07', 'R09', 'R11', 'R12', 'R17']),
        sourceDate: '2026-02-07',
        nowMs: () => nowMs,
      });
    const backfilled = await past({ rowStoresOnly: true });
    expect(backfilled.reasons).toMatchObject({ backfilled_slice: 1 });
    // scores are among what a backfilled slice holds
    expect(backfilled.failures.map(({ operation }) => operation)).toEqual(['alpha_signals']);
    expect(backfilled.composite_failed_count).toBe(0);
    const full = await past({ rowStoresOnly: false });
    expect(full.failures.map(({ operation }) => operation)).toEqual([
      'alpha_signals',
      'field_map',
      'alpha_opportunities_audit',
    ]);
  });

  it('compares the hash of a calculation row with the covenant payload (M15.56)', async () => {
    const served = ['R11', 'R12', 'R24'];
    const history = (payload_sha256: string) =>
      audit({ ask: server({ '/v1/core7/calculation-history': ok(calculation(payload_sha256)) }), served });
    const right = await history(createHash('sha256').update(stored(naka)).digest('hex'));
    expect(right).toMatchObject({ failed_count: 0, ok_count: 3 });
    expect((await history('b'.repeat(64))).failures).toEqual([
      {
        cik: naka.cik,
        operation: 'calculation_history',
        reason: 'payload_sha256 is not the hash of the covenant payload',
      },
    ]);
  });

  it('takes an issuer that is not ranked for not applicable, and any other refusal for a failure (M4.5)', async () => {
    const served = ['R10', 'R11', 'R12'];
    const path = `/v1/peer-ranking/${naka.cik}`;
    const unranked = problem(404, 'not_found', { reason_code: 'issuer_not_ranked' });
    const run = await audit({ ask: server({ [path]: unranked }), served });
    expect(run.reasons).toMatchObject({ issuer_unranked: 1 });
    expect(run.failed_count).toBe(0);
    const broken = await audit({ ask: server({ [path]: problem(503, 'artifact_unavailable') }), served });
    expect(broken.failures_by_operation.peer_ranking).toBe(1);
  });

  it('takes a judged issuer without a rank for a failure where another is judged (M4.5, M13.7)', async () => {
    const unranked = problem(404, 'not_found', { reason_code: 'issuer_not_ranked' });
    const failuresBeside = async (change: Partial<CovenantStress>) => {
      const judged: CovenantStress = { ...naka, figures_basis: 'resolved', treasury_relevance: 'core' };
      const rows = [judged, { ...judged, cik: '0009000002', ticker: 'OTHER', ...change }];
      const answers = {
        '/v1/covenant-stress': ok(listing(rows)),
        [`/v1/peer-ranking/${naka.cik}`]: unranked,
      };
      return (await audit({ ask: server(answers), served: ['R10', 'R12'] })).failures.filter(
        ({ operation }) => operation === 'peer_ranking',
      );
    };
    expect(await failuresBeside({})).toEqual([
      { cik: naka.cik, operation: 'peer_ranking', reason: 'it is judged and has no rank (M15.67)' },
    ]);
    expect(await failuresBeside({ treasury_relevance: 'incidental' })).toEqual([]);
    expect(await failuresBeside({ figures_basis: 'debt_unproven' })).toEqual([]);
    expect(await failuresBeside({ risk_tier: 'UNCLASSIFIED' })).toEqual([]);
  });

  it('takes missing market data for not applicable only where the release holds no ranking (M13.8)', async () => {
    const ask = server({
      '/v1/market-core/perps/rankings': problem(404, 'not_found', {
        reason_code: 'no_artifact_for_source_date',
      }),
    });
    const outcomes = async (holds: readonly string[]) =>
      (await audit({ ask, served: ['R12', 'R16', 'R19', 'R20'], holds })).composite
        .filter(({ operation }) => ['perp_rankings', 'etf_pressure', 'etf_audit'].includes(operation))
        .map(({ outcome }) => outcome);
    expect(await outcomes([])).toEqual(['not_applicable', 'not_applicable', 'not_applicable']);
    const key = perpRankings.stored.rows.key({ slice: '2026-02-07', bucket_length: '1d' });
    expect(await outcomes([key])).toEqual(['failed', 'failed', 'failed']);
  });

  it('is told as healthy in the status of the service when every operation passes', async () => {
    const signature = {
      alg: 'Ed25519',
      key_id: `ed25519-${'0'.repeat(16)}`,
      public_key: 'AA==',
      value: 'AA==',
    };
    const run = auditRun.parse({ ...(await audit()), signature });
    expect(auditStatus.parse(auditStatusOf({ run, bytes: 10, nowMs }))).toMatchObject({
      ok: true,
      status: 'healthy',
      operation_count: 18,
    });
  });
});

const discovery = {
  cost_usd: 0,
  quoted_cost_usd: 0,
  actual_cost_usd: 0,
  credits_charged: 0,
  billing_mode: 'public_discovery',
  billing_status: 'discovery_only',
  payment_status: 'not_applicable',
  source_date: '2026-02-07',
  limit: 500,
  offset: 0,
  count: 2,
  total: 2,
  search: null,
};

function company(cik: string, coverage: string): object {
  return {
    ticker: coverage === 'covered' ? 'NAKA' : null,
    lookup_ticker: coverage === 'covered' ? 'NAKA' : cik,
    name: 'Name',
    entity_name: 'Name',
    cik,
    category: 'operating_company',
    aliases: [],
    supported_routes: [],
    unavailable_routes: [],
    last_source_date: null,
    coverage_status: coverage,
    report_price_usd: null,
  };
}

function ok(value: object): AuditAnswer {
  return { status: 200, headers: new Map(), bytes: Buffer.from(JSON.stringify(value)) };
}

/** An answer whose payload is followed by a billing suffix (I4.24). */
function withLength(row: CovenantStress): AuditAnswer {
  const open = stored(row).subarray(0, -1);
  const bytes = Buffer.concat([open, Buffer.from(',"billing_status":"not_charged"}')]);
  return { status: 200, headers: new Map([['x-payload-length', String(open.length)]]), bytes };
}

function problem(status: number, code: string, members: object = {}): AuditAnswer {
  return { status, headers: new Map(), bytes: Buffer.from(JSON.stringify({ code, ...members })) };
}

/** A calculation history of one row, NAKA's. */
function calculation(payload_sha256: string): object {
  const row = {
    source_date: '2026-02-07',
    cik: naka.cik,
    ticker: 'NAKA',
    entity_name: null,
    fundamentals: null,
    covenant_stress: naka,
    peer_ranking: null,
    alpha_signals: null,
    market_regime: null,
    field_map_inputs: {},
    quality: { quality_flag: 'High', core_tier: null, notes: [] },
    provenance: {
      accession_number: null,
      data_source: 'linkbase_rooted_facts',
      root_resolution_method: null,
      computed_at_utc: null,
    },
    payload_sha256,
    evidence_hash: 'a'.repeat(64),
  };
  const meta = { total: 1, total_before_pagination: 1, limit: 25, offset: 0, count: 1 };
  return {
    payload_mode: 'compact',
    method_version: 'core-ltv-1.0',
    data: [row],
    meta: { ...meta, source_dates: ['2026-02-07'], filters: {} },
  };
}
