import { type EventType, eventTypes, type IssuerRecord } from '../../calculators/backtest/followUp.ts';
import { isCivilDate } from '../../contract/values/primitives.ts';
import { csvRecords } from '../warehouse/load/csvRecords.ts';
import { refusedFile } from '../warehouse/load/inputFile.ts';

export type IssuerEvent = {
  readonly ticker: string;
  readonly cik: string;
  readonly type: EventType;
  readonly date: string;
  readonly source: string;
  readonly note: string;
};

export type EventTable = {
  readonly events: readonly IssuerEvent[];
  /** By CIK; an issuer that is not here was not looked at, which is not the same as having had no event. */
  readonly records: ReadonlyMap<string, IssuerRecord>;
};

const columns = ['ticker', 'cik', 'event', 'date', 'source', 'note'] as const;

/**
 * Reads `data/registry/events.csv`: events E1–E5, and `none` rows that say until when an issuer was followed.
 *
 * @throws IssuerError `validation_failed` naming the line that is not well formed.
 */
export function readEvents(path: string, text: string): EventTable {
  const events: IssuerEvent[] = [];
  const records = new Map<string, IssuerRecord>();
  for (const { line, cells } of csvRecords({ path, text, columns })) {
    const type = eventTypes.find((known) => known === cells?.['event']);
    const cik = cells?.['cik'] ?? '';
    const date = cells?.['date'] ?? '';
    const source = cells?.['source'] ?? '';
    const known = type !== undefined || cells?.['event'] === 'none';
    if (cells === null || !known || !/^\d{10}$/.test(cik) || !isCivilDate(date) || source === '') {
      throw refusedFile(
        path,
        `line ${line} needs a ten-digit cik, an event E1–E5 or none, a day and a source`,
      );
    }
    const before = records.get(cik) ?? { events: [], followedUntil: date };
    records.set(cik, {
      events: type === undefined ? before.events : [...before.events, { type, date }],
      followedUntil: before.followedUntil > date ? before.followedUntil : date,
    });
    if (type === undefined) continue;
    events.push({ ticker: cells['ticker'] ?? cik, cik, type, date, source, note: cells['note'] ?? '' });
  }
  return { events, records };
}
