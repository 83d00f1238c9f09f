/** What a log says of an error that may carry a secret in its message: its class. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'error';
}
