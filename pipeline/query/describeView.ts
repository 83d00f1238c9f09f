import { asOfViews } from './queryError.ts';

/** Every view and table function with what it holds. */
export const listViews = `SELECT view_name AS view, comment FROM duckdb_views() WHERE NOT internal
UNION ALL
SELECT function_name || '(''YYYY-MM-DD'')', comment FROM duckdb_functions()
WHERE function_type = 'table_macro' AND NOT internal AND comment IS NOT NULL
ORDER BY 1`;

/**
 * The question behind `describe <view>`, which the database answers without the comments; null for any other text.
 *
 * Only the bare form is taken: what else may follow DESCRIBE is a query, and goes to the database as it is.
 */
export function describedView(sql: string): string | null {
  const [, name] = /^\s*desc(?:ribe)?\s+"?([a-z_]\w*)"?(?:\s*\(\s*\))?\s*;?\s*$/i.exec(sql) ?? [];
  if (name === undefined) return null;
  const view = name.toLowerCase();
  const macro = asOfViews.find((one) => one.name === view);
  if (macro === undefined) {
    return `SELECT column_name AS column, data_type AS type, comment FROM duckdb_columns()
      WHERE schema_name = 'main' AND table_name = '${view}'
        -- an unknown name is the database's to refuse
        AND EXISTS (SELECT count(*) FROM (DESCRIBE "${view}")) ORDER BY column_index`;
  }
  return `SELECT d.column_name AS column, d.column_type AS type, coalesce(c.comment, 'The day asked for') AS comment
    FROM (SELECT *, row_number() OVER () AS position FROM (DESCRIBE FROM ${view}('2000-01-01'))) d
    LEFT JOIN duckdb_columns() c ON c.table_name = '${macro.of}' AND c.column_name = d.column_name
    ORDER BY d.position`;
}
