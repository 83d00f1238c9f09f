const uniqueCode = 2067;
const primaryKeyCode = 1555;

/** Extended result code of an error SQLite raised; null for any other error. */
export function databaseErrorCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code : null;
}

/** Whether a statement met a row that has its unique value already. */
export function uniqueViolated(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === uniqueCode || code === primaryKeyCode;
}
