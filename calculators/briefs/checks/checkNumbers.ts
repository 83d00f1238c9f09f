import type { BriefViolation, Checked, EvidenceFacts, PrintedNumbers } from './briefText.ts';

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
  const unknown = numberTokens(claims, facts).filter(({ text }) => !isPrinted(text, facts.numbers));
  return [...unknownDates, ...unknown.map(({ text }) => text)].map((text) => ({
    rule: 'c' as const,
    message: `${text} is no number of the evidence`,
  }));
}

/** The numbers of a text that have to be of the evidence, in its order; ordinals are checked against their ranks. */
export function numberTokens(
  claims: string,
  { stated }: Pick<EvidenceFacts, 'stated'>,
): { readonly text: string; readonly at: number }[] {
  const blank = (found: string) => ' '.repeat(found.length);
  const bare = claims
    .replaceAll(isoDate, blank)
    .replaceAll(formName, blank)
    .replaceAll(/^\d+\. /gm, blank);
  return (
    [...bare.matchAll(numberToken)]
      .map((match) => ({ text: match[0].trim().replace(/,+$/, ''), at: match.index }))
      // an issuer without a ticker stands under its CIK
      .filter(({ text }) => !stated.has(text) && !shockLevels.has(text.replace('\u00a0', ' ')))
  );
}

/** True when one of the numbers prints like this text. */
export function isPrinted(text: string, numbers: PrintedNumbers): boolean {
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
  if (unit === '' && digits === 0 && !text.includes('$')) return numbers.isCount(units);
  if (numbers.printsAs({ units, digits, exponent })) return true;
  return unit === '%' && numbers.printsAs({ units, digits, exponent: -2 });
}
