import type { DuckDBConnection } from '@duckdb/node-api';
import type { ResolutionTrail } from '../../../calculators/trail/resolutionTrail.ts';
import type { CovenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { type CanonicalValue, canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { type Cell, insertRows } from '../build/insertRows.ts';
import { inTransaction } from '../build/readRows.ts';

type Night = {
  readonly sourceDate: string;
  readonly methodVersion: string;
  readonly trails?: ReadonlyMap<string, ResolutionTrail>;
};

/**
 * Writes the covenant-stress rows of one night, of each the members that table `stress_row` has a column for, behind view `stress`, each with the trail of its issuer (by CIK), in
 * place of earlier rows of the same source_date and method version (M10.4). @throws IssuerError `store_unwritable` when the disk does not take them.
 */
export async function writeStressRows(
  connection: DuckDBConnection,
  stress: readonly CovenantStress[],
  night: Night,
): Promise<void> {
  await inTransaction(connection, () => putStressRows(connection, [{ ...night, stress }]));
}

/** As {@link writeStressRows}, for several nights inside the caller's transaction. */
export async function putStressRows(
  connection: DuckDBConnection,
  nights: readonly (Night & { readonly stress: readonly CovenantStress[] })[],
): Promise<void> {
  for (const { sourceDate: date, methodVersion: version } of nights) {
    await connection.run(
      'DELETE FROM stress_row WHERE source_date = $date::DATE AND method_version = $version',
      { date, version },
    );
  }
  const rows = nights.flatMap(({ stress, sourceDate, methodVersion, trails }) =>
    stress.map((row) => ({
      ...Object.fromEntries(Object.entries(row).map(([member, value]) => [member, cellOf(value)])),
      ...{ source_date: sourceDate, method_version: methodVersion },
      payload: canonicalJson(row as unknown as CanonicalValue),
      resolution_trail: trailText(trails?.get(row.cik)),
    })),
  );
  await insertRows(connection, { table: 'stress_row', rows });
}

function trailText(trail: ResolutionTrail | undefined): string | null {
  return trail === undefined ? null : canonicalJson(trail as unknown as CanonicalValue);
}

/** An absurd amount stays in the payload; the typed column is null rather than the end of the night. */
function isStorable(value: ExactDecimal): boolean {
  return Math.abs(value.toNumber()) < 1e31;
}

/** Numbers, words and truths; text keeps the digits a double would lose. */
function cellOf(value: CovenantStress[keyof CovenantStress]): Cell {
  if (value instanceof ExactDecimal) return isStorable(value) ? value.toString() : null;
  return value === undefined || typeof value === 'object' ? null : value;
}
