import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompanyReport } from '../../data/contract/payloads/reports/companyReport.ts';
import type { Answer } from '../../fixtures/rigs/askServer.ts';
import { sampleRest } from '../../fixtures/rigs/sampleHistory.ts';
import { payloadOf } from '../../fixtures/rigs/servedPayload.ts';
import type { SampleIssuer } from '../../fixtures/rigs/serveRelease.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';
import type { AuditAnswer } from './auditClient.ts';
import { reportProblems } from './issuerChecks.ts';

const slice = '2026-02-07';
const issuers: SampleIssuer[] = [
  { cik: '0000000001', ticker: 'WHOLE', name: 'Whole Inc', stress: 0.5, mapped: true },
  {
    cik: '0000000002',
    ticker: 'UNRANKED',
    name: 'Unranked Inc',
    stress: 0.4,
    unranked: 'figures_unproven',
    mapped: true,
  },
  { cik: '0000000003', ticker: 'NOMAP', name: 'No Map Inc', stress: 0.3, mapped: false },
];

let rig: Rig;
let key: string;
beforeAll(async () => {
  rig = await serveRig();
  const more = sampleRest({ sourceDate: slice, issuers, backfilled: false });
  const name = rig.release({ sourceDate: slice, issuers, more });
  rig.promote(name, { [slice]: name });
  key = await rig.key();
});
afterAll(() => rig.close());

async function answered(ticker: string): Promise<{ answer: Answer; report: CompanyReport }> {
  const answer = await rig.ask(`/v1/company-report/${ticker}`, { headers: { 'x-api-key': key } });
  expect(answer.status).toBe(200);
  return { answer, report: payloadOf(answer) as CompanyReport };
}
const problems = (report: CompanyReport, answer: Answer) => [
  ...reportProblems(report, { answer: answer as unknown as AuditAnswer }),
];
const changed = (report: CompanyReport, change: (data: CompanyReport['data']) => object): CompanyReport => ({
  ...report,
  data: { ...report.data, ...change(report.data) },
});

describe('a report in the audit', () => {
  it('is sound as it is answered, whole or without a rank', async () => {
    for (const ticker of ['WHOLE', 'UNRANKED']) {
      const { answer, report } = await answered(ticker);
      expect(problems(report, answer), ticker).toEqual([]);
    }
  });

  it('lacks what every issuer of a slice has: a field map', async () => {
    const { answer, report } = await answered('NOMAP');
    expect(problems(report, answer)).toEqual(['it lacks spectra_field_map (historical_field_map_missing)']);
  });

  it.each<[string, (data: CompanyReport['data']) => object, string]>([
    [
      'a part that is gone and said to be there',
      () => ({ alpha_signals: null, partial: true, status: 'partial' }),
      'alpha_signals is ok and says otherwise',
    ],
    [
      'a part that is gone and not said to be partial',
      () => ({ readiness: null }),
      'it says partial: false, its parts true',
    ],
    [
      'a whole report that says it is partial',
      () => ({ partial: true, status: 'partial' }),
      'it says partial: true, its parts false',
    ],
    [
      'a price that is no sum',
      ({ depth }) => ({ depth: { ...depth, price_micro_usd: 610_000 } }),
      '610000 is not the sum of its components',
    ],
  ])('is refused with %s', async (_, change, sentence) => {
    const { answer, report } = await answered('WHOLE');
    expect(problems(changed(report, change), answer)).toContain(sentence);
  });

  it('costs the base where it is partial', async () => {
    const { answer, report } = await answered('WHOLE');
    const partial = changed(report, () => ({ peer_ranking: null, partial: true, status: 'partial' }));
    expect(problems(partial, answer)).toContain('it is partial and costs 600000');
  });

  it('is refused where its bytes are not those that were hashed', async () => {
    const { answer, report } = await answered('WHOLE');
    const text = answer.bytes.toString('utf8');
    const other = text.replace('"ticker":"WHOLE"', '"ticker":"WHOLF"');
    expect(other).not.toBe(text);
    const found = problems(report, { ...answer, bytes: Buffer.from(other) } as Answer);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((one) => /SHA-256/.test(one))).toBe(true);
    const headers = new Map([...answer.headers].filter(([name]) => name !== 'x-payload-length'));
    expect(problems(report, { ...answer, headers } as unknown as Answer)).toEqual([
      'the answer does not say where its payload ends',
    ]);
  });
});
