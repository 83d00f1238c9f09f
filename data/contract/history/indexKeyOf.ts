/** Key of the index beside stored rows: `issuer-field-map/2026-02.index.json` of `issuer-field-map/2026-02.ndjson`. */
export function indexKeyOf(rowsKey: string): string {
  return rowsKey.replace(/\.ndjson$/, '.index.json');
}
