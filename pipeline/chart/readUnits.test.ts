import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { storedSubmissions } from '../../fixtures/builders/submissionText.ts';
import {
  type HandMadeWarehouse,
  handMadeIssuer,
  handMadeWarehouse,
} from '../../fixtures/rigs/handMadeWarehouse.ts';
import { dataLayout } from '../dataLayout.ts';
import { loadCurrentReports } from '../warehouse/load/loadCurrentReports.ts';
import { deriveStatements } from '../warehouse/reports/deriveStatements.ts';
import { readUnits } from './drawChart.ts';

const mstr = handMadeIssuer('0001050446', { ticker: 'MSTR', entityName: 'Strategy Inc' });
let warehouse: HandMadeWarehouse;
let root: string;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
  root = await mkdtemp(join(tmpdir(), 'reports-'));
  const text = { cik: 'VARCHAR', ticker: 'VARCHAR', entity_name: 'VARCHAR', issuer_type: 'VARCHAR' };
  await warehouse.put('universe_issuer', { position: 'INTEGER', ...text, aliases: ['VARCHAR'] }, [
    [0, mstr.cik, 'MSTR', 'Strategy Inc', 'operating_company', []],
    [1, '0001889123', 'FLD', 'Fold Holdings, Inc.', 'operating_company', []],
  ]);
});
afterEach(async () => {
  await warehouse.remove();
  await rm(root, { recursive: true, force: true });
});

describe('coins stated and filed of an issuer', () => {
  it('are those its reports state, by day; an issuer without a report has nothing to draw', async () => {
    const { connection } = warehouse;
    for (const { cik, accession, text } of storedSubmissions(new Map([['Strategy Inc', mstr.cik]]))) {
      await mkdir(join(root, cik, accession), { recursive: true });
      await writeFile(join(root, cik, accession, `${accession}.txt`), text);
    }
    await loadCurrentReports({ connection, paths: [root], issuers: [mstr] });
    await deriveStatements(connection);
    const request = { connection, layout: dataLayout(root), parameters: registryParameters, width: 720 };
    const { asset, stated, filed } = await readUnits({
      ...request,
      subject: 'MSTR',
      facility: null,
      fall: 0.5,
    });
    expect([asset, filed]).toEqual(['BTC', []]);
    // 0001193125-26-001550 and 0001193125-26-032731
    expect(stated.slice(-3)).toEqual([
      { date: '2025-12-31', units: 672_500 },
      { date: '2026-01-04', units: 673_783 },
      { date: '2026-02-01', units: 713_502 },
    ]);
    await expect(readUnits({ ...request, subject: 'FLD', facility: null, fall: 0.5 })).rejects.toMatchObject({
      code: 'input_missing',
      message: 'No current report at hand states coins of FLD.',
    });
  });
});
