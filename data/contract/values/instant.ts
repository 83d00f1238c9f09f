/** UTC instant with whole seconds, as every answer shows it (I1.8 `datetime`); the argument is milliseconds since 1970. */
export function instant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
