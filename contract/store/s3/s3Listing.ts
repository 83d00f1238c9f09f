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
  if (isTruncated && token === null) return null;
  const keys: string[] = [];
  for (const [, , name = ''] of text.matchAll(entry)) {
    const key = decoded(name);
    if (key === null) return null;
    keys.push(key);
  }
  return { keys, next: isTruncated ? token : null };
}

const entry =
  /<(Contents|CommonPrefixes)>(?:(?!<\/\1>)[\s\S])*?<(?:Key|Prefix)>([^<]*)<\/(?:Key|Prefix)>(?:(?!<\/\1>)[\s\S])*<\/\1>/g;

/** Text of the first element of a name; null when there is none. */
export function xmlValue(text: string, name: string): string | null {
  const value = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  return value === undefined ? null : plain(value);
}

function decoded(value: string): string | null {
  try {
    return decodeURIComponent(plain(value).replaceAll('+', ' '));
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
