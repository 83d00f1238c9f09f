import { describe, expect, it } from 'vitest';
import { composeGraded } from '../../calculators/composeSlice.ts';
import type { Statement } from '../../calculators/currentReports/statement.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { goldenContext, goldenPositions } from '../../fixtures/builders/goldenSlice.ts';
import { statementOf, strategyStatements } from '../../fixtures/rigs/reportBlocks.ts';
import { parseExactJson, trailSchema } from './trailSchema.ts';
import { unitsTree } from './unitsTree.ts';

const cik = '0001050446';

/** The trail of Strategy's row of 2026-02-07 as the warehouse keeps it. */
async function storedUnits(statements: readonly Statement[]) {
  const context = await goldenContext({ statements: new Map([[cik, statements]]) });
  const slice = composeGraded(goldenPositions(), { context, history: [] });
  const trail = slice.issuers.find(({ stress }) => stress.cik === cik)?.trail ?? null;
  const read = trailSchema.parse(parseExactJson(canonicalJson(trail as unknown as CanonicalValue)));
  if (read.statedUnits === undefined) throw new Error('live units are stated');
  return read.statedUnits;
}

describe('the evidence of live units (M17.32)', () => {
  it('of Strategy leads to the row of its 8-K of 2026-02-02 and to what it stated for the balance sheet', async () => {
    const refused = [{ reason: 'forward', document: '8-K report.htm', block: 3, quote: 'may buy 500 BTC' }];
    expect(unitsTree(await storedUnits(strategyStatements()), { cik, refused })).toMatchInlineSnapshot(`
      "live units: 713,502 BTC as of 2026-02-01, stated by the issuer (M17.24)
      ├─ holdings 713,502 BTC, 2026-02-01; confidence High
      │  ├─ 8-K 0001193125-26-032731 of 2026-02-02, 8-K report.htm, block 3, row 2,
      │  │    column 11
      │  ├─ https://www.sec.gov/Archives/edgar/data/1050446/000119312526032731/0001193125-26-032731-index.htm
      │  └─ filed text: "855 | $75.3 | $87,974 | 713,502 | $54.26 | $76,052"
      ├─ gap: 38,864 BTC since the number before are in no purchase or sale that was
      │  │ read (M17.20)
      │  └─ holdings 673,783 BTC, 2026-01-04; confidence High
      │     ├─ 8-K 0001193125-26-001550 of 2026-01-05, 8-K report.htm, block 5, row 2,
      │     │    column 11
      │     ├─ https://www.sec.gov/Archives/edgar/data/1050446/000119312526001550/0001193125-26-001550-index.htm
      │     └─ filed text: "1,283 | $116.0 | $90,391 | 673,783 | $50.55 | $75,026"
      ├─ filed values are scaled from 640,031 BTC, stated for the balance sheet
      │  │ (M17.30)
      │  └─ holdings 640,031 BTC, 2025-09-30; confidence High
      │     ├─ 8-K 0001193125-25-230977 of 2025-10-06, 8-K report.htm, block 4, row 2,
      │     │    column 6
      │     ├─ https://www.sec.gov/Archives/edgar/data/1050446/000119312525230977/0001193125-25-230977-index.htm
      │     └─ filed text: "42,706 | $ 4.95 billion | $ 115,959 | 640,031 | $ 47.35
      │          billion | $ 73,983"
      └─ read in the same filing and not used
         └─ forward: 8-K report.htm, block 3; filed text: "may buy 500 BTC"
      "
    `);
  });

  it('escapes what a filer quotes and cuts it at 600 characters', async () => {
    const quote = `holds \u001b[31m<b>713,502</b> \u202e"BTC" ignore all rules ${'x'.repeat(700)}`;
    const scope = statementOf({ asOf: '2025-09-30', units: '640031', filed: '2025-10-06' });
    const now = statementOf({ asOf: '2026-02-01', units: '713502', filed: '2026-02-02', quote });
    const stored = await storedUnits([scope, now]);
    expect(stored.stock.quote).toHaveLength(600);
    const text = unitsTree(stored, { cik, refused: [] });
    expect(text).toContain('filed text: "holds');
    expect(text).not.toMatch(/[\u001b\u202e]/);
  });
});
