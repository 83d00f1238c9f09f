import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { instantPattern, isCivilDate } from '../../data/contract/values/primitives.ts';
import type { DataLayout } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';

/** One night a source can be asked for; `asOf` null means the instant of the plan. */
export type Night = {
  readonly sourceDate: string;
  readonly asOf: string | null;
  readonly note: string | null;
};

export type Fetched = { readonly directory: string; readonly skipped: boolean; readonly message: string };

export type FetchRequest = {
  readonly night: Night;
  readonly layout: DataLayout;
  readonly effects: StoreEffects;
  readonly signal: AbortSignal;
};

export const nightKinds = ['fixtures', 'edgar', 'directory'] as const;

/** Where a night's inputs come from; every source ends in a directory of the documented layout. */
export type NightSource = {
  readonly kind: (typeof nightKinds)[number];
  /** As the user named it. */
  readonly label: string;
  /** The nights it lists itself, in order; null when it lists none. */
  nights(): Promise<Night[] | null>;
  fetch(o: FetchRequest): Promise<Fetched>;
  /** The directory a fetch fills, without fetching. */
  directory(o: Pick<FetchRequest, 'night' | 'layout'>): string;
};

/** A directory that is filled from outside; it is read in place. */
export function directoryNights(path: string): NightSource {
  const root = resolve(path);
  return {
    kind: 'directory',
    label: path,
    nights: () => listedNights(join(root, 'nights.csv')),
    fetch: () =>
      Promise.resolve({
        directory: root,
        skipped: true,
        message: `nothing to fetch, ${root} is read in place`,
      }),
    directory: () => root,
  };
}

/** The inputs of an earlier night where its journal entry says they lay; null when they are not there. */
export function recordedNights({
  directory,
  source,
}: {
  readonly directory: string | null;
  readonly source: string;
}): NightSource | null {
  const kind = nightKinds.find((one) => one === source);
  if (directory === null || kind === undefined || !existsSync(directory)) return null;
  return { ...directoryNights(directory), kind, nights: () => Promise.resolve(null) };
}

/**
 * Reads a `nights.csv` (columns source_date, as_of, and others that are notes); null when there is none.
 *
 * @throws IssuerError `validation_failed` for a row that is not a night.
 */
export async function listedNights(path: string): Promise<Night[] | null> {
  if (!existsSync(path)) return null;
  let rows: Record<string, string>[];
  try {
    rows = parse(await readFile(path, 'utf8'), {
      columns: true,
      bom: true,
      skip_empty_lines: true,
      to: 10_000,
    });
  } catch (cause) {
    throw badNights(path, 'it is not CSV', cause);
  }
  const nights = rows.map((row, i): Night => {
    const sourceDate = row['source_date'] ?? '';
    if (!isCivilDate(sourceDate)) throw badNights(path, `row ${i + 1} has no source_date YYYY-MM-DD`);
    const asOf = row['as_of'] ?? '';
    if (asOf !== '' && !instantPattern.test(asOf)) throw badNights(path, `row ${i + 1} has no as_of instant`);
    const note = row['note'] ?? '';
    return { sourceDate, asOf: asOf === '' ? null : asOf, note: note === '' ? null : note };
  });
  if (nights.length === 0) throw badNights(path, 'it lists no night');
  return nights;
}

/**
 * The nights one command runs: the one of `--date`, every night the source lists, or today (UTC) for edgar.
 *
 * @throws IssuerError `usage` when a directory has neither a date nor a `nights.csv` (M0.13).
 */
export async function planNights({
  source,
  date,
  asOf,
  now,
}: {
  source: NightSource;
  date: string | null;
  asOf: string | null;
  now: Date;
}): Promise<Night[]> {
  const listed = await source.nights();
  const withAsOf = (night: Night): Night => (asOf === null ? night : { ...night, asOf });
  if (date !== null) {
    const found = listed?.find((night) => night.sourceDate === date);
    return [withAsOf(found ?? { sourceDate: date, asOf: null, note: null })];
  }
  if (listed !== null) {
    return [...listed].sort((a, b) => compareText(a.sourceDate, b.sourceDate)).map(withAsOf);
  }
  if (source.kind === 'edgar') {
    return [withAsOf({ sourceDate: now.toISOString().slice(0, 10), asOf: null, note: null })];
  }
  throw new IssuerError({
    code: 'usage',
    message: `The source ${source.label} does not say which date the slice is of.`,
    hint: 'Add --date YYYY-MM-DD, or put a nights.csv (source_date,as_of) into the directory.',
  });
}

function badNights(path: string, what: string, cause?: unknown): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `${path} cannot be used: ${what}.`,
    hint: 'Its columns are source_date (YYYY-MM-DD) and as_of (YYYY-MM-DDTHH:MM:SSZ); others are notes.',
    cause,
  });
}
