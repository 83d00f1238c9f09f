import { createHash } from 'node:crypto';
import type { BriefKind } from '../../data/contract/payloads/reports/briefGrammar.ts';
import { briefProblems } from '../../data/contract/payloads/reports/briefProblems.ts';
import { briefLimits, naturalBrief } from '../../data/contract/payloads/reports/naturalBrief.ts';
import { covenantStressList } from '../../data/contract/payloads/universe/covenantStressList.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { briefStyles } from '../../data/contract/values/enums.ts';
import type { AuditClient } from './auditClient.ts';
import { pages } from './pages.ts';
import { skipped, type Verdict, verdictOf } from './verdict.ts';

type Brief = (typeof naturalBrief)['example'];

/**
 * Every brief of the slice as a client reads it: sections and disclaimer, length, each number in its evidence, the hash
 * of the evidence, and the same evidence in all four styles (I2.39–I2.44). Knows nothing of how a brief is compiled.
 */
export async function briefValidation(client: AuditClient): Promise<Verdict> {
  if (!client.serves('R25')) return skipped('route_pending');
  const screen = await pages(client, {
    routeId: 'R12',
    path: '/v1/covenant-stress',
    limit: 100,
    schema: covenantStressList.schema,
    rowsOf: (page) => page.data,
    totalOf: (page) => page.meta.total,
  });
  if ('verdict' in screen) return screen.verdict;
  const asked = [
    ...briefLimits.flatMap((limit) => [
      { routeId: 'R25', kind: 'morning' as const, query: `/v1/morning-brief/natural?limit=${limit}` },
      { routeId: 'R26', kind: 'top_stressed' as const, query: `/v1/top-stressed/natural?limit=${limit}` },
    ]),
    ...screen.rows.map(({ cik }) => ({
      routeId: 'R27',
      kind: 'covenant' as const,
      query: `/v1/covenant-stress/natural?ticker=${cik}`,
    })),
  ];
  for (const { routeId, kind, query } of asked) {
    const hashes = new Set<string>();
    for (const style of briefStyles) {
      const answer = await client.ask({
        routeId,
        target: `${query}&style=${style}`,
        schema: naturalBrief.schema,
      });
      if (!('payload' in answer)) return answer.verdict;
      const brief = answer.payload.value;
      const problems = answerProblems(brief, kind);
      if (problems.length > 0) return verdictOf(problems.map((problem) => `${query} ${style}: ${problem}`));
      hashes.add(brief.evidence_hash);
    }
    if (hashes.size !== 1) return verdictOf([`${query}: the styles have different evidence`]);
  }
  return verdictOf([]);
}

/** What speaks against a brief as it was answered. */
export function answerProblems(brief: Brief, kind: BriefKind): string[] {
  const { natural_brief: text, summary_data: evidence, style } = brief;
  const hash = createHash('sha256')
    .update(canonicalJson(evidence as CanonicalValue))
    .digest('hex');
  return [
    ...briefProblems({ text, evidence, kind, style }),
    ...(hash === brief.evidence_hash ? [] : ['evidence_hash is not that of summary_data (I2.39)']),
  ];
}
