import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capitalViolations } from '../../../calculators/capital/surface/capitalLaws.ts';
import {
  capitalRow,
  capitalTrail,
  wholeCapitalRow,
} from '../../../calculators/capital/surface/capitalRow.ts';
import type { Slice } from '../../../calculators/composeSlice.ts';
import { positionIssuer } from '../../../calculators/position/positionIssuer.ts';
import { priceBook } from '../../../calculators/prices/priceBook.ts';
import { capitalOn } from '../../../calculators/slice/capitalOn.ts';
import { mostCapitalBytes, capital as payload } from '../../../data/contract/payloads/issuer/capital.ts';
import { covenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { capitalFilings } from '../../../fixtures/builders/capitalTables.ts';
import { readPrices } from '../../../fixtures/builders/readTables.ts';
import { registryParameters as parameters } from '../../../fixtures/builders/registryParameters.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { capitalTree } from '../../explain/capitalTree.ts';
import { payloadBytes, validated } from '../../release/validated.ts';
import { readRows } from '../build/readRows.ts';
import { putCapitalRows } from './holdingRows.ts';
import { putStressRows } from './stressRows.ts';

// twelve filings whose facts are in fixtures/tables/capital, from the facts to every surface
const prices = priceBook(
  (await readPrices()).map((row) => ({ ...row, close: Number(row.close) })),
  parameters,
);
const filed = (await capitalFilings()).map(({ stem, inputs }) => {
  const { filed: sourceDate } = inputs.filing;
  const position = positionIssuer(inputs, { sourceDate, prices, parameters });
  const subject = {
    issuer: inputs.issuer,
    debtCoverage: position.debt.coverage,
    computedAt: `${sourceDate}T09:30:00Z`,
  };
  return {
    stem,
    sourceDate,
    inputs,
    subject,
    capital: capitalOn(position, { sourceDate, prices, liveCoins: null }),
  };
});

describe.each(filed)('the capital structure of $stem as it is published', ({ capital, subject, stem }) => {
  const row = capitalRow(capital, subject);

  it('holds its schema below 20 kB and keeps the laws of the gate (M18.82, M18.83)', () => {
    const key = `capital/${stem}`;
    const bytes = payloadBytes(validated({ schema: payload.schema, value: row, key }));
    expect(bytes.length).toBeLessThan(mostCapitalBytes);
    expect(capitalViolations(capital)).toEqual([]);
    for (const { facts = [] } of row.instruments.flatMap((one) => one.principal ?? []))
      for (const place of facts) expect(row.facts[place]).toBeDefined();
  });

  it('is a tree with every outstanding instrument in it (M18.87)', () => {
    const tree = capitalTree(wholeCapitalRow(capital, subject), capitalTrail(capital)).replaceAll(
      /\s+[│├└─ ]*/g,
      ' ',
    );
    for (const { name } of row.instruments) expect(tree).toContain(name);
    expect(tree).not.toMatch(/undefined|\[object/);
  });
});

it('keeps the facts of principals in all but the longest of the twelve (M18.82)', () => {
  const without = filed.filter(({ capital, subject }) =>
    capitalRow(capital, subject).notes.includes('shortened:facts'),
  );
  expect(without.map(({ stem }) => stem)).toEqual(['mstr-20240331']);
});

describe('the views over the twelve filings', () => {
  let warehouse: HandMadeWarehouse;
  beforeAll(async () => {
    warehouse = await handMadeWarehouse();
    for (const { sourceDate, inputs, capital } of filed) {
      const { issuer, filing } = inputs;
      const stress = {
        ...covenantStress.schema.parse(covenantStress.example),
        ...{
          source_date: sourceDate,
          cik: issuer.cik,
          ticker: issuer.ticker ?? issuer.cik,
          period: filing.period,
        },
      };
      const slice = { issuers: [{ issuer, stress, capital: { capital, fault: null } }] } as unknown as Slice;
      const night = { sourceDate, methodVersion: 'm-1.0' };
      await putStressRows(warehouse.connection, [{ ...night, stress: [stress] }]);
      await putCapitalRows(warehouse.connection, { nights: [{ ...night, slice }], withFacts: true });
    }
  });
  afterAll(() => warehouse.remove());

  it('hold the six notes and loans of MSTR 2024-03-31 that are worked out by hand', async () => {
    const rows = await readRows(
      warehouse.connection,
      `SELECT principal::DOUBLE AS principal, principal_status AS proof FROM instruments
      WHERE ticker = 'MSTR' AND period = DATE '2024-03-31' AND state = 'outstanding' ORDER BY 1 DESC`,
    );
    expect(rows.map(({ principal }) => principal)).toContain(800_000_000);
    for (const { proof } of rows) expect(['proven', 'stated', 'supported', 'not_filed']).toContain(proof);
  });

  it('divide every pool without paying more than there is', async () => {
    const over = await readRows(
      warehouse.connection,
      `SELECT ticker, lens, shock FROM claims WHERE class <> 'common'
      GROUP BY ticker, source_date, lens, shock HAVING sum(coalesce(paid, 0)) > max(pool) + 0.05`,
    );
    expect(over).toEqual([]);
  });
});
