import type { RowStore } from '../../data/contract/payloads/stored.ts';
import { type RowStoreCell, rowStoreIndex } from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import type { Artifact } from './artifact.ts';
import { validated } from './validated.ts';

/**
 * Writes a row store of the contract: each row validated, serialised once and ended by a newline, and beside it
 * the index of byte offsets and filter columns (I4.33). Row i is the bytes from `offsets[i]` to before the newline
 * at `offsets[i + 1] - 1`.
 *
 * @param parts what the key is built from
 * @param beside what the columns need and the row does not say, where the definition asks for it
 * @throws IssuerError `validation_failed` for the first row the schema refuses.
 */
export function rowStore<Row, Beside, Meta, Column extends string, Parts>(
  input: {
    store: RowStore<Row, Beside, Meta, Column, Parts>;
    parts: NoInfer<Parts>;
    rows: readonly NoInfer<Row>[];
    meta: NoInfer<Meta>;
  } & ([Beside] extends [null]
    ? { readonly beside?: never }
    : { readonly beside: (row: NoInfer<Row>, i: number) => NoInfer<Beside> }),
): readonly [store: Artifact, index: Artifact] {
  const key = input.store.key(input.parts);
  const beside = input.beside as ((row: Row, i: number) => Beside) | undefined;
  const lines: Buffer[] = [];
  const offsets = [0];
  const columnNames = Object.keys(input.store.columns) as Column[];
  const columns = Object.fromEntries(columnNames.map((column) => [column, [] as RowStoreCell[]]));
  let end = 0;
  input.rows.forEach((row, i) => {
    const line = Buffer.from(`${canonicalJson(validated({ schema: input.store.row, value: row, key }))}\n`);
    end += line.length;
    lines.push(line);
    offsets.push(end);
    const known = (beside === undefined ? null : beside(row, i)) as Beside;
    for (const column of columnNames) columns[column]?.push(input.store.columns[column](row, known));
  });
  const index = rowStoreIndex.parse({
    schema_id: 'row_store_index.v1',
    rows: input.rows.length,
    offsets,
    columns,
    meta: input.store.meta.parse(input.meta),
  });
  return [
    { key, mediaType: 'application/x-ndjson', bytes: Buffer.concat(lines), coded: false },
    {
      key: input.store.indexKey(input.parts),
      mediaType: 'application/json',
      bytes: Buffer.from(canonicalJson(index)),
      coded: false,
    },
  ];
}
