import { createHash } from 'node:crypto';
import { reportPriceMicroUsd, requiredLegs } from '../../data/contract/billing/reportDepth.ts';
import type { AuditOperation } from '../../data/contract/payloads/audit/auditRun.ts';
import { alphaSignals } from '../../data/contract/payloads/issuer/alphaSignals.ts';
import { calculationHistory } from '../../data/contract/payloads/issuer/calculationHistory.ts';
import {
  type CompanyFundamentals,
  companyFundamentals,
  fundamentalKeys,
} from '../../data/contract/payloads/issuer/companyFundamentals.ts';
import { coreHistory } from '../../data/contract/payloads/issuer/coreHistory.ts';
import { type CovenantStress, covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { type IssuerFieldMap, issuerFieldMap } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { type PeerRanking, peerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import { type CompanyReport, companyReport } from '../../data/contract/payloads/reports/companyReport.ts';
import { dailyChangeEvidence } from '../../data/contract/payloads/universe/dailyChangeEvidence.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type AuditAnswer, type AuditClient, checked, exactJson, payloadBytes } from './auditClient.ts';
import { stressProblems } from './compositeChecks.ts';
import { reportChecks } from './reportChecks.ts';
import { alphaProblems, rankingProblems } from './scoreChecks.ts';
import { failed, notApplicable, passed, type Verdict, verdictOf } from './verdicts.ts';

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
      scope.client,
      'R08',
      `/v1/company-fundamentals/${cik}`,
      companyFundamentals.schema,
      fundamentalsProblems,
    ),
  alpha_signals: (scope, cik) =>
    checked(scope.client, 'R09', `/v1/alpha-signals/${cik}`, alphaSignals.schema, alphaProblems),
  async peer_ranking(scope, cik) {
    const asked = await scope.client.ask('R10', `/v1/peer-ranking/${cik}`, peerRanking.schema);
    if (!('payload' in asked)) {
      if (!isUnranked(asked.verdict)) return asked.verdict;
      return scope.rankedByRight.has(cik)
        ? failed('it is judged and has no rank (M15.67)')
        : notApplicable('issuer_unranked');
    }
    return verdictOf(rankingProblems(asked.payload.value, await scope.rankings()));
  },
  covenant_stress: (scope, cik) =>
    checked(scope.client, 'R11', `/v1/covenant-stress/${cik}`, covenantStress.schema, function* (row) {
      yield* stressProblems(row);
      const listed = scope.rows.get(cik)?.[0];
      if (listed !== undefined && !sameMembers(row, listed)) yield 'the screen lists another row';
    }),
  core_history: (scope, cik) =>
    checked(scope.client, 'R23', `/v1/core-history/${cik}?limit=2000`, coreHistory.schema, ({ data }) =>
      historyProblems(data, scope, cik),
    ),
  async calculation_history(scope, cik) {
    const asked = await scope.client.ask(
      'R24',
      `/v1/core7/calculation-history?cik=${cik}`,
      calculationHistory.schema,
    );
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
    checked(scope.client, 'R17', `/v1/spectra-field-map/${cik}`, issuerFieldMap.schema, fieldMapProblems),
  async company_report_or_evidence(scope, cik) {
    if (scope.client.serves('R29')) return companyReportOf(scope, cik);
    // where reports are not served, the evidence of the issuer must be answerable; nothing changed is an answer too
    const asked = await scope.client.ask(
      'R03',
      `/v1/daily-changes/evidence?cik=${cik}`,
      dailyChangeEvidence.schema,
    );
    if ('payload' in asked) return passed;
    return asked.status === 404 ? notApplicable('no_evidence_for_issuer') : asked.verdict;
  },
};

async function companyReportOf(scope: AuditScope, cik: string): Promise<Verdict> {
  const asked = await scope.client.ask(
    'R29',
    `/v1/company-report/${cik}?output_mode=full`,
    companyReport.schema,
  );
  if (!('payload' in asked)) return asked.verdict;
  const { value, answer } = asked.payload;
  const listed = scope.rows.get(cik)?.[0];
  const { covenant_stress: covenant } = value.data;
  if (listed !== undefined && covenant !== null && !sameMembers(covenant, listed))
    return failed('its covenant part is another row than the screen lists');
  return verdictOf(reportProblems(value, { answer }));
}

/** The hash of a calculation row is that of the covenant payload R11 answers with (M15.56). */
async function payloadHash(
  scope: AuditScope,
  { cik, expected }: { cik: string; expected: string },
): Promise<Verdict> {
  const covenant = await scope.client.ask('R11', `/v1/covenant-stress/${cik}`, covenantStress.schema);
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
export function sameMembers(a: object, b: object): boolean {
  const other = new Map<string, CanonicalValue>(Object.entries(b));
  return Object.entries(a).every(
    ([name, value]) => !other.has(name) || canonicalJson(value) === canonicalJson(other.get(name) ?? null),
  );
}

/** Points out of order or out of bounds (M15.53, M15.54). */
export function* fieldMapProblems({ points }: IssuerFieldMap): Generator<string> {
  for (const [i, point] of points.entries()) {
    const before = points[i - 1];
    if (before !== undefined && before.date >= point.date) yield `${point.date} is out of order`;
    for (const name of ['field_pressure', 'stored_energy', 'price_echo'] as const) {
      const value = point[name];
      if (value !== null && (value < 0 || value > 1)) yield `${name} of ${point.date} is outside 0 … 1`;
    }
    if (point.compression === 1 && point.release === 1) yield `${point.date} is compression and release`;
    if (point.E_total !== null && point.R_s !== null && !isEnergyOf(point.E_total, point.R_s)) {
      yield `E_total of ${point.date} is below 2·|R_s|`;
    }
  }
}

/** Both are rounded to six decimals by at most half of the last, and R counts twice. */
const energyRounding = ExactDecimal.parse('0.0000015');

function isEnergyOf(energy: number, reinforcement: number): boolean {
  const size = ExactDecimal.fromNumber(Math.abs(reinforcement));
  return size.plus(size).compare(ExactDecimal.fromNumber(energy).plus(energyRounding)) <= 0;
}

/** What of an answer is not exactly what its provenance says was filed (M10.8, M10.13, M15.4, M15.57). */
function* fundamentalsProblems(payload: CompanyFundamentals): Generator<string> {
  const { fundamentals, provenance } = payload;
  for (const key of fundamentalKeys) {
    const value = fundamentals[key];
    const fact = provenance.facts[key];
    if (value === null) {
      if (fact !== undefined) yield `${key} is null beside a filed fact`;
      continue;
    }
    if (fact === undefined) {
      yield `${key} has no filed fact`;
      continue;
    }
    if (String(fact.value) !== String(value)) yield `${key} differs from the filed value`;
    if (fact.duration_kind === 'instant') {
      if (fact.start !== null) yield `${key} is an instant with a start`;
      continue;
    }
    if (fact.months === null) yield `${key} has no months`;
    if (fact.start === null || fact.start >= fact.end) yield `${key} has no duration`;
    if (fact.ytd !== null && fact.months !== null && fact.ytd.months < fact.months) {
      yield `${key} is longer than its year to date`;
    }
  }
}

/**
 * What is wrong with a report: a part that should be there and is not, a price that is not the sum of what it holds,
 * a state that its parts do not give, bytes that are not those of its artifacts (M13.7, I4.R29.2c, I4.R29.3).
 *
 * @param answer the answer it came in
 */
export function* reportProblems(
  { data }: CompanyReport,
  { answer }: { answer: AuditAnswer },
): Generator<string> {
  // the slice ranks not every issuer (M4.5); any other part is there for each
  const gone = data.errors.filter(({ code }) => code !== 'issuer_not_ranked');
  for (const { leg, code } of gone) yield `it lacks ${leg} (${code})`;
  for (const { name, status } of data.legs) {
    if ((data[name] === null) === (status === 'ok')) yield `${name} is ${status} and says otherwise`;
  }
  const isPartial = requiredLegs.some((name) => data[name] === null);
  if (data.partial !== isPartial || (data.status === 'partial') !== isPartial)
    yield `it says partial: ${data.partial}, its parts ${isPartial}`;
  const { components, price_micro_usd: price } = data.depth;
  if (reportPriceMicroUsd(components) !== price) yield `${price} is not the sum of its components`;
  if (isPartial && price !== reportPriceMicroUsd(['base'])) yield `it is partial and costs ${price}`;
  const bytes = payloadBytes(answer);
  if (bytes === null) yield 'the answer does not say where its payload ends';
  else
    for (const { holds, text } of reportChecks(exactJson(bytes.toString('utf8')) as never, {
      artifact: artifactOf(answer),
      listed: null,
    }))
      if (!holds) yield text;
}

function artifactOf({ bytes }: AuditAnswer): string {
  const { response_metadata: metadata } = JSON.parse(bytes.toString('utf8')) as {
    response_metadata?: { artifact_sha256?: string };
  };
  return metadata?.artifact_sha256 ?? '';
}
