import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PriceRow } from '../../calculators/filing/rows.ts';
import type { IssuerPosition } from '../../calculators/position/positionIssuer.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { FileEffects } from '../effects.ts';
import { sha256Hex } from '../release/artifact.ts';

/**
 * Resolved positions by the content they follow from, so that a filing is resolved once for every night and date it is
 * in force on. An entry that is damaged or absent is no entry: the filing is resolved again.
 */
export type PositionCache = {
  get(o: { cik: string; key: string }): Promise<IssuerPosition | null>;
  put(o: { cik: string; key: string; position: IssuerPosition }): Promise<void>;
  /** Removes the positions of other programs and parameters, and the oldest ones beyond the bound. */
  prune(): Promise<void>;
};

/** About 215 issuers with sixty years of quarters; a position takes some 20 kB. */
const maxEntries = 50_000;

/**
 * Opens the positions that one program with one set of parameters resolved.
 *
 * @param root `<data>/warehouse/positions`
 * @param version hash of everything a position follows from besides its content; names the directory
 */
export function openPositionCache(input: {
  root: string;
  version: string;
  files: FileEffects;
  maxEntries?: number;
}): PositionCache {
  const directory = join(input.root, input.version);
  let made = false;
  const pathOf = ({ cik, key }: { cik: string; key: string }) => join(directory, `${cik}-${key}.json`);
  return {
    async get(entry) {
      const text = await readFile(pathOf(entry), 'utf8').catch(() => '');
      const body = text.slice(65);
      if (text[64] !== '\n' || text.slice(0, 64) !== sha256Hex(body)) return null;
      return parsePosition(body);
    },
    async put({ position, ...entry }) {
      if (!made) await input.files.makeDirectory(directory);
      made = true;
      const body = positionText(position);
      // not synced: an entry torn by a crash has another hash than it says
      await input.files.write(pathOf(entry), `${sha256Hex(body)}\n${body}`);
    },
    async prune() {
      const versions = await readdir(input.root).catch(() => []);
      for (const version of versions) {
        if (version !== input.version) await input.files.remove(join(input.root, version));
      }
      for (const path of await oldest(directory, input.maxEntries ?? maxEntries))
        await input.files.remove(path);
    },
  };
}

async function oldest(directory: string, kept: number): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  if (names.length <= kept) return [];
  const entries: { path: string; at: number }[] = [];
  for (const name of names) {
    const path = join(directory, name);
    entries.push({ path, at: (await stat(path)).mtimeMs });
  }
  const excess = entries.sort((a, b) => a.at - b.at || compareText(a.path, b.path));
  return excess.slice(0, names.length - kept).map(({ path }) => path);
}

// no member of a position has an empty name, so an object with that one member is a decimal
const decimalMember = '';

/**
 * Writes a position as JSON that keeps every digit of its amounts.
 *
 * @throws TypeError for a number JSON does not know.
 */
export function positionText(position: IssuerPosition): string {
  return JSON.stringify(position, (_, value: unknown) => {
    if (value instanceof ExactDecimal) return { [decimalMember]: value.toString() };
    if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is not JSON`);
    return value;
  });
}

/** Reads what {@link positionText} wrote; what it was written for is checked by its hash, not here. */
export function parsePosition(text: string): IssuerPosition {
  return JSON.parse(text, (_, value: unknown) => {
    if (value === null || typeof value !== 'object') return value;
    const digits = (value as Record<string, unknown>)[decimalMember];
    return typeof digits === 'string' ? ExactDecimal.parse(digits) : value;
  }) as IssuerPosition;
}

/** Hash of every close up to a day; days are asked for in ascending order. */
export function closesHashes(rows: readonly PriceRow[]): (day: string) => string {
  const ordered = rows.toSorted((a, b) => compareText(a.date, b.date));
  const hash = createHash('sha256');
  let next = 0;
  return (day) => {
    for (let row = ordered[next]; row !== undefined && row.date <= day; row = ordered[next]) {
      const refused = row.refused === true ? ' refused' : '';
      hash.update(`${row.date} ${row.asset} ${row.close} ${row.source}${refused}\n`);
      next += 1;
    }
    return hash.copy().digest('hex');
  };
}
