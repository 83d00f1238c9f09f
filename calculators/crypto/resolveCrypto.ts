import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import {
  type AssetsSide,
  type FaceLine,
  faceAssets,
  gapNotes,
  linkbaseAssets,
  unnamedAssets,
} from '../assets/assetsSide.ts';
import { readsAsCoins } from '../assets/classifyCoins.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import { isStandard } from '../network/conceptNames.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { TrailRung } from '../trail/resolutionTrail.ts';
import { trailFact } from '../trail/trailFact.ts';
import { provenLines } from './coinLines.ts';
import { coinsAmongIntangibles } from './coinsBeforeAdoption.ts';
import { type CoinsWalk, coinRungs, coinsWalk, walkedCoins } from './coinsWalk.ts';
import { type CryptoHoldings, type CryptoInputs, noHoldings } from './cryptoHoldings.ts';
import { atDisclosedValue } from './disclosedValue.ts';
import { measuredAtFairValue } from './fairValues.ts';
import { provenAbsence, statedCoins } from './provenAbsence.ts';
import { taggedCoins } from './taggedCoins.ts';

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
  const fact = trailFact(inputs.sheet, concept, 1);
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
    notes: [`coins_in_lines:${names}`],
    rungs: [
      { rung: 'coins_in_lines', taken: true, reason: `${concept} = ${amount} is ${names} of the face` },
    ],
    roots: [
      {
        kind: 'root',
        bucket: 'T',
        concept,
        value: amount,
        weight: 1,
        parent: null,
        role: null,
        rung: 'coins_in_lines',
        reason: 'an amount of the notes that equals lines of the face',
        children: fact === null ? [] : [fact],
      },
    ],
  };
}

/**
 * No amount was found: a zero where that is proven, else a gap, of which lines with a coin's name are the proven part, with
 * what the filing states (M3.3b). An order that can be read with different coins proves none of them.
 */
function absentCoins(
  inputs: CryptoInputs,
  read: { readonly side: AssetsSide | null; readonly face: Extract<Attempt, { kind: 'refused' }> },
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
  const absence = provenAbsence({ ...inputs, side: read.side, reason: read.face.reason, stated });
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
