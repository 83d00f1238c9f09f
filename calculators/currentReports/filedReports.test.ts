import { describe, expect, it } from 'vitest';
import { blocksOf, registryWords, reportContext, storedReports } from '../../fixtures/rigs/reportBlocks.ts';
import { chainStocks } from './chainStocks.ts';
import { joinFiling } from './joinFiling.ts';
import { readStatements } from './readDocument.ts';
import type { Statement } from './statement.ts';

const words = registryWords();

function read(report: ReturnType<typeof storedReports>[number]): readonly Statement[] {
  const { accession, form, items, filed, names } = report;
  const context = reportContext(words, { accession: accession ?? '', form, items, filed, names, type: form });
  return joinFiling(readStatements(blocksOf(report), context).statements).statements;
}

const told = (one: Statement) => [
  ...[one.kind, one.security ?? one.asset, one.units?.toString() ?? null, one.periodFrom, one.asOf],
  ...[one.usd?.toString() ?? null, one.avgPrice?.toString() ?? null, one.confidence],
];

describe('statements of filed current reports', () => {
  it.each(storedReports().map((report) => [report.filed, report.subject, report] as const))(
    'of %s are what a reader reads: %s',
    (_, __, report) => {
      expect(read(report).map(told)).toEqual(report.states);
    },
  );

  it('point to the block, row and column their number stands in, with its words', () => {
    const latest = storedReports().find(({ accession }) => accession === '0001193125-26-032731');
    const held = latest === undefined ? undefined : read(latest).find(({ kind }) => kind === 'holdings');
    expect(held?.quote).toBe('855 | $75.3 | $87,974 | 713,502 | $54.26 | $76,052');
    expect(held?.place).toMatchObject({ accession: '0001193125-26-032731', type: '8-K', row: 2 });
  });

  it('of 2026-01-05 link 672,500 with 673,783 by the 1,283 bought between them', () => {
    const report = storedReports().find(({ accession }) => accession === '0001193125-26-001550');
    const [link] = report === undefined ? [] : chainStocks(read(report), 'BTC');
    expect([link?.verdict, link?.from.units?.toString(), link?.to.units?.toString()]).toEqual([
      'proven',
      '672500',
      '673783',
    ]);
    expect(link?.flows.map(({ units, from, to }) => [units.toString(), from, to])).toEqual([
      ['1283', '2026-01-01', '2026-01-04'],
    ]);
  });
});
