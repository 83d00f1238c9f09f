import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { PointDigest } from '../../calculators/fieldMap/pointDigest.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type ListedSegment, segmentList } from '../../data/contract/history/segmentList.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { releaseName } from '../../data/contract/release/releaseFiles.ts';
import { count, sha256 } from '../../data/contract/values/primitives.ts';
import type { FileEffects } from '../effects.ts';
import { jsonOrNull } from '../exactJson.ts';
import { sha256Hex } from '../release/artifact.ts';

const hashLength = 64;

/** The JSON of a file that says its hash in the first line; null where it is absent, torn, changed or no JSON. */
export async function readHashedJson(path: string): Promise<unknown> {
  const file = await readFile(path, 'utf8').catch(() => '');
  const text = file.slice(hashLength + 1);
  return file.slice(0, hashLength) === sha256Hex(text) ? jsonOrNull(text) : null;
}

/** Writes JSON below its hash; not synced, since a file torn by a crash has another hash than it says. */
export function writeHashedJson(
  path: string,
  { value, files }: { value: unknown; files: FileEffects },
): Promise<void> {
  const text = JSON.stringify(value);
  return files.write(path, `${sha256Hex(text)}\n${text}`);
}

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
  // the excluded members are not read
  return read as CovenantStress;
}

/** The points of one segment: what a map says of them, and their bytes where those are needed. */
export type PointSegment = {
  readonly listed: ListedSegment;
  readonly index: { readonly sha256: string; readonly bytes: number };
  /** By subject. */
  readonly digests: Readonly<Record<string, PointDigest>>;
  /** @throws IssuerError `validation_failed` when they were changed since they were kept */
  readonly read: () => Promise<PointBytes>;
};

export type PointBytes = { readonly rows: Buffer; readonly index: Buffer };

/**
 * Segments of points that earlier nights made, by what they were made from. It only saves work: without it, or where it
 * is damaged, points are made again from the rows of promoted slices, byte for byte.
 */
export type PointCache = {
  /** A segment of which nothing but its digests was read. */
  read(o: { period: string; stamp: string }): Promise<PointSegment | null>;
  write(o: { period: string; stamp: string; segment: PointSegment }): Promise<void>;
  /** Removes the segments of all but these periods. */
  prune(periods: readonly string[]): Promise<void>;
};

const keptHead = z.strictObject({
  stamp: z.string(),
  listed: segmentList.shape.segments.element,
  index: z.strictObject({ sha256, bytes: count }),
  // the hash of the file says that this program wrote them
  digests: z.custom<PointSegment['digests']>((value) => typeof value === 'object' && value !== null),
});

const endings = { head: '.head', bytes: '.points' } as const;

/** @param root `<data>/warehouse/field-maps`: two files a segment, a head with its hash in the first line, and its bytes */
export function openPointCache({ root, files }: { root: string; files: FileEffects }): PointCache {
  const pathOf = (period: string, what: keyof typeof endings) => join(root, `${period}${endings[what]}`);
  const bytesOf = async (period: string, { listed, index }: z.infer<typeof keptHead>) => {
    const file = await readFile(pathOf(period, 'bytes')).catch(() => Buffer.alloc(0));
    const bytes = { rows: file.subarray(0, listed.bytes), index: file.subarray(listed.bytes) };
    if (sha256Hex(bytes.rows) === listed.sha256 && sha256Hex(bytes.index) === index.sha256) return bytes;
    await files.remove(pathOf(period, 'head'));
    throw new IssuerError({
      code: 'validation_failed',
      message: `The kept points of ${period} were changed, and no release holds them whole.`,
      hint: 'Run the night again: it makes them anew from the promoted slices.',
    });
  };
  return {
    async read({ period, stamp }) {
      const head = keptHead.safeParse(await readHashedJson(pathOf(period, 'head'))).data;
      if (head?.stamp !== stamp) return null;
      const { listed, index, digests } = head;
      const size = await stat(pathOf(period, 'bytes')).then(
        (found) => found.size,
        () => null,
      );
      if (size !== listed.bytes + index.bytes) return null;
      return { listed, index, digests, read: () => bytesOf(period, head) };
    },
    async write({ period, stamp, segment: { read, ...said } }) {
      const head: z.infer<typeof keptHead> = { stamp, ...said };
      const { rows, index } = await read();
      await files.makeDirectory(root);
      // not synced: what a crash tore has another length or hash than the head says
      await files.write(pathOf(period, 'bytes'), Buffer.concat([rows, index]));
      await writeHashedJson(pathOf(period, 'head'), { value: head, files });
    },
    async prune(periods) {
      const kept = new Set(periods);
      for (const name of await readdir(root).catch(() => [])) {
        const period = Object.values(endings).flatMap((ending) =>
          name.endsWith(ending) ? [name.slice(0, -ending.length)] : [],
        )[0];
        if (period !== undefined && !kept.has(period)) await files.remove(join(root, name));
      }
    },
  };
}
