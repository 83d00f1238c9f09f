/**
 * Picks the content coding a client accepts with the highest weight; among equals the first of `offered` wins,
 * and `identity` is the answer when nothing else is wanted (RFC 9110 §12.5.3, I9.20).
 */
export function negotiateCoding<C extends string>(
  field: string | undefined,
  offered: readonly C[],
): C | 'identity' {
  if (field === undefined || field === '') return 'identity';
  let best: C | 'identity' = 'identity';
  let bestWeight = 0;
  const weights = weightsOf(field);
  for (const coding of offered) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight > bestWeight) {
      best = coding;
      bestWeight = weight;
    }
  }
  return bestWeight > 0 && bestWeight >= (weights.get('identity') ?? 0) ? best : 'identity';
}

/** Most characters of a field that are read. */
const longestRead = 1024;

/** The weights a field gives, the greatest of each name; what is none is no entry (RFC 9110 §12.4.2). */
function weightsOf(field: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of field.slice(0, longestRead).split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const weight = parameters.find((piece) => piece.startsWith('q='))?.slice(2);
    const value = weight === undefined ? 1 : Number(weight);
    const known = name === 'x-gzip' ? 'gzip' : name;
    if (value >= 0 && value <= 1) weights.set(known, Math.max(value, weights.get(known) ?? 0));
  }
  return weights;
}

const rememberedFields = 256;
const longestRemembered = 128;

/** `negotiateCoding` over one offer that remembers the short fields it saw: most clients send one of a few. */
export function codingNegotiator<C extends string>(
  offered: readonly C[],
): (field: string | undefined) => C | 'identity' {
  const known = new Map<string, C | 'identity'>();
  return (field) => {
    if (field === undefined) return 'identity';
    const hot = known.get(field);
    if (hot !== undefined) return hot;
    const coding = negotiateCoding(field, offered);
    if (known.size >= rememberedFields) known.clear();
    if (field.length <= longestRemembered) known.set(field, coding);
    return coding;
  };
}

/** Whether `Accept`, when it says anything, admits a type by its most specific range. */
export function admits(field: string | undefined, type: string): boolean {
  return field === undefined || field.trim() === '' || weightOf(type, weightsOf(field)) > 0;
}

/**
 * Whether a client wants a page rather than JSON: HTML has a higher weight in `Accept` than JSON, each by its most
 * specific range (RFC 9110 §12.5.1). Without the field, and where both weigh the same, it is JSON.
 */
export function prefersHtml(field: string | undefined): boolean {
  if (field === undefined) return false;
  const ranges = weightsOf(field);
  return weightOf('text/html', ranges) > weightOf('application/json', ranges);
}

function weightOf(type: string, ranges: ReadonlyMap<string, number>): number {
  return ranges.get(type) ?? ranges.get(type.replace(/\/.*/, '/*')) ?? ranges.get('*/*') ?? 0;
}
