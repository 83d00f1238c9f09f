import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Split } from '../../calculators/prices/splits.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { cikPattern, isCivilDate } from '../../data/contract/values/primitives.ts';

const registry = new URL('../../data/registry/splits.csv', import.meta.url);
const ratioText = /^(\d{1,4}(?:\.\d{1,6})?)(?:\/(\d{1,4}))?$/;

/**
 * Reads the splits of `data/registry/splits.csv` by CIK (M18.44): the first day on the new count, new shares for one old
 * (`10`, `1/8`), the accession or address that says so.
 *
 * @throws IssuerError `validation_failed` for a row that is not a split with its source
 */
export async function readSplits(
  path: URL | string = registry,
): Promise<ReadonlyMap<string, readonly Split[]>> {
  const rows = parse(await readFile(path, 'utf8'), { columns: true, bom: true }) as Record<string, string>[];
  const splits = rows.map((row, i) => {
    const { cik = '', date = '', ratio: text = '', source = '' } = row;
    const ratio = ratioOf(text);
    if (!cikPattern.test(cik) || !isCivilDate(date) || ratio === null || source === '') {
      throw new IssuerError({
        code: 'validation_failed',
        message: `Row ${i + 1} of the table of splits is not a split of a company with its day and source.`,
        hint: 'Its columns are cik, ticker, date (first day on the new count), ratio (10 or 1/8), source and note.',
      });
    }
    return { cik, split: { date, ratio, source: 'registry' as const } };
  });
  return new Map(
    [...Map.groupBy(splits, ({ cik }) => cik)].map(([cik, own]) => [cik, own.map(({ split }) => split)]),
  );
}

function ratioOf(text: string): number | null {
  const match = ratioText.exec(text);
  if (match === null) return null;
  const ratio = Number(match[1]) / Number(match[2] ?? 1);
  return Number.isFinite(ratio) && ratio > 0 ? ratio : null;
}
