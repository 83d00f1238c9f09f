import type { CalculationHistoryIndex } from '../../contract/payloads/calculationHistory.ts';
import { calculationHistory } from '../../contract/payloads/calculationHistory.ts';
import { coreHistory } from '../../contract/payloads/coreHistory.ts';
import { canonicalJson } from '../../contract/values/canonicalJson.ts';
import { compareText } from '../../contract/values/compareText.ts';
import type { PutFile } from '../release/publishRelease.ts';
import { type BaseFile, type BaseLines, type HistoryBase, hashOfContinued } from './historyBase.ts';
import type { LineSpool, SpooledLines } from './lineSpool.ts';

const { rows: coreRows } = coreHistory.stored;
const { rows: calculationRows } = calculationHistory.stored;

/** One kind of history of one issuer: its bytes in parts, and where each date's lines end. */
type MergedFile = {
  readonly parts: readonly Buffer[];
  readonly ends: readonly number[];
  /** Known where the file only went on. */
  readonly sha256: string | null;
};

/**
 * Writes both histories of every issuer: dates of the earlier release that still hold, and the new lines, by date
 * (I2.52, I2.54). One issuer is in memory at a time; a line that is kept is copied, not read.
 *
 * @param o.sourceDates every date of the histories, ascending
 * @param o.holds whether the earlier release's lines of a date are still those of the promoted slice
 */
export async function writeHistoryFiles(input: {
  base: HistoryBase | null;
  spool: LineSpool;
  sourceDate: string;
  sourceDates: readonly string[];
  holds: (date: string) => boolean;
  methodVersion: string;
  put: PutFile;
}): Promise<void> {
  const position = new Map(input.sourceDates.map((date, i) => [date, i]));
  const issuers: CalculationHistoryIndex['issuers'] = [];
  for (const cik of [...new Set([...(input.base?.ciks ?? []), ...input.spool.ciks()])].sort()) {
    const kept = (await input.base?.lines(cik)) ?? null;
    const added = await input.spool.lines(cik);
    const order = orderOf({ kept, added, holds: input.holds });
    if (order.length === 0) continue;
    const dates = order.map(({ date }) => date);
    const core = merged({ order, file: kept?.core ?? null, text: (lines) => lines.core });
    const calculation = merged({
      order,
      file: kept?.calculation ?? null,
      text: (lines) => lines.calculation,
    });
    const offsets = calculationOffsets({ order, calculation, kept });
    await putStore({ ...input, key: coreRows.key({ cik }), file: core });
    await input.put(indexFile(coreRows.indexKey({ cik }), coreIndex({ dates, core, position })));
    await putStore({ ...input, key: calculationRows.key({ cik }), file: calculation });
    const index = calculationIndex({ dates, offsets, methodVersion: input.methodVersion });
    await input.put(indexFile(calculationRows.indexKey({ cik }), index));
    issuers.push({ cik, dates: dates.map((date) => position.get(date) ?? 0), offsets: [...offsets] });
  }
  if (issuers.length === 0) return;
  const all: CalculationHistoryIndex = {
    schema_id: 'calculation_history_index.v1',
    method_version: input.methodVersion,
    source_dates: [...input.sourceDates],
    issuers,
  };
  await input.put(indexFile(calculationHistory.stored.index.key({ slice: input.sourceDate }), all));
}

/** A date of an issuer: lines of the base by position, or new ones. */
type Entry = { readonly date: string } & ({ readonly at: number } | { readonly lines: SpooledLines });

function orderOf({
  kept,
  added,
  holds,
}: {
  kept: BaseLines | null;
  added: readonly SpooledLines[];
  holds: (date: string) => boolean;
}): Entry[] {
  const fresh = new Set(added.map(({ sourceDate }) => sourceDate));
  const entries: Entry[] = added.map((lines) => ({ date: lines.sourceDate, lines }));
  kept?.dates.forEach((date, at) => {
    if (holds(date) && !fresh.has(date)) entries.push({ date, at });
  });
  return entries.sort((a, b) => compareText(a.date, b.date));
}

