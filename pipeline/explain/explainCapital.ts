import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { capital as payload } from '../../data/contract/payloads/issuer/capital.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { accessionText } from '../../data/contract/values/filingUrl.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { capitalTree } from './capitalTree.ts';
import type { IssuerLabel, StoredRow } from './findRow.ts';
import { parseExactJson, plain } from './trailSchema.ts';

const trailSchema = z.object({
  joined: z.array(z.object({ id: z.string(), members: z.array(z.string()), joins: z.array(z.string()) })),
  refused: z.array(z.object({ members: z.array(z.string()), reason: z.string() })),
});

/**
 * The capital structure of a row as a tree, or as one line of canonical JSON (M18.87).
 *
 * @throws IssuerError `input_missing` where the night stored none: a past date, or one that could not be made
 */
export async function explainCapital(
  connection: DuckDBConnection,
  {
    issuer,
    row,
    format,
  }: { readonly issuer: IssuerLabel; readonly row: StoredRow; readonly format: 'text' | 'json' },
): Promise<string> {
  const named = issuer.ticker ?? issuer.cik;
  const [stored] = await readRows(
    connection,
    `SELECT payload, trail FROM internal.capital_row
    WHERE source_date = $date::DATE AND method_version = $version AND cik = $cik`,
    { date: row.sourceDate, version: row.methodVersion, cik: issuer.cik },
  );
  const read =
    stored === undefined ? null : payload.schema.safeParse(plain(parseExactJson(String(stored['payload']))));
  const trail = trailSchema.safeParse(parseExactJson(String(stored?.['trail'] ?? 'null')));
  if (read?.success !== true || !trail.success)
    throw new IssuerError({
      code: 'input_missing',
      message: `No capital structure of ${named} with its facts is stored for ${row.sourceDate}.`,
      hint: 'Nights store it, past dates only its figures: issuer query "select * from instruments".',
    });
  if (format === 'json') {
    const value = { ...read.data, ...trail.data, method_version: row.methodVersion };
    return `${canonicalJson(value as unknown as CanonicalValue)}\n`;
  }
  const head = `${named}  ${issuer.name}  CIK ${issuer.cik}\n${accessionText(read.data.accession_number)}; slice of ${row.sourceDate} (${row.methodVersion})`;
  return `${head}\n\n${capitalTree(read.data, trail.data)}`;
}
