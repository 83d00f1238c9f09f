import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import registry from '../../data/registry/parameters.json' with { type: 'json' };
import { blindView } from '../../fixtures/rigs/blindView.ts';
import { serverMetrics } from '../operations/metrics/serverMetrics.ts';
import { watchSettler } from '../settler/watchSettler.ts';

const path = join(import.meta.dirname, 'alerts.yml');
const text = readFileSync(path, 'utf8');
const expressions = [...text.matchAll(/^ +expr: (.+)$/gm)].map((found) => found[1] ?? '');

/** Every metric both processes expose, with its type. */
async function exposed(): Promise<Map<string, string>> {
  const server = await serverMetrics({ runtime: true }).text(blindView);
  const settler = await watchSettler({ chain: {} as never, jobs: {} as never, nowMs: () => 0 }).text();
  const types = `${server}\n${settler}`.matchAll(/^# TYPE (\S+) (\S+)$/gm);
  return new Map([...types].map((found) => [found[1] ?? '', found[2] ?? '']));
}

const language = new Set(
  'sum by le on unless or and rate increase histogram_quantile predict_linear up'.split(' '),
);
const withoutLabels = (expression: string) =>
  expression.replace(/\{[^}]*\}/g, '').replace(/\b(?:by|on) \([^)]*\)/g, '');
const named = new Set(
  expressions
    .flatMap((expression) => withoutLabels(expression).match(/\b[a-z][a-z0-9_]+\b/g) ?? [])
    .filter((word) => !language.has(word) && !/^e\d+$/.test(word)),
);

/** What tells how much, not how well: no value of these alone calls for anybody. */
const figures: Readonly<Record<string, string>> = {
  http_problems_total: 'explains IssuerAnswersFail',
  charges_total: 'turnover',
  ledger_receipts: 'turnover',
  ledger_charged_micro_usd: 'turnover',
  ledger_batch_ops: 'explains IssuerLedgerSlow',
  pay_claims_total: 'turnover',
  pay_recovered_total: 'what recovery did by itself',
  pay_wait_seconds: 'explains IssuerAnswersSlow',
  pay_unresolved: 'normal while young; its age has a rule',
  pay_undelivered_settled: 'normal while young; the overdue have a rule',
  pay_undelivered_micro_usd: 'the same in money',
  pay_queued_for_batch: 'the gateway pays in batches; the amount has a rule',
  store_replica_bytes: 'disk it takes',
  store_reads_total: 'explains IssuerStoreAway',
  sig_backend: 'which implementation is in use',
  settler_wait_seconds: 'explains IssuerJobsWait',
  settler_gas_wei_total: 'cost',
};

describe('the alert rules', () => {
  it('name no metric that is not exposed', async () => {
    const metrics = await exposed();
    const known = new Set(
      [...metrics].flatMap(([name, type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`] : [name],
      ),
    );
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  });

  it('cover every metric of ours that is no mere figure, and list no figure that has a rule', async () => {
    const ours = [...(await exposed()).keys()].filter((name) => !/^(process|nodejs)_/.test(name));
    const covered = (name: string) => named.has(name) || named.has(`${name}_bucket`);
    expect(ours.filter((name) => !covered(name) && figures[name] === undefined)).toEqual([]);
    expect(Object.keys(figures).filter((name) => covered(name) || !ours.includes(name))).toEqual([]);
  });

  it('name no event of the log that the code does not write', () => {
    const source = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(import.meta.dirname, '..', name), 'utf8'))
      .join('\n');
    const events = [...text.matchAll(/(?:event|outcome)=~?"([^"]+)"/g)].flatMap(
      (found) => found[1]?.split('|') ?? [],
    );
    expect(events.length).toBeGreaterThan(10);
    expect(events.filter((event) => !source.includes(`'${event}'`))).toEqual([]);
  });

  it('call a release old at the age at which the operations page, the audit and /ready do (M13.9)', () => {
    const [, hours] = /release_age_seconds > (\d+) \* 3600/.exec(text) ?? [];
    expect(Number(hours)).toBe(registry.parameters.freshness_window_hours.value);
  });

  it('each say what is wrong and what to do', () => {
    const rules = text.split('- alert: ').slice(1);
    expect(rules).toHaveLength(expressions.length);
    for (const rule of rules) {
      expect(rule).toMatch(/severity: (page|ticket)/);
      expect(rule).toMatch(/summary: .+\n +next: .+/);
    }
  });

  it('are read by promtool', (ctx) => {
    const checked = spawnSync('promtool', ['check', 'rules', path], { encoding: 'utf8' });
    if (checked.error !== undefined) ctx.skip('promtool is not on this machine: the rules were not parsed');
    expect({ status: checked.status, said: checked.stderr }).toEqual({ status: 0, said: '' });
  });
});
