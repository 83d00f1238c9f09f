export const xbrliNamespace = 'http://www.xbrl.org/2003/instance';
export const linkNamespace = 'http://www.xbrl.org/2003/linkbase';
export const xlink = 'http://www.w3.org/1999/xlink';
export const xbrldi = 'http://xbrl.org/2006/xbrldi';
export const xsi = 'http://www.w3.org/2001/XMLSchema-instance';
export const xsd = 'http://www.w3.org/2001/XMLSchema';
export const xml = 'http://www.w3.org/XML/1998/namespace';
export const iso4217 = 'http://www.xbrl.org/2003/iso4217';

const fixed: ReadonlyMap<string, string> = new Map([
  [xbrliNamespace, 'xbrli'],
  [linkNamespace, 'link'],
  [xsd, 'xs'],
  [iso4217, 'iso4217'],
  ['http://www.xbrl.org/2009/utr', 'utr'],
  ['http://xbrl.org/2005/xbrldt', 'xbrldt'],
  ['http://www.xbrl.org/dtr/type/numeric', 'num'],
  ['http://www.xbrl.org/dtr/type/non-numeric', 'nonnum'],
  ['http://xbrl.org/2014/extensible-enumerations', 'enum'],
  ['http://xbrl.org/2020/extensible-enumerations-2.0', 'enum2'],
]);

// http://fasb.org/us-gaap/2024, http://xbrl.us/us-gaap/2009-01-31, http://xbrl.sec.gov/dei/2021q4
const datedNamespace =
  /^https?:\/\/(?:www\.)?(?:fasb\.org|xbrl\.us|xbrl\.sec\.gov)\/([a-z][a-z0-9-]*)\/\d{4}(?:q\d)?(?:-\d\d-\d\d)?$/;
const ifrsNamespace = /^https?:\/\/xbrl\.ifrs\.org\/taxonomy\/\d{4}-\d\d-\d\d\/(ifrs-[a-z]+|ifrs)$/;
const dataTypes = /^https?:\/\/www\.xbrl\.org\/dtr\/type\/\d{4}-\d\d-\d\d$/;

/** Customary prefix of a standard namespace, dated versions alike; null for any other. */
export function standardPrefix(uri: string): string | null {
  const known = fixed.get(uri);
  if (known !== undefined) return known;
  if (dataTypes.test(uri)) return 'dtr-types';
  return datedNamespace.exec(uri)?.[1] ?? ifrsNamespace.exec(uri)?.[1] ?? null;
}

const standardPrefixes: ReadonlySet<string> = new Set([
  ...fixed.values(),
  'dtr-types',
  'us-gaap',
  'us-types',
  'us-roles',
  'srt',
  'srt-types',
  'dei',
  'ecd',
  'cyd',
  'country',
  'currency',
  'exch',
  'invest',
  'naics',
  'sic',
  'stpr',
  'rr',
  'cef',
  'oef',
  'vip',
  'fnd',
  'spac',
  'shr',
  'ffd',
  'ifrs-full',
  'ifrs',
]);

/** Whether a filing's own namespace may not be called this. */
export function isStandardPrefix(prefix: string): boolean {
  return standardPrefixes.has(prefix);
}
