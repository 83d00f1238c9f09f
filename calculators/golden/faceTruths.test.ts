import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { readFaces } from '../../fixtures/builders/faceTables.ts';
import { readBalance } from '../../fixtures/builders/readBalance.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { filingOfTables } from '../../fixtures/builders/xbrlFilingOfTables.ts';
import { xbrlTablesOf } from '../../fixtures/builders/xbrlTables.ts';
import { provenDebt } from '../debt/provenDebt.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';

const parameters = registryParameters;

const read = (xbrl: XbrlFiling, period: string) => readBalance(xbrl, { period, parameters });

const faces = new Map((await readFaces()).map((face) => [`${face.ticker} ${face.period}`, face]));

describe('balance sheets quoted in document order (M1.24c, M1.7b)', () => {
  it.each([
    // notes 550,000 and, stated for related parties only, loans 5,191,767
    ['FLD 2024-12-31', 'closed', 'closed', 5_741_767],
    ['FLD 2024-09-30', 'closed', 'closed', 3_438_501],
    ['FLD 2023-12-31', 'closed', 'closed', 2_025_000],
    ['RIOT 2025-09-30', 'closed', 'closed', 839_744_000],
    // 657 + 5,600 K; the asset side closes without a retainage of 1,097 K in the caption of contract assets
    ['RIOT 2024-09-30', 'closed', 'closed', 6_257_000],
    ['DDC 2024-12-31', 'closed', 'closed', 21_053_395],
    ['MSTR 2022-03-31', 'closed', 'closed', 2_361_865_000],
    ['NXTT 2025-03-31', 'closed', 'closed', 2_062_195],
    // debt and finance leases, 2,040 + 5,180 M; the lease note is not quoted
    ['TSLA 2025-06-30', 'rejected', 'closed', 7_220_000_000],
    // liabilities are not filed: taken from the total with equity
    ['BTCS 2024-12-31', 'closed', 'closed', 0],
    ['KULR 2025-03-31', 'closed', 'closed', 0],
    ['GAME 2025-06-30', 'closed', 'closed', null],
  ] as const)('%s: assets %s, liabilities %s, debt %s', (name, assets, liabilities, total) => {
    const quoted = faces.get(name);
    if (quoted === undefined) throw new Error(`faces.csv lacks ${name}`);
    const { face, debt } = read(quoted.filing, quoted.period);
    expect([face.assets.kind, face.liabilities.kind]).toEqual([assets, liabilities]);
    if (total !== null) expect(debt.total.toNumber()).toBe(total);
    if (total !== null && total > 0) expect(debt.method).toBe('face_order');
  });
});

it('FLD 2025-09-30 without the order of its facts is not proven: LOW or HIGH (M1.36b)', async () => {
  const tables = await xbrlTablesOf('FLD', '2025-09-30');
  const { facts, ...rest } = filingOfTables(tables);
  const filing = { ...rest, arcs: [], facts: facts.map(({ position, ...fact }) => fact) };
  const { debt } = read(filing, tables.period);
  // by interest alone: 27 % a year of 21,644,139
  expect(debt).toMatchObject({ coverage: 'low_confidence_missing_debt', method: null });
  const resolved = { ...debt, coverage: 'resolved_nonzero' as const, notes: [] };
  const proven = provenDebt(resolved, {
    coins: ExactDecimal.parse('179688082'),
    areCoinsProven: true,
    parameters,
  });
  expect(proven).toMatchObject({
    coverage: 'low_confidence_missing_debt',
    notes: ['tier_depends_on_candidate:LOW/HIGH'],
  });
  expect(proven.total.toString()).toBe('21644139');
});
