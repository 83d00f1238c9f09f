import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type AssetsSide, type FaceLine, gapNotes, unnamedAssets } from '../assets/assetsSide.ts';
import { isBalanceOfCoins, isDoubtfulName, namesAnyCoins, readsAsCoins } from '../assets/classifyCoins.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import { assetsConcepts, conceptWords, liabilitiesAndEquityConcepts } from '../network/conceptNames.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { TrailRung } from '../trail/resolutionTrail.ts';
import { type CryptoHoldings, type CryptoInputs, coinRoot, noHoldings } from './cryptoHoldings.ts';
import { measuredAtFairValue, statedFairValues } from './fairValues.ts';

/**
 * No amount was found: a zero where that is proven, else a gap, of which lines with a coin's name are the proven part, with
 * what the filing states (M3.3b). An order that can be read with different coins proves none of them.
 */
export function absentCoins(
  inputs: CryptoInputs,
  read: {
    readonly side: AssetsSide | null;
    readonly face: { readonly reason: string; readonly isAmbiguous: boolean };
  },
): CryptoHoldings {
  const stated = statedCoins(inputs);
  const lines = read.face.isAmbiguous || read.side?.closes === true ? null : provenLines(inputs);
  if (lines !== null) {
    const isLarger = stated !== null && stated.largest.compare(lines.amount) > 0;
    return {
      ...lines,
      notes: [`crypto_unproven:${isLarger ? stated.largest : lines.amount}`],
      rungs: [...noAmount, ...lines.rungs],
    };
  }
  const absence = provenAbsence(inputs, stated, { side: read.side, reason: read.face.reason });
  const isProven = absence.kind === 'proven';
  return {
    ...noHoldings,
    isProven,
    notes: isProven
      ? [...unnamedNotes(absence.unnamed), ...(read.side === null ? [] : gapNotes(read.side))]
      : [`crypto_unproven:${stated?.largest ?? 0}`],
    rungs: [...noAmount, { rung: 'proven_absence', taken: isProven, reason: absence.reason }],
  };
}

const noAmount: readonly TrailRung[] = [
  { rung: 'fair_value_tags', taken: false, reason: 'no fair-value tag is filed above zero' },
  { rung: 'intangible_line', taken: false, reason: 'no intangible line that M2.6 reads as coins' },
];

function unnamedNotes(amount: ExactDecimal): string[] {
  return amount.sign > 0 ? [`unnamed_assets:${amount}`] : [];
}

/** Classes whose business is coins: facts of the entity alone never prove that they hold none (M3.3b). */
const coinClasses = ['crypto_treasury', 'miner', 'exchange_or_custodian', 'crypto_financial'];

/** What is owned, and the same from the other side. */
const totals = [...assetsConcepts, ...liabilitiesAndEquityConcepts];

/** What proves that an issuer without a coin amount holds no coins, or why nothing does (M3.3b). */
type Absence =
  | {
      readonly kind: 'proven';
      readonly reason: string;
      /** Asset lines whose names do not say what they are, too small to be the coins of a treasury (M2.4d). */
      readonly unnamed: ExactDecimal;
    }
  | { readonly kind: 'unproven'; readonly reason: string };

/**
 * A missing amount is not a zero: the assets must add up without a coin line, or the issuer must be one that has no
 * business with coins, and the filing must not name coins anywhere (M3.3b). Assets that add up prove that nothing is
 * missing, not what a line is: lines without a name are compared with the coins the filing names (M2.4d).
 */
function provenAbsence(
  inputs: CryptoInputs,
  stated: StatedCoins | null,
  /** A side that was read and has no coin line, or why there is none. */
  { side, reason }: { readonly side: AssetsSide | null; readonly reason: string },
): Absence {
  const { issuer, sheet, parameters } = inputs;
  if (stated !== null) {
    const amount = stated.largest.sign > 0 ? `${stated.largest} in coins` : 'quantities of coins';
    return { kind: 'unproven', reason: `the filing states ${amount} that no line of the face holds` };
  }
  const isEmpty = totals.some((total) => sheet.isNil(total) || sheet.amount(total)?.sign === 0);
  const nothing = { kind: 'proven', unnamed: ExactDecimal.zero } as const;
  if (isEmpty) return { ...nothing, reason: 'there are no assets' };
  if (!coinClasses.includes(issuer.issuerClass ?? '')) {
    return { ...nothing, reason: 'nothing filed speaks of coins, and they are not its business' };
  }
  if (side === null) return { kind: 'unproven', reason };
  if (!side.closes) return { kind: 'unproven', reason: `${side.start} does not add up` };
  const unnamed = sumOf(unnamedAssets(side, [], parameters.concepts));
  const assets = side.sheet.amount(side.start) ?? ExactDecimal.zero;
  const isAbove = (share: number) => unnamed.compare(assets.times(ExactDecimal.fromNumber(share))) > 0;
  const { coinEvidenceOfAssets: noticed, treasuryRelevance: large } = parameters;
  if (isAbove(namesAnyCoins(inputs) ? noticed : large.core)) {
    return { kind: 'unproven', reason: `names of ${unnamed} of the assets do not say what they are` };
  }
  return {
    kind: 'proven',
    reason: `${side.start} adds up without a line of coins`,
    unnamed: isAbove(large.material) ? unnamed : ExactDecimal.zero,
  };
}

