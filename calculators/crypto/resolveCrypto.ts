import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import {
  type AssetsSide,
  type FaceLine,
  faceAssets,
  linkbaseAssets,
  unnamedAssets,
} from '../assets/assetsSide.ts';
import { isJoinedName, readsAsCoins } from '../assets/classifyCoins.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import { conceptWords, isStandard } from '../network/conceptNames.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { TrailRung } from '../trail/resolutionTrail.ts';
import { absentCoins } from './absentCoins.ts';
import type { CoinFact } from './coinFacts.ts';
import { type CoinsWalk, coinRungs, coinsWalk, walkedCoins } from './coinsWalk.ts';
import { type CryptoHoldings, type CryptoInputs, coinRoot, noHoldings } from './cryptoHoldings.ts';
import { isRounded, measuredAtFairValue } from './fairValues.ts';
import { priceCheck } from './priceCheck.ts';
import { coinsAmongIntangibles, taggedCoins } from './taggedCoins.ts';

/**
 * Resolves coins: the walk of the assets side, by the filing's linkbase or by document order, the fair-value tags, the
 * intangible line, an amount of the notes that is a line (M2.3–M2.6), else a zero that is proven, else nothing that may
 * be relied on (M3.3b). Coins at cost are taken at the fair value that the filing discloses (M2.15).
 */
export function resolveCrypto(inputs: CryptoInputs): CryptoHoldings {
  return atDisclosedValue(inputs, carriedCoins(inputs));
}

/** The coins as the balance sheet carries them, or by M2.6. */
function carriedCoins(inputs: CryptoInputs): CryptoHoldings {
  const linkbase = attempt(inputs, [linkbaseAssets(inputs.networks, inputs)]);
  if (linkbase.kind === 'found') return linkbase.holdings;
  const readings = faceAssets(inputs.face, inputs);
  const face = attempt(inputs, 'reason' in readings ? [readings] : readings);
  const refused: TrailRung = { rung: coinRungs.linkbase, taken: false, reason: linkbase.reason };
  if (face.kind === 'found') {
    return { ...face.holdings, rungs: [refused, ...face.holdings.rungs] };
  }
  const side = face.side ?? linkbase.side;
  const found = taggedCoins(inputs) ?? tiedCoins(inputs, side) ?? absentCoins(inputs, { side, face });
  const rejected: TrailRung = { rung: coinRungs.face_order, taken: false, reason: face.reason };
  return {
    ...found,
    notes: [...found.notes, ...(face.isAmbiguous ? ['face_order_ambiguous:assets'] : [])],
    rungs: [refused, rejected, ...found.rungs],
  };
}

type Attempt =
  | { readonly kind: 'found'; readonly holdings: CryptoHoldings }
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** The side that was read and has no coin line; null when there is none. */
      readonly side: AssetsSide | null;
      readonly isAmbiguous: boolean;
    };

/** Walks every reading of the side; readings that find other coins prove none (M1.24c 5). */
function attempt(
  inputs: CryptoInputs,
  sides: readonly (AssetsSide | { readonly reason: string })[],
): Attempt {
  const { concepts } = inputs.parameters;
  const intangibles = coinsAmongIntangibles(inputs) === null ? null : concepts.intangibleCoins;
  const read = sides.map((side) =>
    'reason' in side
      ? { side: null, walk: { kind: 'refused' as const, reason: side.reason } }
      : { side, walk: coinsWalk({ side, intangibles, concepts }) },
  );
  const [first] = read;
  if (first === undefined)
    return { kind: 'refused', reason: 'it has no reading', side: null, isAmbiguous: false };
  const isAmbiguous = new Set(read.map(({ walk }) => rootsOf(walk))).size > 1;
  if (isAmbiguous) {
    const reason = 'the order of its lines can be read with different coins';
    return { kind: 'refused', reason, side: null, isAmbiguous };
  }
  const { side, walk } = first;
  if (side !== null && walk.kind === 'walked') {
    return { kind: 'found', holdings: walkedCoins(inputs, { walk, side }) };
  }
  const reason = walk.kind === 'refused' ? walk.reason : 'it has no lines';
  return { kind: 'refused', reason, side, isAmbiguous };
}

function rootsOf(walk: CoinsWalk): string {
  if (walk.kind === 'refused') return walk.reason;
  return walk.roots
    .map(({ concept, value }) => `${concept}=${value}`)
    .sort()
    .join(' ');
}

/** An amount of the notes that the face has under another name (M2.3b). */
function tiedCoins(inputs: CryptoInputs, side: AssetsSide | null): CryptoHoldings | null {
  if (side === null) return null;
  const tied = coinsInLines(side, inputs);
  if (tied === null) return null;
  const { amount, concept, lines } = tied;
  const names = lines.map((line) => line.concept).join('+');
  return {
    ...noHoldings,
    amount,
    carried: amount,
    measurement: measuredAtFairValue(inputs, amount) ? 'fair_value' : 'carrying_lower_bound',
    unnamed: sumOf(
      unnamedAssets(
        side,
        lines.map((line) => line.concept),
        inputs.parameters.concepts,
      ),
    ),
    doubtful: isJoinedName(concept, inputs.parameters.concepts) ? amount : ExactDecimal.zero,
    notes: [`coins_in_lines:${names}`],
    rungs: [
      { rung: 'coins_in_lines', taken: true, reason: `${concept} = ${amount} is ${names} of the face` },
    ],
    roots: [
      coinRoot(inputs.sheet, {
        concept,
        value: amount,
        rung: 'coins_in_lines',
        reason: 'an amount of the notes that equals lines of the face',
      }),
    ],
  };
}

