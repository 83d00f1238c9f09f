import type { BriefViolation, Checked } from './briefText.ts';

/** A number with its sign, separators and unit (M11.2). */
const numberToken = /(?<![\w.])[-+−]?\$?\d[\d,]*(?:\.\d+)?(?:\s?(?:%|x|bn|M|B|K)(?![A-Za-z]))?/g;
const formName =
  /\b(?:10-[KQ]T?|20-F|40-F|6-K|8-K|11-K|S-\d{1,2}|F-\d{1,2}|424B\d|SC 13[DG]|13F-HR|DEF 14A)(?:\/A)?(?![\w-])/g;
const isoDate = /(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-])/g;
const shockLevels: ReadonlySet<string> = new Set(['30 %', '50 %', '70 %', '30%', '50%', '70%']);
const exponents: Readonly<Record<string, number>> = { bn: 9, B: 9, M: 6, K: 3 };

/** Every number, date and form of the text is one of the evidence at the precision it is printed with (I2.44). */
export function checkNumbers({ claims, facts }: Checked): BriefViolation[] {
  const unknownDates = (claims.match(isoDate) ?? []).filter((date) => !facts.dates.has(date));
  // an ordinal is checked against its rank, not here
  const bare = claims
    .replaceAll(isoDate, ' ')
    .replaceAll(formName, ' ')
    .replaceAll(/^\d+\. /gm, '');
  const unknown = [...bare.matchAll(numberToken)].filter(([token]) => !isKnown(token, facts));
  return [...unknownDates, ...unknown.map(([token]) => token)].map((token) => ({
    rule: 'c' as const,
    message: `${token.trim()} is no number of the evidence`,
  }));
}

function isKnown(token: string, facts: Checked['facts']): boolean {
  const text = token.trim();
  // an issuer without a ticker stands under its CIK
  if (facts.stated.has(text)) return true;
  if (shockLevels.has(text.replace('\u00a0', ' '))) return true;
  const unit = /(%|x|bn|M|B|K)$/.exec(text)?.[1] ?? '';
  const [whole = '', fraction = ''] = text
    .slice(0, text.length - unit.length)
    .trim()
    .replaceAll(/[$,+]/g, '')
    .replace('−', '-')
    .split('.');
  const units = BigInt(whole + fraction);
  const digits = fraction.length;
  const exponent = exponents[unit] ?? 0;
  if (unit === '' && digits === 0 && !text.includes('$')) return facts.isCount(units);
  if (facts.printsAs({ units, digits, exponent })) return true;
  return unit === '%' && facts.printsAs({ units, digits, exponent: -2 });
}
