import { reportPriceMicroUsd, requiredLegs } from '../../data/contract/billing/reportDepth.ts';
import type { CompanyReport } from '../../data/contract/payloads/reports/companyReport.ts';
import { type AuditAnswer, exactJson, payloadBytes } from './auditClient.ts';
import { reportChecks } from './reportChecks.ts';

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