/** An amount of the notes that is exactly one line of the face, or the sum of a few (M2.3b). */
type CoinsInLines = {
  readonly concept: string;
  readonly amount: ExactDecimal;
  readonly lines: readonly FaceLine[];
};

/** Lines that cannot include coins. */
const otherAssets = /(debt|cash|propert|equipment|receivable|prepaid|inventor|goodwill|lease|deposit)/i;
/** Figures about coins that are no balance of them. */
const notABalance =
  /(cost|impairment|per(bit)?coin|average|gain|loss|commitment|collateral|fee|compensation|purchase|sale|customer)/i;

/**
 * The coin amount of the notes that the face proves without naming it: CLSK 2024-03-31 states `BitcoinsValue`
 * 357,981,000, and its face has `OtherAssetsCurrent` 357,981,000 (M2.3b). null when none or more than one fits.
 */
function coinsInLines(
  side: AssetsSide,
  { sheet, parameters }: { sheet: FactSheet; parameters: Pick<Parameters, 'concepts' | 'noteToFaceLines'> },
): CoinsInLines | null {
  const lines = side.lines.filter(({ concept, value }) => value.sign > 0 && !otherAssets.test(concept));
  const notes = coinNotes(sheet, parameters.concepts);
  const found = notes.flatMap(({ concept, amount }) =>
    combinations(lines, parameters.noteToFaceLines)
      .filter((some) => sumOf(some.map(({ value }) => value)).equals(amount))
      .map((some): CoinsInLines => ({ concept, amount, lines: some })),
  );
  const [first, ...others] = found;
  // one note under two names is one amount
  const isOnly = others.every(
    (other) => other.amount.equals(first?.amount ?? other.amount) && isSame(first, other),
  );
  return first !== undefined && isOnly ? first : null;
}

function isSame(a: CoinsInLines | undefined, b: CoinsInLines): boolean {
  const names = (some: CoinsInLines | undefined) =>
    (some?.lines ?? []).map(({ concept }) => concept).join(' ');
  return names(a) === names(b);
}

function coinNotes(sheet: FactSheet, concepts: Concepts): { concept: string; amount: ExactDecimal }[] {
  const own = sheet.facts
    .filter(({ unit, start, end }) => unit === 'USD' && start === null && end === sheet.period)
    .map(qualifiedName)
    .filter((concept) => readsAsCoins(concept, concepts) && !notABalance.test(concept) && !isParent(concept));
  return [...new Set(own)].sort(compareText).flatMap((concept) => {
    const amount = sheet.positive(concept);
    return amount === null ? [] : [{ concept, amount }];
  });
}

/** Standard tags are the ladder's own steps; only the plain total can be a note of its own (M2.3b). */
function isParent(concept: string): boolean {
  return isStandard(concept) && concept !== 'us-gaap:CryptoAssetFairValue';
}

function combinations(lines: readonly FaceLine[], most: number): FaceLine[][] {
  const grow = (from: number, picked: readonly FaceLine[]): FaceLine[][] => {
    if (picked.length === most) return [];
    return lines.slice(from).flatMap((line, i) => {
      const next = [...picked, line];
      return [next, ...grow(from + i + 1, next)];
    });
  };
  return grow(0, []);
}

/** A fair value of coins as a whole, named so by the filer; not what coins changed hands or were written down at. */
const namesFairValue = /(fair|market)_?value/i;

/**
 * Coins at cost at the fair value that the same filing discloses for them (M2.15); the same holdings where it discloses
 * none, several, one below the cost or one that its own units contradict. The balance sheet carries the cost (M3.12).
 */
function atDisclosedValue(inputs: CryptoInputs, holdings: CryptoHoldings): CryptoHoldings {
  if (holdings.measurement !== 'carrying_lower_bound' || !holdings.isProven || holdings.doubtful.sign > 0)
    return holdings;
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
  return {
    ...holdings,
    amount: only.value,
    measurement: 'fair_value_disclosed',
    rungs: [...holdings.rungs, { rung, taken: true, reason }],
    roots: [coinRoot(inputs.sheet, { ...only, rung, reason: 'the fair value that the filing discloses' })],
  };
}

type Disclosed = { readonly concept: string; readonly value: ExactDecimal };

/** Amounts under a coin's name with a fair value, of the whole entity at the period end; a rounded one is its finer twin. */
function disclosedValues({ sheet, parameters }: CryptoInputs): readonly Disclosed[] {
  const { concepts } = parameters;
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
      !found.some((other) => isRounded(value, other.value, parameters)) &&
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
