// formats of the numbers in charts, their descriptions and tables (V40); what is missing is words, never a figure

import { ExactDecimal, fixedText } from '../../../data/contract/values/exactDecimal.ts';

const space = '\u00a0';
const minus = '\u2212';

/** A ratio with two decimals: `0.36`. */
export function ratioText(value: number): string {
  return fixed(value, 2);
}

/** A stress: a ratio that is capped at 1000 and says so; what would print as none is less than the least. */
export function stressText(value: number): string {
  if (value >= 1_000) return `≥${space}1000`;
  return value > 0 && value < 0.005 ? `<${space}0.01` : fixed(value, 2);
}

/** A share in percent, 0 to 100, with one decimal: `26.3 %`. */
export function percentText(value: number): string {
  return `${fixed(value, 1)}${space}%`;
}

/** A ratio as percent: 0.2631 is `26.3 %`. */
export function ratioPercentText(value: number): string {
  return `${fixed(ExactDecimal.fromNumber(value).times(hundred), 1)}${space}%`;
}

/** A signed ratio: `+1.20`, `−0.75`. */
export function signedText(value: number): string {
  const text = fixed(value, 2);
  return text.startsWith(minus) || Number(text) === 0 ? text : `+${text}`;
}

/** US dollars in millions or billions with one decimal: `202.0 M`, `8.2 B`; what would print as none is less than the least. */
export function usdText(value: number): string {
  if (value > 0 && value < 50_000) return `<${space}0.1${space}M`;
  const amount = ExactDecimal.fromNumber(value);
  // what would print as 1000.0 M is 1.0 B
  return Math.abs(value) >= 999_950_000
    ? `${grouped(fixed(amount.times(billionth), 1))}${space}B`
    : `${fixed(amount.times(millionth), 1)}${space}M`;
}

/** A price in US dollars: from 1,000 on without decimals, else with two. */
export function priceText(value: number): string {
  return Math.abs(value) >= 999.995 ? grouped(fixed(value, 0)) : fixed(value, 2);
}

/** A count with thousands by comma. */
export function countText(value: number): string {
  return grouped(fixed(value, 0));
}

/** A number with a fixed number of decimals, rounded as every text rounds, never `−0`. */
export function fixed(value: number | ExactDecimal, decimals: number): string {
  return fixedText(value, decimals).replace('-', minus);
}

/** A text that begins a sentence or a column. */
export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const hundred = ExactDecimal.parse('100');
const millionth = ExactDecimal.parse('0.000001');
const billionth = ExactDecimal.parse('0.000000001');

function grouped(text: string): string {
  const [whole = '', ...rest] = text.split('.');
  return [whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ','), ...rest].join('.');
}
