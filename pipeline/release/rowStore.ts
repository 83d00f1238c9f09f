import { canonicalJson } from '../../contract/canonicalJson.ts';
import { type RowStoreCell, rowStoreIndex } from '../../contract/releaseFiles.ts';
import type { RowStore } from '../../contract/rowStores.ts';
import { validated } from '../compute/validated.ts';
import type { Artifact } from './artifact.ts';

/**
 * Writes a row store of the contract: each row validated, serialised once and ended by a newline, and beside it
 * the index of byte offsets and filter columns (I4.33). Row i is the bytes from `offsets[i]` to before the newline
 * at `offsets[i + 1] - 1`.
 *
 * @param o.key parts of the key, as the definition takes them
 * @param o.beside what the columns need and the row does not say, where the definition asks for it
 * @throws IssuerError `validation_failed` for the first row the schema refuses.
 */
export function rowStore<Row, Beside, Meta, Column extends string, Key extends readonly string[]>(
  o: {
    store: RowStore<Row, Beside, Meta, Column, Key>;
    key: NoInfer<Key>;
    rows: readonly NoInfer<Row>[];
    meta: NoInfer<Meta>;
  } & ([Beside] extends [null]
    ? { readonly beside?: never }
    : { readonly beside: (row: NoInfer<Row>, i: number) => NoInfer<Beside> }),
): readonly [store: Artifact, index: Artifact] {
  const name = o.store.key(...o.key);
  const beside = o.beside as ((row: Row, i: number) => Beside) | undefined;
  const lines: Buffer[] = [];
  const offsets = [0];
  const columnNames = Object.keys(o.store.columns) as Column[];
  const columns = Object.fromEntries(columnNames.map((column) => [column, [] as RowStoreCell[]]));
  let end = 0;
  o.rows.forEach((row, i) => {
    const line = Buffer.from(`${canonicalJson(validated({ schema: o.store.row, value: row, key: name }))}\n`);
    end += line.length;
    lines.push(line);
    offsets.push(end);
    const known = (beside === undefined ? null : beside(row, i)) as Beside;
    for (const column of columnNames) columns[column]?.push(o.store.columns[column](row, known));
  });
  const index = rowStoreIndex.parse({
    schema_id: 'row_store_index.v1',
    rows: o.rows.length,
    offsets,
    columns,
    meta: o.store.meta.parse(o.meta),
  });
  return [
    { key: `${name}.ndjson`, mediaType: 'application/x-ndjson', bytes: Buffer.concat(lines), coded: false },
    {
      key: `${name}.index.json`,
      mediaType: 'application/json',
      bytes: Buffer.from(canonicalJson(index)),
      coded: false,
    },
  ];
}
