import type { Buffer } from 'node:buffer';
import { z } from 'zod';
import type { AnyRowStore, ColumnOf, ListCell, MetaOf } from '../../contract/payloads/stored.ts';
import { listAbout } from '../../contract/release/releaseFiles.ts';

/** Bytes of the longest list: it is read whole and stays in memory. */
export const mostListBytes = 64 * 1024 * 1024;

/** The rows of a list of one slice, in stored order. */
export type ListRows<S extends AnyRowStore = AnyRowStore> = {
  readonly count: number;
  /** What holds for the whole list. */
  readonly meta: MetaOf<S>;
  /** Stored bytes of a row, without its line end. */
  line(row: number): Buffer;
  /** One value a row. The rows are parsed for the first column that is asked for, all at once. */
  column(name: ColumnOf<S>): readonly ListCell[];
  /** Row of an issuer, or -1. */
  rowOfCik(cik: string): number;
};

type Read<S extends AnyRowStore> = { readonly value: ListRows<S> } | { readonly fault: string };

/** Reads a list that was proved to be the stored one. @param about null where its rows say all */
export function readListRows<S extends AnyRowStore>(
  store: S,
  { bytes, about }: { readonly bytes: Buffer; readonly about: Buffer | null },
): Read<S> {
  if (bytes.length > mostListBytes)
    return { fault: `a list of more than ${mostListBytes / 1024 / 1024} MiB is not loaded` };
  const ends = lineEnds(bytes);
  if (ends === null) return { fault: 'its last row is cut short' };
  const said = about === null ? { meta: {}, rows: [] } : aboutOf(about);
  const meta = store.meta.safeParse(said?.meta);
  const beside = z
    .array(store.beside ?? z.never())
    .length(store.beside === null ? 0 : ends.length)
    .safeParse(said?.rows);
  if (!meta.success || !beside.success) return { fault: 'what is known beside its rows does not fit them' };
  const line = (row: number) => bytes.subarray(row === 0 ? 0 : ends[row - 1], (ends[row] ?? 1) - 1);
  let columns: Readonly<Record<string, readonly ListCell[]>> | null = null;
  return {
    value: {
      count: ends.length,
      meta: meta.data as MetaOf<S>,
      line,
      column(name) {
        columns ??= columnsOf(store, { lines: ends.map((_, row) => line(row)), beside: beside.data });
        return columns[name] ?? [];
      },
      rowOfCik: (cik) => rowOfCik(bytes, ends, cik),
    },
  };
}

function lineEnds(bytes: Buffer): number[] | null {
  const ends: number[] = [];
  for (let end = bytes.indexOf(10) + 1; end > 0; end = bytes.indexOf(10, end) + 1) ends.push(end);
  return (ends.at(-1) ?? 0) === bytes.length ? ends : null;
}

function aboutOf(bytes: Buffer): z.infer<typeof listAbout> | undefined {
  try {
    return listAbout.safeParse(JSON.parse(bytes.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

function columnsOf(
  store: AnyRowStore,
  { lines, beside }: { readonly lines: readonly Buffer[]; readonly beside: readonly unknown[] },
): Record<string, ListCell[]> {
  const names = Object.keys(store.columns);
  const columns = Object.fromEntries(names.map((name) => [name, [] as ListCell[]]));
  lines.forEach((line, i) => {
    const row = JSON.parse(line.toString('utf8'));
    for (const name of names)
      columns[name]?.push(store.columns[name]?.(row as never, (beside[i] ?? null) as never) ?? null);
  });
  return columns;
}

/** Only a row with the digits in it is parsed: one issuer of a long list is found without the others. */
function rowOfCik(bytes: Buffer, ends: readonly number[], cik: string): number {
  const member = `"cik":"${cik}"`;
  for (let at = bytes.indexOf(member); at >= 0; ) {
    const found = at;
    const row = ends.findIndex((end) => end > found);
    const [start, end] = [row === 0 ? 0 : (ends[row - 1] ?? 0), ends[row] ?? bytes.length];
    const parsed: { cik?: unknown } = JSON.parse(bytes.toString('utf8', start, end));
    if (parsed.cik === cik) return row;
    at = bytes.indexOf(member, end);
  }
  return -1;
}
