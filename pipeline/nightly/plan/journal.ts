import { join } from 'node:path';
import { z } from 'zod';
import { releaseName } from '../../../data/contract/release/releaseFiles.ts';
import { type CanonicalValue, canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { count, date, datetime, sha256 } from '../../../data/contract/values/primitives.ts';
import { replaceFile } from '../../../data/store/files/replaceFile.ts';
import type { FileEffects } from '../../effects.ts';
import { parsedFile } from '../../release/releaseStore.ts';

/** What is known of one source_date: its plan, and what came of it. */
const nightEntry = z.strictObject({
  schema_id: z.literal('night_journal.v1'),
  source_date: date,
  source: z.string(),
  /** Where its inputs lay; entries of earlier programs do not say. */
  directory: z.string().nullable().default(null),
  as_of: datetime,
  /** Hash of everything the release follows from but `as_of`. */
  inputs: sha256,
  /** The parts of that hash, so that the next run can say what changed. */
  provenance: z.record(z.string(), z.string()),
  /** The release that holds the outcome; null until it is promoted. */
  release: releaseName.nullable(),
  /** What a night that is skipped as unchanged still has to say. */
  degraded: z.array(z.string()).default([]),
});

/** An input that could not be read, and the night whose rows of it stay in use; null where there are none. */
const refusedInput = z.strictObject({
  name: z.string(),
  reason: z.string(),
  kept_from: z.union([date, z.literal('unknown')]).nullable(),
});

/** Which inputs the current warehouse build holds. Absent while a build is on its way. */
const warehouseEntry = z.strictObject({
  schema_id: z.literal('warehouse_journal.v1'),
  inputs: sha256,
  /** The night these inputs were read for. */
  scanned: date,
  build: z.string(),
  facts: count,
  filings: count,
  prices: count,
  /** Files of the submissions archive by the zone of their instants (M1.44d); entries of earlier programs do not say. */
  acceptance: z.record(z.string(), count).default({}),
  quarantined: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
  /** Inputs of the universe's issuers that were refused whole. */
  refused: z.array(refusedInput).default([]),
  /** Hash of each input whose rows the build holds, and the night it was read for. */
  held: z.record(z.string(), z.strictObject({ sha256, source_date: date })).default({}),
});

export type NightEntry = z.infer<typeof nightEntry>;
export type RefusedInput = z.infer<typeof refusedInput>;
export type WarehouseEntry = z.infer<typeof warehouseEntry>;

/** The step journal under `<data>/warehouse/journal`; a damaged entry counts as absent, so its step runs again. */
export type Journal = {
  night(sourceDate: string): Promise<NightEntry | null>;
  writeNight(entry: NightEntry): Promise<void>;
  warehouse(): Promise<WarehouseEntry | null>;
  writeWarehouse(entry: WarehouseEntry): Promise<void>;
  /** Before the warehouse changes: a crash from here on leaves no entry that claims too much. */
  forgetWarehouse(): Promise<void>;
};

/** @param root `<data>/warehouse/journal` */
export function openJournal({ root, files }: { root: string; files: FileEffects }): Journal {
  const warehousePath = join(root, 'warehouse.json');
  const nightPath = (sourceDate: string) => join(root, `${sourceDate}.json`);
  const write = async (path: string, value: CanonicalValue) => {
    await files.makeDirectory(root);
    await replaceFile({ files, path, bytes: canonicalJson(value) });
  };
  return {
    night: (sourceDate) => entryOf(nightEntry, nightPath(sourceDate)),
    writeNight: (entry) => write(nightPath(entry.source_date), entry),
    warehouse: () => entryOf(warehouseEntry, warehousePath),
    writeWarehouse: (entry) => write(warehousePath, entry),
    forgetWarehouse: () => files.remove(warehousePath),
  };
}

async function entryOf<S extends z.ZodType>(schema: S, path: string): Promise<z.output<S> | null> {
  return parsedFile(schema, path).catch(() => null);
}