function merged({
  order,
  file,
  text,
}: {
  order: readonly Entry[];
  file: BaseFile | null;
  text: (lines: SpooledLines) => string;
}): MergedFile {
  const parts: Buffer[] = [];
  const ends: number[] = [];
  let end = 0;
  let from = 0;
  let to = 0;
  // neighbours in the base are copied as one part
  const flush = () => {
    if (to > from && file !== null) parts.push(file.bytes.subarray(from, to));
    from = to;
  };
  for (const entry of order) {
    if ('at' in entry) {
      const start = entry.at === 0 ? 0 : (file?.ends[entry.at - 1] ?? 0);
      const stop = file?.ends[entry.at] ?? start;
      if (start !== to) {
        flush();
        from = start;
      }
      to = stop;
      end += stop - start;
    } else {
      flush();
      const part = Buffer.from(text(entry.lines));
      parts.push(part);
      end += part.length;
    }
    ends.push(end);
  }
  flush();
  return { parts, ends, sha256: file === null ? null : continuedHash(parts, file) };
}

/** The hash of a file that is all of the base and more, without hashing the base again. */
function continuedHash([first, ...rest]: readonly Buffer[], file: BaseFile): string | null {
  const { bytes } = file;
  const goesOn =
    first?.buffer === bytes.buffer && first.byteOffset === bytes.byteOffset && first.length === bytes.length;
  return goesOn ? hashOfContinued(file, rest) : null;
}

/** Offsets of the compact and the full line of each date (I4.R24.2). */
function calculationOffsets({
  order,
  calculation,
  kept,
}: {
  order: readonly Entry[];
  calculation: MergedFile;
  kept: BaseLines | null;
}): number[] {
  const offsets = [0];
  let start = 0;
  order.forEach((entry, i) => {
    const compact =
      'at' in entry
        ? (kept?.compactLengths[entry.at] ?? 0)
        : Buffer.byteLength(entry.lines.calculation.slice(0, entry.lines.calculation.indexOf('\n') + 1));
    start = calculation.ends[i] ?? start;
    offsets.push((offsets.at(-1) ?? 0) + compact, start);
  });
  return offsets;
}

async function putStore({ key, file, put }: { key: string; file: MergedFile; put: PutFile }): Promise<void> {
  const { parts, sha256 } = file;
  await put({
    key,
    mediaType: 'application/x-ndjson',
    bytes: parts,
    ...(sha256 === null ? {} : { sha256 }),
  });
}

function indexFile(key: string, index: Parameters<typeof canonicalJson>[0]): Parameters<PutFile>[0] {
  return {
    key,
    mediaType: 'application/json',
    bytes: [Buffer.from(canonicalJson(index))],
  };
}

function coreIndex({
  dates,
  core,
  position,
}: {
  dates: readonly string[];
  core: MergedFile;
  position: ReadonlyMap<string, number>;
}) {
  const [first = ''] = dates;
  const last = dates.at(-1) ?? '';
  const slices = (position.get(last) ?? 0) - (position.get(first) ?? 0) + 1;
  return {
    schema_id: 'row_store_index.v1',
    rows: dates.length,
    offsets: [0, ...core.ends],
    columns: { source_date: dates, period: periodsOf(core) },
    meta: {
      first_source_date: first,
      last_source_date: last,
      missing_source_date_count: slices - dates.length,
    },
  };
}

const periodMember = '"period":';

// canonical rows: the member is always there, a quote inside a text is escaped, and the value is a day or null
function periodsOf({ parts, ends }: MergedFile): (string | null)[] {
  const periods: (string | null)[] = [];
  let start = 0;
  // a row lies in one part
  for (const bytes of parts) {
    while (periods.length < ends.length) {
      const row = (ends[periods.length - 1] ?? 0) - start;
      if (row >= bytes.length) break;
      const value = bytes.indexOf(periodMember, row) + periodMember.length;
      periods.push(bytes[value] === 0x22 ? bytes.toString('latin1', value + 1, value + 11) : null);
    }
    start += bytes.length;
  }
  return periods;
}

function calculationIndex({
  dates,
  offsets,
  methodVersion,
}: {
  dates: readonly string[];
  offsets: readonly number[];
  methodVersion: string;
}) {
  return {
    schema_id: 'row_store_index.v1',
    rows: 2 * dates.length,
    offsets,
    columns: {
      source_date: dates.flatMap((date) => [date, date]),
      mode: dates.flatMap(() => ['compact', 'full']),
    },
    meta: { method_version: methodVersion },
  };
}
