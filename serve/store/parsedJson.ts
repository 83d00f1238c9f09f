/** A stored JSON value; undefined where the bytes are none, null where there are none. */
export function parsedJson(bytes: Buffer | null): unknown {
  if (bytes === null) return null;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
