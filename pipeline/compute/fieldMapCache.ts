import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { releaseName } from '../../data/contract/release/releaseFiles.ts';
import type { FileEffects } from '../effects.ts';
import { readHashedJson, writeHashedJson } from './hashedJson.ts';

/** A promoted slice, by the build that answers for it. */
type Slice = { readonly sourceDate: string; readonly release: string };

/**
 * Rows of promoted slices as far as a field map reads them, so that a night opens no build that an earlier night
 * opened. It only saves work: without it, or where it is damaged, rows are read from their builds.
 */
export type FieldMapCache = {
  /** The rows of a slice, from `read` where they are not kept. */
  rows(slice: Slice, read: () => Promise<CovenantStress[]>): Promise<CovenantStress[]>;
  /** Removes the rows of slices before a date. */
  prune(before: string): Promise<void>;
};

type Cell = string | number | boolean | null;

const keptSlice = z.strictObject({
  release: releaseName,
  members: z.array(z.string()),
  // the hash of the file says that this program wrote them
  rows: z.custom<readonly (readonly Cell[])[]>(Array.isArray),
});
type Kept = z.infer<typeof keptSlice>;

const ending = '.json';

/**
 * @param root `<data>/warehouse/field-maps`: a file a slice, its hash in the first line
 * @param members what of a row is kept; a file of other members is no file
 */
export function openFieldMapCache({
  root,
  members,
  files,
}: {
  root: string;
  members: readonly (keyof CovenantStress)[];
  files: FileEffects;
}): FieldMapCache {
  const pathOf = (sourceDate: string) => join(root, `${sourceDate}${ending}`);

  async function keptOf(sourceDate: string): Promise<Kept | null> {
    const kept = keptSlice.safeParse(await readHashedJson(pathOf(sourceDate))).data;
    return kept?.members.join() === members.join() ? kept : null;
  }

  return {
    async rows({ sourceDate, release }, read) {
      const known = await keptOf(sourceDate);
      if (known?.release === release) return known.rows.map((row) => rowOf(members, row));
      const rows = await read();
      const kept: Kept = { release, members: [...members], rows: rows.map((row) => cellsOf(members, row)) };
      await files.makeDirectory(root);
      await writeHashedJson(pathOf(sourceDate), { value: kept, files });
      return rows;
    },
    async prune(before) {
      for (const name of await readdir(root).catch(() => []))
        if (name.endsWith(ending) && name < before) await files.remove(join(root, name));
    },
  };
}

// null and absent say the same of every member that is read
function cellsOf(members: readonly (keyof CovenantStress)[], row: CovenantStress): readonly Cell[] {
  return members.map((member) => (row[member] ?? null) as Cell);
}

function rowOf(members: readonly (keyof CovenantStress)[], row: readonly Cell[]): CovenantStress {
  const read: { [member in keyof CovenantStress]?: unknown } = {};
  for (const [i, member] of members.entries()) {
    const cell = row[i] ?? null;
    if (cell !== null) read[member] = cell;
  }
  // the members left out are not read
  return read as CovenantStress;
}
