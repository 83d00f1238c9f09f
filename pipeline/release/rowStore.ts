import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type AnyRowStore, aboutKeyOf, type RowStore } from '../../data/contract/payloads/stored.ts';
import { listAbout } from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { type ListRows, mostListBytes, readListRows } from '../../data/store/bytes/listRows.ts';
import type { Artifact } from './artifact.ts';
import { validated } from './validated.ts';

/**
 * Writes a list of the contract: each row validated, serialised once and ended by a newline, and what the rows do not
 * say beside it, where the definition has any (I4.33).
 *
 * @param parts what the key is built from
 * @param beside what the columns need and the row does not say, where the definition asks for it
 * @throws IssuerError `validation_failed` for the first row the schema refuses
 * @throws RangeError for a list longer than a reader loads
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
): readonly [list: Artifact, ...about: Artifact[]] {
  const { store, parts, rows, meta } = input;
  const key = store.key(parts);
  const beside = input.beside as ((row: Row, i: number) => Beside) | undefined;
  const lines = rows.map((row) => `${canonicalJson(validated({ schema: store.row, value: row, key }))}\n`);
  const bytes = Buffer.from(lines.join(''));
  if (bytes.length > mostListBytes) throw new RangeError(`${key} is longer than a list may be`);
  const list: Artifact = { key, mediaType: 'application/x-ndjson', bytes, coded: false };
  if (!store.hasAbout) return [list];
  const about = listAbout.parse({
    schema_id: 'list_about.v1',
    meta: store.meta.parse(meta),
    rows: beside === undefined ? [] : rows.map(beside),
  });
  return [
    list,
    {
      key: aboutKeyOf(key),
      mediaType: 'application/json',
      bytes: Buffer.from(canonicalJson(about)),
      coded: false,
    },
  ];
}

/**
 * A list of one slice; null when the slice has none.
 *
 * @param read bytes of an artifact of the slice by its key, null when it has none of that key
 * @throws IssuerError `validation_failed` for a list that is damaged
 */
export async function readList<S extends AnyRowStore>(
  store: S,
  key: string,
  read: (key: string) => Promise<Uint8Array | null>,
): Promise<ListRows<S> | null> {
  const bytes = await read(key);
  if (bytes === null) return null;
  const about = store.hasAbout ? await read(aboutKeyOf(key)) : null;
  const list = readListRows(store, {
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    about: about === null ? null : Buffer.from(about),
  });
  if ('value' in list) return list.value;
  throw new IssuerError({
    code: 'validation_failed',
    message: `${key} cannot be read: ${list.fault}.`,
    hint: 'Check the releases with `issuer release verify`, then publish that date again with --force.',
  });
}
