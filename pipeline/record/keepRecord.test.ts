import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ResolutionTrail, TrailTotal } from '../../calculators/trail/resolutionTrail.ts';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { handMadeTrail } from '../../fixtures/builders/handMadeTrail.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import {
  type HandMadeWarehouse,
  handMadeIssuer,
  handMadeWarehouse,
} from '../../fixtures/rigs/handMadeWarehouse.ts';
import { dataLayout } from '../dataLayout.ts';
import { reviewFigures } from '../review/reviewFigures.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { writeStressRows } from '../warehouse/derived/stressRows.ts';
import { keepRecord } from './keepRecord.ts';
import { readRecord, recordDocument } from './recordDocument.ts';

const cik = '0000000077';
const parameters = registryParameters;
const d = ExactDecimal.parse;
const annual = { cik, accession: '0000000077-25-000001', form: '10-K', filed: '2025-02-20' };
const quarterly = { cik, accession: '0000000077-25-000002', form: '10-Q', filed: '2025-05-08' };
const sheet = {
  Assets: '1000',
  Liabilities: '600',
  LiabilitiesCurrent: '100',
  AccountsPayableCurrent: '100',
  LongTermDebtNoncurrent: '500',
  StockholdersEquity: '400',
  LiabilitiesAndStockholdersEquity: '1000',
};

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

const factsOf = (filing: typeof annual, end: string, values: Record<string, string>) =>
  Object.entries(values).map(([concept, value]) => ({ ...filing, concept, value, end }));

/** The 10-K of 2024 in force on a day, with debt of one line of that amount and without coins. */
async function publish(sourceDate: string, debt: string): Promise<void> {
  const side = (total: TrailTotal, value: string): TrailTotal => ({
    ...total,
    value: d(value),
    children: total.children.slice(0, 1).map((root) => ({
      ...root,
      children: root.children.slice(0, 1).map((source) => ({
        ...source,
        concept: 'us-gaap:LongTermDebtNoncurrent',
        value: d(debt),
        end: '2024-12-31',
      })) as typeof root.children,
    })),
  });
  const trail = handMadeTrail();
  const [debts, coins] = trail.ratio.children;
  const children = [side(debts, debt), { ...coins, value: d('0'), children: [] }] as const;
  const own: ResolutionTrail = { ...trail, cik, ratio: { ...trail.ratio, children } };
  const row = {
    ...covenantStress.example,
    cik,
    ticker: 'T77',
    accession_number: annual.accession,
    period: '2024-12-31',
    source_date: sourceDate,
    total_long_term_debt: d(debt),
    total_crypto_fair_value: d('0'),
    figures_basis: 'crypto_unproven' as const,
  };
  await writeStressRows(warehouse.connection, [row], {
    sourceDate,
    methodVersion: parameters.version,
    trails: new Map([[cik, own]]),
  });
}

const keep = (sourceDate: string) =>
  keepRecord({
    connection: warehouse.connection,
    sourceDate,
    parameters,
    issuers: [handMadeIssuer(cik)],
    cache: null,
    stopIfAsked: () => undefined,
    log: () => undefined,
  });

const record = () =>
  readRows(
    warehouse.connection,
    'SELECT figure, verdict, amount::DOUBLE AS amount, later_amount::DOUBLE AS later, finding, published_on::VARCHAR AS first FROM record',
  );

describe('the record of a night (M12.18)', () => {
  it('waits for the first later filing with a balance sheet of the same date, and judges it once', async () => {
    await warehouse.putFacts(factsOf(annual, '2024-12-31', sheet));
    await publish('2025-03-31', '500');
    expect(await keep('2025-03-31')).toBe(0);
    await warehouse.putFacts([
      ...factsOf(quarterly, '2025-03-31', {
        ...sheet,
        Assets: '1200',
        LiabilitiesAndStockholdersEquity: '1200',
      }),
      ...factsOf(quarterly, '2024-12-31', sheet),
    ]);
    // known, but not on that day
    expect(await keep('2025-05-07')).toBe(0);
    expect(await keep('2025-05-09')).toBe(1);
    expect(await record()).toEqual([
      {
        figure: 'debt',
        verdict: 'confirmed',
        amount: 500,
        later: 500,
        finding: '1 of 1 facts filed again unchanged, and the comparatives add up to the same',
        first: '2025-03-31',
      },
    ]);
    expect(await keep('2025-05-10')).toBe(0);
    warehouse.close();
    const document = recordDocument(await readRecord(warehouse.path));
    expect(document).toContain(
      '1 balance sheets with debt or coins proven, of which a later filing shows 1 again, 1 figures.',
    );
    expect(document).toContain('## Contradicted\n\nNone.');
  });

  it('compares with no filing that shows total assets of the date alone, as segments do', async () => {
    await warehouse.putFacts([
      ...factsOf(annual, '2024-12-31', sheet),
      ...factsOf(quarterly, '2025-03-31', sheet),
      ...factsOf(quarterly, '2024-12-31', { Assets: '1000' }),
    ]);
    await publish('2025-03-31', '500');
    expect(await keep('2025-05-09')).toBe(0);
  });

  it('finds an amount that the comparatives contradict, and doctor --figures lists it', async () => {
    await warehouse.putFacts([
      ...factsOf(annual, '2024-12-31', sheet),
      ...factsOf(quarterly, '2025-03-31', sheet),
      ...factsOf(quarterly, '2024-12-31', {
        ...sheet,
        NotesPayableCurrent: '60',
        LiabilitiesCurrent: '160',
        Liabilities: '660',
        StockholdersEquity: '340',
      }),
    ]);
    await publish('2025-03-31', '500');
    await keep('2025-05-09');
    expect(await record()).toMatchObject([
      { verdict: 'contradicted', finding: '500 was published, the comparatives give 560' },
    ]);
    const layout = { ...dataLayout(warehouse.root), database: warehouse.path };
    await mkdir(dirname(layout.artifacts.current), { recursive: true });
    await writeFile(layout.artifacts.current, '2025-05-09.1\n');
    await publish('2025-05-09', '500');
    warehouse.close();
    const { doubts } = await reviewFigures(layout);
    expect(doubts.find(({ kind }) => kind === 'record_contradicted')).toMatchObject({
      figure: 'debt',
      finding: 'of 2024-12-31 500 was published, the comparatives give 560',
    });
  });

  it('judges again what was made again with another amount', async () => {
    await warehouse.putFacts([
      ...factsOf(annual, '2024-12-31', sheet),
      ...factsOf(quarterly, '2025-03-31', sheet),
      ...factsOf(quarterly, '2024-12-31', sheet),
    ]);
    await publish('2025-03-31', '480');
    await keep('2025-05-09');
    expect(await record()).toMatchObject([{ verdict: 'restated', amount: 480 }]);
    await publish('2025-03-31', '500');
    await keep('2025-05-09');
    expect(await record()).toMatchObject([{ verdict: 'confirmed', amount: 500 }]);
  });
});
