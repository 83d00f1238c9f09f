import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { handMadeTrail } from '../../fixtures/builders/handMadeTrail.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../fixtures/rigs/handMadeWarehouse.ts';
import { writeStressRows } from '../warehouse/derived/stressRows.ts';
import { type ExplainRequest, explainIssuer } from './explainIssuer.ts';
import { parseExactJson, trailSchema } from './trailSchema.ts';
import { trailTree } from './trailTree.ts';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
  const text = { cik: 'VARCHAR', ticker: 'VARCHAR', entity_name: 'VARCHAR', issuer_type: 'VARCHAR' };
  await warehouse.put('universe_issuer', { position: 'INTEGER', ...text, aliases: ['VARCHAR'] }, [
    [0, '0001889123', 'FLD', 'Fold Holdings, Inc.', 'operating_company', ['EMLD']],
    [1, '0001050446', 'MSTR', 'Strategy Inc', 'operating_company', ['CLASS']],
    [2, '0000000002', 'B', 'Class B Inc', 'operating_company', ['CLASS']],
  ]);
});
afterEach(() => warehouse.remove());

function row({
  sourceDate,
  period,
  cik,
}: {
  sourceDate: string;
  period?: string;
  cik?: string;
}): CovenantStress {
  return {
    source_date: sourceDate,
    cik: cik ?? '0001889123',
    ticker: 'FLD',
    accession_number: '0001213900-25-111111',
    filing_form: '10-Q',
    period: period ?? '2025-09-30',
    core_model: 'core-ltv-1.0',
    core_tier: 'Tower',
    total_long_term_debt: ExactDecimal.parse('82394322'),
    total_crypto_fair_value: ExactDecimal.parse('9007199254740993'),
    stress_30pct: 0.655059,
    stress_50pct: 0.917082,
    stress_70pct: 1.52847,
    risk_tier: 'HIGH',
    quality_flag: 'High',
    data_source: 'linkbase_rollup',
    is_linkbase_backed: true,
    calculation_arc_count: 42,
    debt_coverage_status: 'resolved_nonzero',
    root_resolution_method: 'extension_root_rollup',
    root_resolution_details: [],
    extension_root_concepts: [],
    mapping_hit_count: 4,
    resolution_status: 'resolved_with_notes',
    data_quality_notes: ['pledged_receivable'],
  };
}

type Written = { sourceDate: string; period?: string; trail?: boolean; cik?: string; notes?: string[] };

async function write(input: Written) {
  const trail = { ...handMadeTrail(), ...(input.period === undefined ? {} : { period: input.period }) };
  const stress = row(input);
  const noted = input.notes === undefined ? stress : { ...stress, data_quality_notes: input.notes };
  await writeStressRows(warehouse.connection, [noted], {
    sourceDate: input.sourceDate,
    methodVersion: 'params-1.2',
    trails: new Map(input.trail === false ? [] : [[trail.cik, trail]]),
  });
}

const explain = (explainRequest: Partial<ExplainRequest> = {}) => {
  warehouse.close();
  return explainIssuer({
    databasePath: warehouse.path,
    label: 'FLD',
    period: null,
    sourceDate: null,
    format: 'text',
    ...explainRequest,
  });
};

