import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

// Numbers as filers print them, read exactly.

/** A number of a cell or sentence. */
export type FiledNumber = {
  readonly value: ExactDecimal;
  readonly isMoney: boolean;
  readonly isPercent: boolean;
  /** The scale word behind it, `million`; null for none. */
  readonly scale: string | null;
  /** Words behind number and scale, `MSTR Shares`. */
  readonly words: string;
};

const scales: Readonly<Record<string, string>> = {
  thousand: '1000',
  thousands: '1000',
  million: '1000000',
  millions: '1000000',
  mm: '1000000',
  '000': '1000',
  '000s': '1000',
  m: '1000000',
  billion: '1000000000',
  billions: '1000000000',
  trillion: '1000000000000',
};

const figure =
  /^(-?\(?-?)([$₿]?) ?(-?)(\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(\.\d{1,12})?( ?%)?\)?(?: ?(thousand|million|billion|trillion|mm)s?\b)?((?: [A-Za-z][\w'&./-]{0,20}){0,3})\*?$/i;
const dash = /^\(?\$? ?(?:-|--|---)\)?$/;

/** The number a cell is; null where it is none, is longer than numbers are, or is a dash. */
export function parseFigure(text: string): FiledNumber | null {
  if (text.length > 60) return null;
  const match = figure.exec(text.trim());
  if (match === null) return null;
  const [, sign = '', currency = '', minus = '', whole = '', fraction = '', percent = '', scale, tail = ''] =
    match;
  const plain = ExactDecimal.parse(whole.replaceAll(',', '') + fraction);
  const scaled = scale === undefined ? plain : plain.times(scaleOf(scale));
  const isNegative = sign.includes('(') || sign.includes('-') || minus === '-';
  return {
    value: isNegative ? scaled.negated() : scaled,
    isMoney: currency === '$',
    isPercent: percent !== '',
    scale: scale?.toLowerCase() ?? null,
    words: tail.trim(),
  };
}

/** True for a number, with or without currency, scale and up to three words (M17.4). */
export function isFigure(text: string): boolean {
  return parseFigure(text) !== null;
}

/** `-`, `--`, `$-`: zero for flows, nothing for stocks. */
export function isDash(text: string): boolean {
  return dash.test(text.trim());
}

/** The factor a scale word stands for. */
export function scaleOf(word: string): ExactDecimal {
  return ExactDecimal.parse(scales[word.toLowerCase()] ?? '1');
}

const currency = '(?:us ?\\$|u\\.s\\. ?(?:dollars?|\\$)?|usd|\\$|dollars?)';
const headerScale = new RegExp(
  [
    `\\((?:amounts? )?(?:in )?${currency}?,? ?(?:in )?(?:${currency} ?)?(thousands?|millions?|billions?|000s?)\\b`,
    `\\(${currency} ?(mm?)\\)`,
    "\\bin (thousands|millions|billions)\\b|'000s?",
  ].join('|'),
  'i',
);

/** The scale a header states, `(in millions)`; 1 for none. */
export function headerScaleOf(text: string): ExactDecimal {
  const match = headerScale.exec(text.slice(0, 400));
  if (match === null) return ExactDecimal.parse('1');
  return scaleOf(match[1] ?? match[2] ?? match[3] ?? 'thousand');
}

/** Digits with groups of three, without sign or currency. */
export function parsePlain(text: string): ExactDecimal {
  return ExactDecimal.parse(text.replaceAll(',', ''));
}