/** Coins a filing names although no line of its balance sheet includes them. */
type StatedCoins = {
  /** The largest amount in USD; zero where it states quantities only. */
  readonly largest: ExactDecimal;
};

/**
 * The coin amounts and quantities of a filing at the period end, in lines and notes, for the whole entity and by
 * member; null when they stay below the share of assets that would matter (M3.3b).
 */
function statedCoins({ issuer, sheet, filing, facts, prices, parameters }: CryptoInputs): StatedCoins | null {
  const { concepts } = parameters;
  const assets = sheet.firstAmount(assetsConcepts) ?? ExactDecimal.zero;
  const floor = assets.times(ExactDecimal.fromNumber(parameters.coinEvidenceOfAssets));
  const matters = (amount: ExactDecimal) => amount.compare(floor) > 0;
  const amounts = [
    ...coinAmounts(sheet, concepts),
    ...coinAmountsByMember(filing, { period: sheet.period, concepts }),
    ...statedFairValues({ sheet, filing, parameters }),
  ];
  const largest = amounts.reduce((a, b) => (b.compare(a) > 0 ? b : a), ExactDecimal.zero);
  if (matters(largest)) return { largest };
  const quantities = [...(facts?.quantities ?? []), ...(facts?.quantitiesByAsset ?? [])];
  const isHeld = quantities.some(({ value, asset }) => {
    const close = prices.close(asset ?? issuer.primaryAsset ?? '', sheet.period);
    // a quantity without a price is one that may be anything
    return value.sign > 0 && (close === null || matters(value.times(ExactDecimal.fromNumber(close.close))));
  });
  return isHeld ? { largest } : null;
}

function coinAmounts(sheet: FactSheet, concepts: Concepts): ExactDecimal[] {
  return sheet.facts
    .filter(({ unit, start, end }) => unit === 'USD' && start === null && end === sheet.period)
    .filter((fact) => readsAsCoins(qualifiedName(fact), concepts))
    .map(({ value }) => value);
}

function coinAmountsByMember(
  filing: XbrlFiling | null,
  { period, concepts }: { readonly period: string; readonly concepts: Concepts },
): ExactDecimal[] {
  return (filing?.facts ?? [])
    .filter(({ unit, start, end }) => unit === 'USD' && start === null && end === period)
    .filter(({ concept, dimensions }) => dimensions.length > 0 && readsAsCoins(concept, concepts))
    .flatMap(({ value }) => (value === null ? [] : [value]));
}

/** Coins shown as a part of a line may stand inside it: they count where no other line names coins. */
const part = /restricted|pledg|collateral|lock/;

/**
 * Lines before total assets, in document order, that have a coin's name (M3.3b): what the face proves of the coins although
 * its lines do not add up. An amount that repeats the sum of the lines before it is their total.
 */
function coinLines({ sheet, filing, parameters: { concepts } }: CryptoInputs): readonly FaceLine[] {
  const ofEntity = (filing?.facts ?? [])
    .filter(({ dimensions, unit, start, end }) => {
      return dimensions.length === 0 && unit === 'USD' && start === null && end === sheet.period;
    })
    .flatMap(({ concept, position }) => (position === undefined ? [] : [{ concept, position }]))
    .toSorted((a, b) => a.position - b.position);
  const total = ofEntity.findIndex(({ concept }) => assetsConcepts.some((assets) => assets === concept));
  const named = new Set(ofEntity.slice(0, Math.max(total, 0)).map(({ concept }) => concept));
  const lines: FaceLine[] = [];
  for (const concept of named) {
    const isNamed = isBalanceOfCoins(concept, concepts) && !isDoubtfulName(concept, concepts);
    const value = isNamed ? sheet.positive(concept) : null;
    if (value === null) continue;
    const isRepeated = lines.some((line) => line.value.equals(value)) || sumOf(values(lines)).equals(value);
    if (!isRepeated) lines.push({ concept, value });
  }
  const whole = lines.filter(({ concept }) => !conceptWords(concept).some((text) => part.test(text)));
  return whole.length > 0 ? whole : lines;
}

function values(lines: readonly FaceLine[]): ExactDecimal[] {
  return lines.map(({ value }) => value);
}

/** The coin lines of a face that does not add up, as the proven part of the coins; null without one (M3.3b, M3.3c). */
function provenLines(inputs: CryptoInputs): CryptoHoldings | null {
  const { sheet } = inputs;
  const lines = coinLines(inputs);
  const amount = sumOf(values(lines));
  const assets = sheet.amount(assetsConcepts[0]) ?? sheet.amount(assetsConcepts[1]);
  if (amount.sign <= 0 || assets === null || amount.compare(assets) > 0) return null;
  const names = lines.map(({ concept }) => concept).join(' + ');
  return {
    ...noHoldings,
    amount,
    carried: amount,
    isProven: false,
    measurement: measuredAtFairValue(inputs, amount) ? 'fair_value' : 'carrying_lower_bound',
    rungs: [{ rung: 'coin_lines', taken: true, reason: `${names} = ${amount}; the face does not add up` }],
    roots: lines.map((line) =>
      coinRoot(sheet, { ...line, rung: 'coin_lines', reason: 'a line of the face with the name of a coin' }),
    ),
  };
}
