import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { BusinessCalendar } from '../../calculators/changes/businessCalendar.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';

const registry = new URL('../../data/registry/us-federal-holidays.csv', import.meta.url);

/**
 * Reads the business calendar: the days of `data/registry/us-federal-holidays.csv` (date, name, source), observed days
 * included (M6.12).
 *
 * @throws IssuerError `validation_failed` for a row that is not a day.
 */
export async function readHolidays(path: URL | string = registry): Promise<BusinessCalendar> {
  const rows = parse(await readFile(path, 'utf8'), { columns: true, bom: true }) as Record<string, string>[];
  const holidays = new Set<string>();
  for (const [i, row] of rows.entries()) {
    const { date = '', name = '', source = '' } = row;
    if (!isCivilDate(date) || name === '' || source === '') {
      throw new IssuerError({
        code: 'validation_failed',
        message: `Row ${i + 1} of the holiday table is not a day with its name and source.`,
        hint: 'Its columns are date (YYYY-MM-DD), name and source.',
      });
    }
    holidays.add(date);
  }
  return { holidays };
}
