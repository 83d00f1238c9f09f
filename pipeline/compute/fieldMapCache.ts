import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { CovenantStress } from '../../contract/payloads/covenantStress.ts';
import { releaseName } from '../../contract/release/releaseFiles.ts';
import { date } from '../../contract/values/primitives.ts';
import type { FileEffects } from '../effects.ts';
import { sha256Hex } from '../release/artifact.ts';

/** A promoted slice, by the build that answers for it. */
type Slice = { readonly sourceDate: string; readonly release: string };

/**
 * Rows of promoted slices as far as a field map reads them, so that a night opens no build that an earlier night
 * opened. It only saves work: without it, or where it is damaged, rows are read from their builds.
 */
export type FieldMapCache = {
  /** The rows of a slice, from `read` where they are not kept. Slices are asked for by date ascending. */
  rows(slice: Slice, read: () => Promise<CovenantStress[]>): Promise<CovenantStress[]>;
  /** Writes what was read. */
  close(): Promise<void>;
};

type Month = { readonly name: string; readonly slices: Map<string, Kept>; changed: boolean };

const cells = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]));
const kept = z.strictObject({ release: releaseName, rows: z.array(cells) });
type Kept = z.infer<typeof kept>;
const keptMonth = z.strictObject({ members: z.array(z.string()), slices: z.record(date, kept) });

/**
 * @param o.root `<data>/warehouse/field-maps`: a file a month, its hash in the first line
 * @param o.members what of a row is kept; a file of other members is no file
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
  const pathOf = (name: string) => join(root, `${name}.json`);
  let month: Month | null = null;

  async function load(name: string): Promise<Month> {
    const text = await readFile(pathOf(name), 'utf8').catch(() => '');
    const body = text.slice(65);
    const isWhole = text[64] === '\n' && text.slice(0, 64) === sha256Hex(body);
    const parsed = isWhole ? keptMonth.safeParse(json(body)) : null;
    const found = parsed?.data?.members.join() === members.join() ? parsed.data.slices : {};
    return { name, slices: new Map(Object.entries(found)), changed: false };
  }

  async function close(): Promise<void> {
    if (month?.changed !== true) return;
    const body = JSON.stringify({ members, slices: Object.fromEntries(month.slices) });
    await files.makeDirectory(root);
    // not synced: a file torn by a crash has another hash than it says
    await files.write(pathOf(month.name), `${sha256Hex(body)}\n${body}`);
    month.changed = false;
  }

  return {
    close,
    async rows({ sourceDate, release }, read) {
      const name = sourceDate.slice(0, 7);
      if (month?.name !== name) {
        await close();
        month = await load(name);
      }
      const known = month.slices.get(sourceDate);
      if (known?.release === release) return known.rows.map((row) => rowOf(members, row));
      const rows = await read();
      month.slices.set(sourceDate, { release, rows: rows.map((row) => cellsOf(members, row)) });
      month.changed = true;
      return rows;
    },
  };
}

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

// null and absent say the same of every member that is read
function cellsOf(members: readonly (keyof CovenantStress)[], row: CovenantStress): Kept['rows'][number] {
  return cells.parse(members.map((member) => row[member] ?? null));
}

function rowOf(members: readonly (keyof CovenantStress)[], row: Kept['rows'][number]): CovenantStress {
  const entries = members.flatMap((member, i) => (row[i] === null ? [] : [[member, row[i]]]));
  // the members left out are not read
  return Object.fromEntries(entries) as CovenantStress;
}
