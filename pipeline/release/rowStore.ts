import { type CanonicalValue, canonicalJson } from '../../contract/canonicalJson.ts';
import { type RowStoreIndex, rowStoreIndex } from '../../contract/releaseFiles.ts';
import type { Artifact } from './artifact.ts';

type Cell = RowStoreIndex['columns'][string][number];

/**
 * A row store: each row serialised once and ended by a newline, and beside it the index of byte offsets and
 * filter columns (I4.33). Row i is the bytes from `offsets[i]` to before the newline at `offsets[i + 1] - 1`.
 *
 * @param o.name key without `.ndjson`; the index is `<name>.index.json`
 */
export function rowStore<Row extends CanonicalValue>(o: {
  name: string;
  rows: readonly Row[];
  columns: Readonly<Record<string, (row: Row, i: number) => Cell>>;
}): readonly [store: Artifact, index: Artifact] {
  const lines = o.rows.map((row) => Buffer.from(`${canonicalJson(row)}\n`));
  const offsets = [0];
  let end = 0;
  for (const line of lines) {
    end += line.length;
    offsets.push(end);
  }
  const columns: Record<string, Cell[]> = {};
  for (const [name, cell] of Object.entries(o.columns)) columns[name] = o.rows.map(cell);
  const index = rowStoreIndex.parse({
    schema_id: 'row_store_index.v1',
    rows: o.rows.length,
    offsets,
    columns,
  });
  return [
    {
      key: `${o.name}.ndjson`,
      mediaType: 'application/x-ndjson',
      bytes: Buffer.concat(lines),
      coded: false,
    },
    {
      key: `${o.name}.index.json`,
      mediaType: 'application/json',
      bytes: Buffer.from(canonicalJson(index)),
      coded: false,
    },
  ];
}
