import { ExactDecimal, fixedText } from '../../data/contract/values/exactDecimal.ts';
import { absolute } from '../exact/decimals.ts';

/** A number of the evidence: a double, or money as decimal text. */
export type Figure = number | string;

export function decimalOf(figure: Figure): ExactDecimal {
  return typeof figure === 'number' ? ExactDecimal.fromNumber(figure) : ExactDecimal.parse(figure);
}

/** Ratio with 2 decimals; one that would print as zero and is not keeps the decimals that show it (M11.1). */
export function ratioText(ratio: Figure): string {
  return shown(decimalOf(ratio), 2);
}

/** A change of a ratio, with its sign; one that is none at 2 decimals is words (M11.8). */
export function changeText(change: Figure): string {
  const decimal = decimalOf(change);
  if (decimal.sign !== 0 && decimal.rounded(2).sign === 0) return 'hardly';
  return `${decimal.sign > 0 ? '+' : ''}${shown(decimal, 2)}`;
}

/** How a ratio moved over the week and the day, as far as they are known; null where neither is. */
export function moveText({
  week,
  day,
}: {
  readonly week: Figure | null;
  readonly day: Figure | null;
}): string | null {
  const spans = [
    { change: week, over: 'the week' },
    { change: day, over: 'the day' },
  ].flatMap(({ change, over }) => (change === null ? [] : [{ text: changeText(change), over }]));
  if (spans.length === 0) return null;
  const still = spans.filter(({ text }) => text === 'hardly').map(({ over }) => over);
  const words = spans
    .filter(({ text }) => text !== 'hardly')
    .map(({ text, over }) => `moved ${text} over ${over}`);
  if (still.length > 0) words.push(`hardly moved over ${still.join(' and ')}`);
  return words.join(' and ').replace(' and moved ', ' and ');
}

/** A change in percent, with its sign and 1 decimal. */
export function percentChangeText(percent: Figure): string {
  return `${decimalOf(percent).sign > 0 ? '+' : ''}${percentText(percent)}`;
}

/** Share of one as percent with 1 decimal. */
export function shareText(share: Figure): string {
  return percentText(decimalOf(share).times(hundred).toString());
}

/** A figure that is percent already, with 1 decimal. */
export function percentText(percent: Figure): string {
  return `${shown(decimalOf(percent), 1)} %`;
}

/** USD in billions, millions or thousands with 1 decimal, below a thousand whole. */
export function usdText(amount: Figure): string {
  const decimal = decimalOf(amount);
  const size = absolute(decimal);
  const unit = units.find(({ from }) => size.compare(from) >= 0);
  if (unit === undefined) return `USD ${groupedText(decimal, 0)}`;
  return `USD ${groupedText(decimal.times(unit.factor), 1)} ${unit.sign}`;
}

/** USD a coin, 2 decimals. */
export function priceText(price: Figure): string {
  return `USD ${shown(decimalOf(price), 2)}`;
}

/** A count or a quantity of coins, with as many decimals as it has, at most `digits`. */
export function countText(count: Figure, digits = 0): string {
  const decimal = decimalOf(count);
  return groupedText(decimal, Math.min(digits, decimal.scale));
}

/** A count with what it counts: `1 issuer`, `2 issuers`. */
export function countedText(count: number, one: string, more = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : more}`;
}

// a figure is never rounded away to zero: no move and a small one are different findings
function shown(decimal: ExactDecimal, digits: number): string {
  for (let more = digits; more < maxDigits; more += 1)
    if (decimal.sign === 0 || decimal.rounded(more).sign !== 0) return groupedText(decimal, more);
  return groupedText(decimal, maxDigits);
}

function groupedText(decimal: ExactDecimal, digits: number): string {
  const [whole = '', ...fraction] = fixedText(decimal, digits).split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
}

const maxDigits = 8;
const hundred = ExactDecimal.parse('100');
// the smallest amounts that print as 1.0 of a unit
const units = [
  { sign: 'B', from: ExactDecimal.parse('999950000'), factor: ExactDecimal.parse('0.000000001') },
  { sign: 'M', from: ExactDecimal.parse('999950'), factor: ExactDecimal.parse('0.000001') },
  { sign: 'K', from: ExactDecimal.parse('999.95'), factor: ExactDecimal.parse('0.001') },
];
