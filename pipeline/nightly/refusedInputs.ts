import type { RefusedRows } from '../warehouse/load/inputFile.ts';
import type { RefusedInput, WarehouseEntry } from './plan/journal.ts';
import { type KeptInput, keptNotes } from './plan/keptInputs.ts';

/**
 * The inputs a night refused, with the night whose rows of them stay in use. Only what a row of the universe can rest on:
 * the archives hold thousands of other companies.
 *
 * @param kept inputs that are not available at all: entries an earlier night refused of them stay refused
 * @param previous what the build before this one held
 */
export function refusedInputs(
  refused: readonly RefusedRows[],
  {
    kept,
    previous,
    ciks,
  }: {
    readonly kept: readonly Pick<KeptInput, 'name'>[];
    readonly previous: WarehouseEntry | null;
    readonly ciks: readonly string[];
  },
): readonly RefusedInput[] {
  const gone = new Set(kept.map(({ name }) => name));
  const earlier = (previous?.refused ?? []).filter(
    ({ name }) => name.includes('!') && gone.has(fileOf(name)),
  );
  const tonight = refused.map(({ name, reason, kept: stays }) => ({
    name,
    reason,
    kept_from: stays ? lastRead(name, previous) : null,
  }));
  const mine = new Set(ciks);
  return [...earlier, ...tonight].filter(({ name }) => {
    const cik = cikOf(name);
    // an entry that is no company's is no issuer's loss
    return cik === null ? !name.includes('!') : mine.has(cik);
  });
}

/** One refused before was read before that; one of an archive was last read with the archive. */
function lastRead(name: string, previous: WarehouseEntry | null): string {
  const before = previous?.refused.find((one) => one.name === name)?.kept_from;
  // a crash can leave rows without a journal that says of which night they are
  return before ?? previous?.held[fileOf(name)]?.source_date ?? previous?.scanned ?? 'unknown';
}

/** What of a build rests on rows an input no longer gives is held as of the night that read them. */
export function heldOfRefused(
  held: WarehouseEntry['held'],
  { refused, previous }: { refused: readonly RefusedInput[]; previous: WarehouseEntry | null },
): WarehouseEntry['held'] {
  const names = new Set(refused.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(held).flatMap(([name, input]) => {
      if (!names.has(name)) return [[name, input] as const];
      const before = previous?.held[name];
      return before === undefined ? [] : [[name, before] as const];
    }),
  );
}

/** One sentence for the operator. */
export function refusedSentence({ name, reason, kept_from }: RefusedInput): string {
  const instead =
    kept_from === null
      ? 'no earlier night read it'
      : kept_from === 'unknown'
        ? 'what an earlier night read of it stays in use'
        : `what the night of ${kept_from} read of it stays in use`;
  return `${name} is refused, and ${instead}: ${reason.replace(/\.$/, '')}`;
}

/**
 * The `data_quality_notes` on kept inputs of one issuer: those of every row, and those of files that are the issuer's own.
 */
export function inputNotesOf(
  every: readonly string[],
  refused: readonly RefusedInput[],
): (cik: string) => readonly string[] {
  const kept = refused.flatMap(({ name, kept_from }) =>
    kept_from === null ? [] : [{ name, sourceDate: kept_from }],
  );
  return (cik) => [...every, ...keptNotes(kept.filter(({ name }) => (cikOf(name) ?? cik) === cik))];
}

/** Whose file an input is; null for one that every row may rest on. */
function cikOf(name: string): string | null {
  const cik = /!CIK(\d{10})[-.]|^edgar\/filings\/(\d{1,10})\//.exec(name);
  return cik === null ? null : (cik[1] ?? cik[2] ?? '').padStart(10, '0');
}

/** The file an entry is in. */
function fileOf(name: string): string {
  return name.replace(/!.*/s, '');
}
