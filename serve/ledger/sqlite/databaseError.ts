const UNIQUE = 2067;
const PRIMARY_KEY = 1555;

/** Extended result code of an error SQLite raised; null for any other error. */
export function databaseErrorCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code : null;
}

/** Whether a statement met a row that has its unique value already. */
export function uniqueViolated(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === UNIQUE || code === PRIMARY_KEY;
}
