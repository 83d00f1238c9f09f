import type { DuckDBConnection } from '@duckdb/node-api';
import type { FilingChoreography } from '../../calculators/choreography/filingChoreography.ts';
import { insertRows } from '../warehouse/build/insertRows.ts';
import { inTransaction, readRows } from '../warehouse/build/readRows.ts';

/** Puts the choreography of a slice behind view `filing_events`; that of a newer slice stays. */
export async function writeFilingEvents(
  connection: DuckDBConnection,
  choreographies: ReadonlyMap<string, FilingChoreography>,
  { sourceDate }: { readonly sourceDate: string },
): Promise<void> {
  const newer = await readRows(connection, 'FROM filing_event WHERE source_date > $day::DATE LIMIT 1', {
    day: sourceDate,
  });
  if (newer.length > 0) return;
  const rows = [...choreographies].flatMap(([cik, { events, chains }]) => {
    const chainOf = new Map(chains.map((chain) => [chain.sequenceId, chain]));
    return events.map((event, position) => {
      const chain = event.sequenceId === null ? undefined : chainOf.get(event.sequenceId);
      return [
        ...[sourceDate, cik, position, event.accession, event.form, event.family, event.label],
        ...[event.filed, event.acceptedAt, event.knownOn, event.items, event.fileNumber],
        ...[event.confidence, event.sequenceId, event.step, chain?.label ?? null],
        chain?.interpretation ?? null,
      ];
    });
  });
  await inTransaction(connection, async () => {
    await connection.run('DELETE FROM filing_event');
    await insertRows(connection, { table: 'filing_event', rows });
  });
}
