/** One page of a list of a bucket. */
export type S3Listing = {
  /** Keys and common prefixes, decoded. */
  readonly keys: readonly string[];
  /** Where the next page begins; null on the last. */
  readonly next: string | null;
};

/** Reads a page of ListObjectsV2 with `encoding-type=url`; null when the text is none. */
export function s3Listing(text: string): S3Listing | null {
  if (!/<ListBucketResult[\s>]/.test(text) || !text.trimEnd().endsWith('</ListBucketResult>')) return null;
  const isTruncated = xmlValue(text, 'IsTruncated') === 'true';
  const token = xmlValue(text, 'NextContinuationToken');
  if (isTruncated && (token === null || token === '')) return null;
  const keys: string[] = [];
  for (const [element, name] of entries) {
    for (const content of elements(text, element)) {
      const value = content === null ? null : xmlValue(content, name);
      const key = value === null ? null : decoded(value);
      if (key === null) return null;
      keys.push(key);
    }
  }
  return { keys, next: isTruncated ? token : null };
}

const entries = [
  ['Contents', 'Key'],
  ['CommonPrefixes', 'Prefix'],
] as const;

/** What stands in each element of a name; null for one that does not end. */
function* elements(text: string, name: string): Generator<string | null> {
  const [open, close] = [`<${name}>`, `</${name}>`];
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at)) {
    const end = text.indexOf(close, at);
    yield end < 0 ? null : text.slice(at + open.length, end);
    if (end < 0) return;
    at = end + close.length;
  }
}

/** Text of the first element of a name; null when there is none. */
export function xmlValue(text: string, name: string): string | null {
  const value = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  return value === undefined ? null : plain(value);
}

function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function plain(value: string): string {
  return value
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
