import { z } from 'zod';
import { count, datetime, sha256 } from '../../data/contract/values/primitives.ts';
import { tableFormats } from '../query/writeTable.ts';

/** `manifest.json` of an export: what lies beside it, written last (STORE ST18). */
export const exportManifest = z.strictObject({
  schema_id: z.literal('warehouse_export.v1'),
  exported_at: datetime,
  /** SHA-256 of the warehouse that was read; null where a night replaced it meanwhile. */
  warehouse_sha256: sha256.nullable(),
  program_version: z.string(),
  format: z.enum(tableFormats).default('parquet'),
  views: z.array(
    z.strictObject({
      view: z.string(),
      file: z.string(),
      rows: count,
      bytes: count,
      sha256,
      /** Columns that make a row: no two rows have equal ones. */
      key: z.array(z.string()).default([]),
      /** Columns the rows are sorted by, first to last; none where the view has none of them. */
      sorted_by: z.array(z.string()),
      /** Of the file, with types in DuckDB's words, and what each holds. */
      columns: z.array(
        z.strictObject({ name: z.string(), type: z.string(), comment: z.string().nullable().default(null) }),
      ),
    }),
  ),
});

export type ExportManifest = z.infer<typeof exportManifest>;
export type ExportedView = ExportManifest['views'][number];

export const exportManifestName = 'manifest.json';
