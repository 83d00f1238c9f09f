import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TableRow } from '../../../calculators/parameters/concepts.ts';
import { csvRecords } from '../load/csvRecords.ts';

export const reportWordsFile = 'data/registry/report-words.csv';

/** The lines of the table of words of current reports (M17.1). @throws IssuerError `validation_failed` for text that is not CSV. */
export async function readReportWords(root: string): Promise<readonly TableRow[]> {
  const text = await readFile(join(root, reportWordsFile), 'utf8');
  return csvRecords({ path: reportWordsFile, text, columns: ['role', 'pattern', 'meaning'] });
}
