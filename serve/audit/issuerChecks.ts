import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { AuditOperation } from '../../data/contract/payloads/audit/auditRun.ts';
import { alphaSignals } from '../../data/contract/payloads/issuer/alphaSignals.ts';
import { calculationHistory } from '../../data/contract/payloads/issuer/calculationHistory.ts';
import { companyFundamentals } from '../../data/contract/payloads/issuer/companyFundamentals.ts';
import { coreHistory } from '../../data/contract/payloads/issuer/coreHistory.ts';
import { type CovenantStress, covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { issuerFieldMap } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { type PeerRanking, peerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import { companyReport } from '../../data/contract/payloads/reports/companyReport.ts';
import { dailyChangeEvidence } from '../../data/contract/payloads/universe/dailyChangeEvidence.ts';
import { alphaProblems } from './alphaChecks.ts';
import { type AuditClient, payloadBytes } from './auditClient.ts';
import { fieldMapProblems } from './fieldMapChecks.ts';
import { fundamentalsProblems } from './fundamentalsChecks.ts';
import { rankingProblems } from './rankingChecks.ts';
import { reportProblems } from './reportProblems.ts';
import { stressProblems } from './stressChecks.ts';
import { failed, notApplicable, passed, type Verdict, verdictOf } from './verdict.ts';

/** What the operations of one issuer read: the server's answers and the rows of the slice. */
export type AuditScope = {
  readonly client: AuditClient;
  readonly sourceDate: string;
  /** Rows of the slice by CIK, as the screen lists them; more than one is a defect. */
  readonly rows: ReadonlyMap<string, readonly CovenantStress[]>;
  /** Issuers that the slice has to rank. */
  readonly rankedByRight: ReadonlySet<string>;
  /** Every ranking of the slice, read once. */
  rankings(): Promise<readonly PeerRanking[]>;
};

type Check = (scope: AuditScope, cik: string) => Promise<Verdict>;

/** The nine operations of M13.7 for an issuer that has an eligible filing. */
export const issuerChecks: Readonly<Record<AuditOperation, Check>> = {
  async readiness_membership({ rows }, cik) {
    const found = rows.get(cik)?.length ?? 0;
    return found === 1 ? passed : failed(found === 0 ? 'no row in the slice' : `${found} rows in the slice`);
  },
  company_fundamentals: (scope, cik) =>
    checked(
      scope,
      { routeId: 'R08', target: `/v1/company-fundamentals/${cik}`, schema: companyFundamentals.schema },
      (p) => fundamentalsProblems(p),
    ),
  alpha_signals: (scope, cik) =>
    checked(scope, { routeId: 'R09', target: `/v1/alpha-signals/${cik}`, schema: alphaSignals.schema }, (p) =>
      alphaProblems(p),
    ),
  async peer_ranking(scope, cik) {
    const asked = await scope.client.ask({
      routeId: 'R10',
      target: `/v1/peer-ranking/${cik}`,
      schema: peerRanking.schema,
    });
    if (!('payload' in asked)) {
      if (!isUnranked(asked.verdict)) return asked.verdict;
      return scope.rankedByRight.has(cik)
        ? failed('it is judged and has no rank (M15.67)')
        : notApplicable('issuer_unranked');
    }
    return verdictOf(rankingProblems(asked.payload.value, await scope.rankings()));
  },
  covenant_stress: (scope, cik) =>
    checked(
      scope,
      { routeId: 'R11', target: `/v1/covenant-stress/${cik}`, schema: covenantStress.schema },
      function* (row) {
        yield* stressProblems(row);
        const listed = scope.rows.get(cik)?.[0];
        if (listed !== undefined && !sameMembers(row, listed)) yield 'the screen lists another row';
      },
    ),
  core_history: (scope, cik) =>
    checked(
      scope,
      { routeId: 'R23', target: `/v1/core-history/${cik}?limit=2000`, schema: coreHistory.schema },
      ({ data }) => historyProblems(data, scope, cik),
    ),
  async calculation_history(scope, cik) {
    const asked = await scope.client.ask({
      routeId: 'R24',
      target: `/v1/core7/calculation-history?cik=${cik}`,
      schema: calculationHistory.schema,
    });
    if (!('payload' in asked)) return asked.verdict;
    const row = asked.payload.value.data.find((r) => r.source_date === scope.sourceDate);
    if (row === undefined) return failed('it has no row of the slice');
    const listed = scope.rows.get(cik)?.[0];
    if (listed !== undefined && !sameMembers(row.covenant_stress, listed)) {
      return failed('its covenant row is another one than the screen lists');
    }
    return payloadHash(scope, { cik, expected: row.payload_sha256 });
  },
  field_map: (scope, cik) =>
    checked(
      scope,
      { routeId: 'R17', target: `/v1/spectra-field-map/${cik}`, schema: issuerFieldMap.schema },
      (p) => fieldMapProblems(p),
    ),
  async company_report_or_evidence(scope, cik) {
    if (scope.client.serves('R29')) return companyReportOf(scope, cik);
    // where reports are not served, the evidence of the issuer must be answerable; nothing changed is an answer too
    const asked = await scope.client.ask({
      routeId: 'R03',
      target: `/v1/daily-changes/evidence?cik=${cik}`,
      schema: dailyChangeEvidence.schema,
    });
    if ('payload' in asked) return passed;
    return asked.status === 404 ? notApplicable('no_evidence_for_issuer') : asked.verdict;
  },
};

async function companyReportOf(scope: AuditScope, cik: string): Promise<Verdict> {
  const asked = await scope.client.ask({
    routeId: 'R29',
    target: `/v1/company-report/${cik}?output_mode=full`,
    schema: companyReport.schema,
  });
  if (!('payload' in asked)) return asked.verdict;
  const { value, answer } = asked.payload;
  const listed = scope.rows.get(cik)?.[0];
  const { covenant_stress: covenant } = value.data;
  if (listed !== undefined && covenant !== null && !sameMembers(covenant, listed))
    return failed('its covenant part is another row than the screen lists');
  return verdictOf(reportProblems(value, { answer }));
}

async function checked<S extends z.ZodType>(
  scope: AuditScope,
  request: { routeId: string; target: string; schema: S },
  problems: (payload: z.infer<S>) => Iterable<string>,
): Promise<Verdict> {
  const asked = await scope.client.ask(request);
  return 'payload' in asked ? verdictOf(problems(asked.payload.value)) : asked.verdict;
}

/** The hash of a calculation row is that of the covenant payload R11 answers with (M15.56). */
async function payloadHash(
  scope: AuditScope,
  { cik, expected }: { cik: string; expected: string },
): Promise<Verdict> {
  const covenant = await scope.client.ask({
    routeId: 'R11',
    target: `/v1/covenant-stress/${cik}`,
    schema: covenantStress.schema,
  });
  if (!('payload' in covenant)) return covenant.verdict;
  const bytes = payloadBytes(covenant.payload.answer);
  if (bytes === null) return failed('the covenant answer does not say where its payload ends');
  const hash = createHash('sha256').update(bytes).digest('hex');
  return hash === expected ? passed : failed('payload_sha256 is not the hash of the covenant payload');
}

function isUnranked(verdict: Verdict): boolean {
  return verdict.outcome === 'failed' && /^status 404 .*issuer_not_ranked/.test(verdict.reason);
}

function* historyProblems(
  data: readonly {
    readonly source_date: string;
    readonly stress_50pct: number;
    readonly risk_tier: string;
  }[],
  scope: AuditScope,
  cik: string,
): Generator<string> {
  const dates = data.map((row) => row.source_date);
  const ascending = dates.every((date, i) => i === 0 || date > (dates[i - 1] ?? ''));
  const descending = dates.every((date, i) => i === 0 || date < (dates[i - 1] ?? '~'));
  if (!ascending && !descending) yield 'its dates are not in order or not unique';
  const latest = data.find((row) => row.source_date === scope.sourceDate);
  const listed = scope.rows.get(cik)?.[0];
  if (latest === undefined) yield 'it has no row of the slice';
  else if (
    listed !== undefined &&
    !(latest.stress_50pct === listed.stress_50pct && latest.risk_tier === listed.risk_tier)
  )
    yield 'its row of the slice is another one';
}

/** True when every member both have is written alike. */
function sameMembers(a: object, b: object): boolean {
  const other = new Map(Object.entries(b));
  return Object.entries(a).every(
    ([name, value]) => !other.has(name) || JSON.stringify(value) === JSON.stringify(other.get(name)),
  );
}
