import { type EventType, eventTypes, type IssuerRecord } from '../../calculators/backtest/followUp.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';
import { csvRecords } from '../warehouse/load/csvRecords.ts';
import { refusedFile } from '../warehouse/load/inputFile.ts';

export type IssuerEvent = {
  readonly ticker: string;
  readonly cik: string;
  /** null: until this day nothing happened. */
  readonly type: EventType | null;
  readonly date: string;
  /** Accession number, court docket, or the issuer's own release (M12.17). */
  readonly primary: string;
  readonly document: string;
  /** Beside the primary source, or empty. */
  readonly press: string;
  readonly note: string;
};

export type EventTable = {
  readonly rows: readonly IssuerEvent[];
  /** By CIK; an issuer that is not here was not looked at, which is not the same as having had no event. */
  readonly records: ReadonlyMap<string, IssuerRecord>;
};

const columns = ['ticker', 'cik', 'event', 'date', 'primary', 'document', 'press', 'note'] as const;
const accession = /^\d{10}-\d{2}-\d{6}$/;
const otherPrimary = /^(docket \d|release https:\/\/)/;

/**
 * Reads `data/registry/events.csv`: events E1–E5, and `none` rows that say until when an issuer was followed. An event
 * stands on a filing, a docket or the issuer's own release, a `none` on a filing; press stands only beside one (M12.17).
 *
 * @throws IssuerError `validation_failed` naming the line that is not well formed.
 */
export function readEvents(path: string, text: string): EventTable {
  const rows: IssuerEvent[] = [];
  const records = new Map<string, IssuerRecord>();
  for (const { line, cells } of csvRecords({ path, text, columns })) {
    const cell = (name: (typeof columns)[number]) => cells?.[name] ?? '';
    const [type, cik, date] = [typeOf(cell('event')), cell('cik'), cell('date')];
    if (type === undefined || !/^\d{10}$/.test(cik) || !isCivilDate(date)) {
      throw refusedFile(path, `line ${line} needs a ten-digit cik, an event E1–E5 or none, and a day`);
    }
    const primary = cell('primary');
    if (!accession.test(primary) && (type === null || !otherPrimary.test(primary))) {
      throw refusedFile(
        path,
        `line ${line} needs a primary source: an accession number, for an event also docket or release`,
      );
    }
    const before = records.get(cik) ?? { events: [], followedUntil: date };
    records.set(cik, {
      events: type === null ? before.events : [...before.events, { type, date }],
      followedUntil: before.followedUntil > date ? before.followedUntil : date,
    });
    const [ticker, document, press, note] = [cell('ticker'), cell('document'), cell('press'), cell('note')];
    rows.push({ ticker, cik, type, date, primary, document, press, note });
  }
  return { rows, records };
}

function typeOf(text: string): EventType | null | undefined {
  return text === 'none' ? null : eventTypes.find((known) => known === text);
}
