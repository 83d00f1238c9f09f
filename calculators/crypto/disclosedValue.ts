import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { readsAsCoins } from '../assets/classifyCoins.ts';
import { closeTo } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import { qualifiedName } from '../filing/factSheet.ts';
import { conceptWords } from '../network/conceptNames.ts';
import { trailFact } from '../trail/trailFact.ts';
import type { CoinFact } from './coinFacts.ts';
import type { CryptoHoldings, CryptoInputs } from './cryptoHoldings.ts';
import { isRounded } from './fairValues.ts';
import { priceCheck } from './priceCheck.ts';

/** A fair value of coins as a whole, named so by the filer; not what coins changed hands or were written down at. */
const namesFairValue = /(fair|market)_?value/i;

/**
 * Coins at cost at the fair value that the same filing discloses for them (M2.15); the same holdings where it discloses
 * none, several, one below the cost or one that its own units contradict. The balance sheet carries the cost (M3.12).
 */
export function atDisclosedValue(inputs: CryptoInputs, holdings: CryptoHoldings): CryptoHoldings {
  if (holdings.measurement !== 'carrying_lower_bound' || !holdings.isProven) return holdings;
  const disclosed = disclosedValues(inputs);
  const [only] = disclosed;
  if (only === undefined) return holdings;
  const problem =
    disclosed.length > 1 ? 'several are disclosed' : problemOf(only.value, { inputs, holdings });
  const rung = 'fair_value_disclosed';
  if (problem !== null) {
    const reason = `${only.concept} = ${only.value}, but ${problem}`;
    return { ...holdings, rungs: [...holdings.rungs, { rung, taken: false, reason }] };
  }
  const reason = `${only.concept} = ${only.value} of coins carried at ${holdings.carried}`;
  const fact = trailFact(inputs.sheet, only.concept, 1);
  return {
    ...holdings,
    amount: only.value,
    measurement: 'fair_value_disclosed',
    rungs: [...holdings.rungs, { rung, taken: true, reason }],
    roots: [
      {
        kind: 'root',
        bucket: 'T',
        concept: only.concept,
        value: only.value,
        weight: 1,
        parent: null,
        role: null,
        rung,
        reason: 'the fair value that the filing discloses',
        children: fact === null ? [] : [fact],
      },
    ],
  };
}

type Disclosed = { readonly concept: string; readonly value: ExactDecimal };

/** Amounts under a coin's name with a fair value, of the whole entity at the period end; a rounded one is its finer twin. */
function disclosedValues({ sheet, parameters }: CryptoInputs): readonly Disclosed[] {
  const { concepts, identityTolerance } = parameters;
  const isTwin = (coarse: ExactDecimal, fine: ExactDecimal) =>
    isRounded(coarse, fine) && closeTo(coarse, fine, identityTolerance);
  const names = sheet.facts
    .filter(({ unit, start, end }) => unit === 'USD' && start === null && end === sheet.period)
    .map(qualifiedName)
    .filter((concept) => namesFairValue.test(concept) && readsAsCoins(concept, concepts))
    .filter((concept) =>
      conceptWords(concept).every(
        (text) => !concepts.hasWord(text, 'not a holding') && !concepts.hasWord(text, 'figure about coins'),
      ),
    );
  const found = [...new Set(names)].flatMap((concept) => {
    const value = sheet.positive(concept);
    return value === null ? [] : [{ concept, value }];
  });
  return found.filter(
    ({ value }, i) =>
      !found.some((other) => isTwin(value, other.value)) &&
      found.findIndex((other) => other.value.equals(value)) === i,
  );
}

/** Why a disclosed value is not that of the coins carried; null where nothing speaks against it. */
function problemOf(
  value: ExactDecimal,
  { inputs, holdings }: { inputs: CryptoInputs; holdings: CryptoHoldings },
): string | null {
  if (value.compare(holdings.carried) < 0) return `coins are carried at ${holdings.carried}`;
  const assets = inputs.sheet.amount('us-gaap:Assets') ?? inputs.sheet.amount('ifrs-full:Assets');
  if (assets === null) return 'total assets are not filed';
  const moved = assets.plus(value.minus(holdings.carried));
  if (value.compare(moved) > 0) return `assets with it are ${moved}`;
  return doUnitsFit(value, inputs) ? null : 'the units filed are worth another amount';
}

/** False where quantities are filed that can be priced and neither a whole one nor the sum over coins fits (M2.9). */
function doUnitsFit(
  fairValue: ExactDecimal,
  { issuer, facts, prices, sheet, parameters }: CryptoInputs,
): boolean {
  const closeOf = ({ asset }: CoinFact) =>
    prices.close(asset ?? issuer.primaryAsset ?? '', sheet.period)?.close;
  const fits = (quantity: ExactDecimal, close: number) =>
    priceCheck({ fairValue, quantity, close, parameters }).verdict !== 'reject';
  const whole = (facts?.quantities ?? []).flatMap((held) => {
    const close = closeOf(held);
    return close === undefined ? [] : [fits(held.value, close)];
  });
  const split = facts?.quantitiesByAsset ?? [];
  const worth = split.flatMap((held) => {
    const close = closeOf(held);
    return close === undefined ? [] : [held.value.times(ExactDecimal.fromNumber(close))];
  });
  const sums = worth.length > 0 && worth.length === split.length ? [fits(sumOf(worth), 1)] : [];
  const tested = [...whole, ...sums];
  return tested.length === 0 || tested.includes(true);
}
