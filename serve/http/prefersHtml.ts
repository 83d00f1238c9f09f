/**
 * Whether a client wants a page rather than JSON: HTML has a higher weight in `Accept` than JSON, each by its most
 * specific range (RFC 9110 §12.5.1). Without the field, and where both weigh the same, it is JSON.
 */
export function prefersHtml(field: string | undefined): boolean {
  if (field === undefined) return false;
  const ranges = rangesOf(field);
  return weightOf('text/html', ranges) > weightOf('application/json', ranges);
}

/** Most characters of the field that are read. */
const longestRead = 1024;

function rangesOf(field: string): ReadonlyMap<string, number> {
  const ranges = new Map<string, number>();
  for (const part of field.slice(0, longestRead).split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const weight = parameters.find((piece) => piece.startsWith('q='))?.slice(2);
    const value = weight === undefined ? 1 : Number(weight);
    if (value >= 0 && value <= 1) ranges.set(range, Math.max(value, ranges.get(range) ?? 0));
  }
  return ranges;
}

function weightOf(type: string, ranges: ReadonlyMap<string, number>): number {
  return ranges.get(type) ?? ranges.get(type.replace(/\/.*/, '/*')) ?? ranges.get('*/*') ?? 0;
}