describe('issuer explain', () => {
  it.each([
    ['coins_not_split', 'the coins are not split by kind'],
    ['live_overlay_on_cost_refused', 'coins at cost are not repriced'],
    ['close_missing:SOL:2025-11-19', 'the slice has no close for these coins'],
  ])('says why there is no live reading: %s', async (note, words) => {
    await write({ sourceDate: '2025-11-19', notes: [note] });
    expect(await explain()).toContain(`live: not known, ${words}\n`);
  });

  it('prints the tree from the ratio to the totals to each filed fact', async () => {
    await write({ sourceDate: '2025-11-19' });
    expect(await explain()).toMatchInlineSnapshot(`
      "FLD is HIGH: after a 50 % fall its debt is 0.92 of its coins.
      FLD  Fold Holdings, Inc.  CIK 0001889123
      10-Q 0001213900-25-111111, period 2025-09-30; slice of 2025-11-19 (params-1.2)
      https://www.sec.gov/Archives/edgar/data/1889123/000121390025111111/0001213900-25-111111-index.htm
      as filed: debt is 0.917082 of the coins after a 50 % fall, risk tier HIGH
      live: not known, the slice has no close for these coins
      tier = filed debt against shocked coins; not a credit rating
      quality High, core tier Tower; resolved with notes, read through 42 arcs of its
        calculation linkbase
      note: Coins of this amount are pledged and stand as a receivable, outside the
        coins counted. (pledged_receivable)

      debt ÷ coins after a 50 % fall = 0.917082 (stress_50pct, M3.1)
      ├─ debt 82,394,322 USD = current 21,644,139 + noncurrent 60,750,183; found; read
      │  │ from the calculation linkbase, with concepts of the filer’s own, added up
      │  │ by its arcs (M1.27, M1.28, M1.37)
      │  ├─ plus convertible notes payable current 21,644,139 USD, current;
      │  │  │ us-gaap:ConvertibleNotesPayableCurrent, below us-gaap:LiabilitiesCurrent
      │  │  │ in ConsolidatedBalanceSheets; dictionary L2 (M1.25)
      │  │  └─ filed 21,644,139 USD at 2025-09-30; 0001213900-25-111111, instance,
      │  │       context c-2, to the dollar
      │  ├─ plus convertible notes payable related party noncurrent 60,750,183 USD,
      │  │  │ noncurrent; fld:ConvertibleNotesPayableRelatedPartyNoncurrent, below
      │  │  │ us-gaap:Liabilities in ConsolidatedBalanceSheets; a concept of the
      │  │  │ filer’s own, accepted by its name (M1.25)
      │  │  └─ filed 60,750,183 USD at 2025-09-30; 0001213900-25-111111, instance,
      │  │       context c-2, to the dollar
      │  ├─ ways to read it, in order
      │  │  ├─ ✓ taken: the liabilities of the calculation linkbase; 2 debt lines
      │  │  │    below us-gaap:Liabilities (M1.25)
      │  │  └─ · passed over: single facts, by a fixed order of concepts; the walk
      │  │       resolved the total (M1.29)
      │  └─ checks
      │     └─ ✓ holds: debt is within liabilities; 82,394,322 of liabilities
      │          106,214,000 (M1.35)
      └─ coins 179,688,082 USD; number of bitcoin estimated from the value; read from
         │ the assets of the calculation linkbase, added up by its arcs (M2.3–M2.6,
         │ M2.12)
         ├─ plus digital assets 179,688,082 USD, not divided by term;
         │  │ fld:DigitalAssets, below us-gaap:Assets in ConsolidatedBalanceSheets;
         │  │ unreported; all its descendants are crypto (M2.3)
         │  └─ plus digital assets 179,688,082 USD; not filed itself, added up by its
         │     │ arcs in ConsolidatedBalanceSheets (M1.26)
         │     ├─ plus digital assets current, filed 9,295,587 USD at 2025-09-30;
         │     │    fld:DigitalAssetsCurrent, 0001213900-25-111111, instance, context
         │     │    c-2, to the dollar
         │     ├─ plus digital assets noncurrent, filed 170,392,495 USD at 2025-09-30;
         │     │    fld:DigitalAssetsNoncurrent, 0001213900-25-111111, instance,
         │     │    context c-2, to the dollar
         │     └─ close of BTC on 2025-09-30: 114078.18 USD; cryptocompare (M2.13)
         └─ ways to read it, in order
            └─ ✓ taken: the assets of the calculation linkbase; 2 crypto lines below
                 us-gaap:Assets (M2.3)
      "
    `);
  });

  it('takes the row of the greatest source date up to the one asked for and names both (M10.6)', async () => {
    await write({ sourceDate: '2025-08-20', period: '2025-06-30' });
    await write({ sourceDate: '2025-11-19' });
    const asked = (await explain({ sourceDate: '2025-10-01' })).replaceAll('\n  ', ' ');
    expect(asked).toContain('period 2025-06-30; slice of 2025-08-20, asked for 2025-10-01 (params-1.2)');
    expect(await explain({ period: '2025-06-30' })).toContain('slice of 2025-08-20 (params-1.2)');
    expect(await explain()).toContain('slice of 2025-11-19 (params-1.2)');
  });

  it('answers to a former ticker and to a CIK, short or long (I1.15)', async () => {
    await write({ sourceDate: '2025-11-19' });
    for (const label of ['fld', 'EMLD', '1889123', '0001889123']) {
      expect(await explain({ label })).toContain('FLD  Fold Holdings, Inc.  CIK 0001889123');
    }
  });

  it('prints JSON with every digit as it was written', async () => {
    await write({ sourceDate: '2025-11-19' });
    const text = await explain({ format: 'json' });
    expect(text).toContain('"total_crypto_fair_value":9007199254740993,');
    expect(text.endsWith('}\n')).toBe(true);
    const { trail, stress } = JSON.parse(text);
    expect(stress).toMatchObject({ stress_50pct: 0.917082, data_quality_notes: ['pledged_receivable'] });
    expect(trail.ratio.children[0].children.map((root: { concept: string }) => root.concept)).toEqual([
      'us-gaap:ConvertibleNotesPayableCurrent',
      'fld:ConvertibleNotesPayableRelatedPartyNoncurrent',
    ]);
  });

  it.each([
    ['an unknown ticker', { label: 'FOLD' }, 'usage', /called "FOLD"/, /Did you mean FLD Fold Holdings/],
    [
      'a label of two issuers',
      { label: 'CLASS' },
      'usage',
      /more than one/,
      /0000000002 Class B Inc, 0001050446/,
    ],
    [
      'an issuer without a row',
      { label: 'MSTR' },
      'input_missing',
      /the inputs of the last night hold \d+ companies, and it is none of them/,
      /issuer nightly --source edgar/,
    ],
    [
      'a period without a row',
      { period: '2024-12-31' },
      'input_missing',
      /for the period 2024-12-31/,
      /2025-09-30 \(slices 2025-11-19 to 2025-11-19\)/,
    ],
    [
      'a day before the first row',
      { sourceDate: '2025-01-01' },
      'input_missing',
      /on or before 2025-01-01/,
      /2025-09-30/,
    ],
    ['a period that is no day', { period: '2025-02-30' }, 'usage', /--period 2025-02-30/, /YYYY-MM-DD/],
    ['no warehouse', { databasePath: '/nowhere/current.duckdb' }, 'input_missing', /no warehouse/, /nightly/],
  ])('says what to do about %s', async (_, request, code, message, hint) => {
    await write({ sourceDate: '2025-11-19' });
    await expect(explain(request)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  it('says how to get a trail for a row that has none', async () => {
    await write({ sourceDate: '2025-11-19', trail: false });
    await expect(explain()).rejects.toMatchObject({
      code: 'input_missing',
      message: 'The row of FLD of 2025-11-19 has no trail this version can read.',
    });
  });

  it('prints nothing a terminal would act on', () => {
    const { ratio, ...rest } = handMadeTrail();
    const [debt, crypto] = ratio.children;
    const hostile = { ...debt, status: '\u001b[2Jgone\u202e\nnext' };
    const text = trailTree({ ...rest, ratio: { ...ratio, children: [hostile, crypto] } });
    expect(text).toContain('\\u001b[2Jgone\\u202e\\u000anext');
    expect(join(...text.split('\n'))).not.toMatch(/\p{Cc}/u);
  });
});

it('reads back exactly the trail that was written', async () => {
  const trail = handMadeTrail();
  await writeStressRows(warehouse.connection, [row({ sourceDate: '2025-11-19' })], {
    sourceDate: '2025-11-19',
    methodVersion: 'm',
    trails: new Map([[trail.cik, trail]]),
  });
  const result = await warehouse.connection.run('SELECT resolution_trail::VARCHAR AS trail FROM stress');
  const [stored] = await result.getRowObjectsJS();
  expect(trailSchema.parse(parseExactJson(String(stored?.['trail'])))).toEqual(trail);
});
